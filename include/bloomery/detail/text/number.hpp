// Numbers as programs write them.
#pragma once

#include <bloomery/detail/plan/number.hpp>

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace bloomery::inline v0::text {

/// The number that the whole text spells; nothing if it spells none, or one out of range. O(text).
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
    if constexpr (std::same_as<Number, double>) {
        return plan::double_in(text);
    } else {
        Number value{};
        const char* const end = text.data() + text.size();
        const auto [stop, wrong] = std::from_chars(text.data(), end, value);
        return wrong == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
    }
}

} // namespace bloomery::inline v0::text
