// Replies of a server.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::inline v0::redis {

/// One reply; arrays contain replies.
struct reply {
    enum class type : std::uint8_t { nil, status, error, integer, text, array };

    type is = type::nil;
    std::int64_t integer = 0;
    std::string text{}; ///< of a status, an error, a text
    std::vector<reply> elements{};

    [[nodiscard]] bool is_error() const noexcept { return is == type::error; }
};

} // namespace bloomery::inline v0::redis
