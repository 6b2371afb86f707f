// What a server answers.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::redis {

/// One answer; arrays have answers in them.
struct reply {
    enum class type : std::uint8_t { nil, status, error, integer, text, array };

    type is = type::nil;
    std::int64_t integer = 0;
    std::string text{}; ///< of a status, an error, a text
    std::vector<reply> elements{};

    [[nodiscard]] bool is_error() const noexcept { return is == type::error; }
};

} // namespace bloomery::redis
