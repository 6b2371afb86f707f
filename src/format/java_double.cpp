// Numbers as Java prints them.
#include "foreign_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace bloomery::inline v0::format {

namespace {

/// A number above 0 as digits d and an exponent e: 0.ddd times 10^e, without trailing zeros but
/// with at least two digits.
struct decimal {
    std::string digits;
    int exponent;
};

decimal decimal_of(double value) {
    std::array<char, 32> buffer{};
    char* const first = buffer.data();
    char* const last = first + buffer.size();
    auto end = std::to_chars(first, last, value, std::chars_format::scientific);
    // One digit would be enough, so Java uses the nearest with two: 4.9E-324, not 5.0E-324.
    if (buffer[1] == 'e') {
        end = std::to_chars(first, last, value, std::chars_format::scientific, 1);
    }
    const std::string_view text(first, static_cast<std::size_t>(end.ptr - first));
    const std::size_t mark = text.find('e');
    int exponent = 0;
    const std::size_t number = mark + (text[mark + 1] == '+' ? 2 : 1);
    std::from_chars(first + number, end.ptr, exponent);
    return {text[0] + std::string(text.substr(2, mark - 2)), exponent + 1};
}

} // namespace

std::string java_double(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    const std::string sign = std::signbit(value) ? "-" : "";
    const double size = std::abs(value);
    if (std::isinf(size) || size == 0) {
        return sign + (size == 0 ? "0.0" : "Infinity");
    }
    const auto [digits, exponent] = decimal_of(size);
    if (size < 1e-3 || size >= 1e7) {
        return sign + digits[0] + "." + digits.substr(1) + "E" + std::to_string(exponent - 1);
    }
    if (exponent <= 0) {
        const std::string text =
            "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
        return sign + (text.back() == '0' ? text.substr(0, text.size() - 1) : text);
    }
    const auto whole = static_cast<std::size_t>(exponent);
    std::string text = digits;
    text.resize(std::max(text.size(), whole + 1), '0');
    return sign + text.substr(0, whole) + "." + text.substr(whole);
}

} // namespace bloomery::inline v0::format
