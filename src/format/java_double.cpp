// Numbers as Java prints them.
#include <bloomery/detail/text/number.hpp>

#include "foreign_parts.hpp"

#include <algorithm>
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
    std::string text = plan::scientific(value);
    // One digit would be enough, so Java uses the nearest with two: 4.9E-324, not 5.0E-324.
    if (text[1] == 'e') {
        text = plan::scientific(value, 1);
    }
    const std::size_t mark = text.find('e');
    const std::size_t number = mark + (text[mark + 1] == '+' ? 2 : 1);
    const int exponent = text::number_in<int>(std::string_view(text).substr(number)).value();
    return {text[0] + text.substr(2, mark - 2), exponent + 1};
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
