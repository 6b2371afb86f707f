// Numbers as programs write them.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>
#include <version>

#if !defined(__cpp_lib_to_chars) // libc++ reads no doubles before version 20
#include <cmath>
#include <cstdlib>
#include <string>
#endif

namespace bloomery::inline v0::text {

#if !defined(__cpp_lib_to_chars)
/// What std::from_chars would read, by strtod, which reads more: spaces, a plus and hexadecimals.
[[nodiscard]] inline std::optional<double> double_in(std::string_view text) {
    const bool more = text.empty() || text.find_first_of("xX") != text.npos ||
                      !(text[0] == '-' || text[0] == '.' || text[0] > '/');
    const std::string copy(text);
    char* stop = nullptr; // NOLINT: set by strtod
    const double value = std::strtod(copy.c_str(), &stop);
    const bool too_large = std::isinf(value) && copy.find_first_of("iI") == copy.npos;
    const bool too_small = value == 0 && copy.find_first_of("123456789") < copy.find_first_of("eE");
    const bool whole = stop == copy.c_str() + copy.size();
    return whole && !more && !too_large && !too_small ? std::optional(value) : std::nullopt;
}
#endif

/// The number that the whole text spells; nothing if it spells none, or one out of range. O(text).
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
#if !defined(__cpp_lib_to_chars)
    if constexpr (std::same_as<Number, double>) {
        return double_in(text);
    } else
#endif
    {
        Number value{};
        const char* const end = text.data() + text.size();
        const auto [stop, wrong] = std::from_chars(text.data(), end, value);
        return wrong == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
    }
}

} // namespace bloomery::inline v0::text
