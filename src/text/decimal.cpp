#include <bloomery/detail/text/decimal.hpp>
#include <bloomery/detail/text/number.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <ranges>
#include <system_error>

namespace bloomery::inline v0::text {
namespace {

// No amount of anything needs more; it keeps every sum of exponents far from the ends of an int.
constexpr int largest_exponent = 9999;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Appends the digits at the front of `text` to `digits`. An underscore counts only between two
// digits; any other one stays in the text, where it is refused as something left over.
std::size_t take_digits(std::string_view& text, std::string& digits) {
    const std::size_t before = digits.size();
    while (!text.empty()) {
        if (is_digit(text[0])) {
            digits.push_back(text[0]);
        } else if (text[0] != '_' || digits.size() == before || text.size() < 2 ||
                   !is_digit(text[1])) {
            break;
        }
        text.remove_prefix(1);
    }
    return digits.size() - before;
}

// The exponent at the front of `text`, 0 if there is none. An `e` without digits is left alone.
int take_exponent(std::string_view& text) {
    if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
    std::string_view rest = text.substr(1);
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    if (rest.empty() || !is_digit(rest[0])) return 0; // from_chars would take a second sign
    int value = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (problem == std::errc::result_out_of_range) value = largest_exponent;
    text = rest.substr(static_cast<std::size_t>(end - rest.data()));
    value = std::min(value, largest_exponent);
    return negative ? -value : value;
}

} // namespace

void decimal::scale_by_two(unsigned power) {
    for (; power > 0; --power) {
        int carry = 0;
        for (char& digit : std::views::reverse(digits)) {
            const int twice = 2 * (digit - '0') + carry;
            digit = static_cast<char>('0' + twice % 10);
            carry = twice / 10;
        }
        if (carry != 0) digits.insert(digits.begin(), '1');
    }
}

decimal::whole_number decimal::to_whole() const {
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos) return {verdict::whole, 0};
    const std::size_t last = digits.find_last_not_of('0');
    const auto shift = exponent + static_cast<std::ptrdiff_t>(digits.size() - 1 - last);
    if (shift < 0) return {verdict::fraction, 0};

    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const auto places = static_cast<std::ptrdiff_t>(last - first) + 1 + shift;
    if (places > std::numeric_limits<std::uint64_t>::digits10 + 1)
        return {verdict::too_large, most};
    std::string all = digits.substr(first, last - first + 1);
    all.append(static_cast<std::size_t>(shift), '0');
    std::uint64_t value = 0;
    const auto read = std::from_chars(all.data(), all.data() + all.size(), value);
    if (read.ec != std::errc{}) return {verdict::too_large, most};
    return {verdict::whole, value};
}

std::optional<double> decimal::to_double() const {
    // One conversion of the whole text is correctly rounded; scaling a double would round twice.
    return number_in<double>(digits + 'e' + std::to_string(exponent));
}

std::optional<decimal> take_decimal(std::string_view& text) {
    std::string_view rest = text;
    decimal number;
    take_digits(rest, number.digits);
    if (rest.starts_with('.')) {
        std::string_view after_point = rest.substr(1);
        const std::size_t places = take_digits(after_point, number.digits);
        // "5." is not taken whole: the point is left over, and the caller refuses it.
        if (places > 0) {
            rest = after_point;
            number.exponent = -static_cast<int>(places);
        }
    }
    if (number.digits.empty()) return std::nullopt;
    number.exponent += take_exponent(rest);
    text = rest;
    return number;
}

} // namespace bloomery::inline v0::text
