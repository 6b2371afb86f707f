#include <bloomery/detail/text/decimal.hpp>
#include <bloomery/detail/text/units.hpp>
#include <bloomery/detail/text/words.hpp>
#include <bloomery/error.hpp>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::inline v0::text {
namespace {

constexpr std::string_view count_example = "write a whole number such as 1000000, 10M or 1e9";
constexpr std::string_view bytes_example = "write a whole number of bytes such as 4096 or 64MiB";
constexpr std::string_view duration_example = "write a whole number with its unit such as 90s, "
                                              "15m, 24h or 7d";
constexpr std::string_view rate_example = "write a rate above 0 and below 1 such as 0.01, 1% or "
                                          "1in100";

// k is 1, M is 2, ... P is 5; lower-case m and its like are refused: m is a thousandth.
std::optional<unsigned> rank_of(char prefix) {
    constexpr std::string_view ranks = "kMGTP";
    const std::size_t at = ranks.find(prefix == 'K' ? 'k' : prefix);
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<unsigned>(at) + 1;
}

// "1.14 MiB" is what we print, so one space before the unit is also what we read.
void take_space_before_unit(std::string_view& text) {
    if (text.size() > 1 && text[0] == ' ') text.remove_prefix(1);
}

// What is being read, and how to write it instead: every refusal quotes the whole of what was
// typed, also when only a part of it is wrong.
struct request {
    std::string_view typed;
    std::string_view example;

    [[noreturn]] void refuse(std::string_view what) const {
        throw bad_argument(in_quotes(typed) + " " + std::string(what) + ": " +
                           std::string(example));
    }
};

decimal take_number(std::string_view& text, const request& asked) {
    if (text.empty()) asked.refuse("lacks a number");
    if (text[0] == '-') asked.refuse("is negative");
    auto number = take_decimal(text);
    if (!number) asked.refuse("is not a number");
    return *number;
}

std::uint64_t whole(const decimal& number, const request& asked) {
    const auto [what, value] = number.to_whole();
    if (what == decimal::verdict::fraction) asked.refuse("is not a whole number");
    if (what == decimal::verdict::too_large) asked.refuse("does not fit into 64 bits");
    return value;
}

std::uint64_t read_count(std::string_view text, const request& asked) {
    decimal number = take_number(text, asked);
    take_space_before_unit(text);
    if (!text.empty()) {
        const auto rank = rank_of(text[0]);
        if (!rank || text.size() != 1) asked.refuse("is not a number");
        number.exponent += static_cast<int>(3 * *rank);
    }
    return whole(number, asked);
}

// "1in1000", "1 in 1000" and "1/1000": the counts on either side.
struct ratio {
    std::string_view part;
    std::string_view whole;
};
std::optional<ratio> split_ratio(std::string_view text) {
    for (const std::string_view word : {" in ", "in", "/"}) {
        const std::size_t at = text.find(word);
        if (at != std::string_view::npos) {
            return ratio{text.substr(0, at), text.substr(at + word.size())};
        }
    }
    return std::nullopt;
}

double read_plain_rate(std::string_view text, const request& asked) {
    decimal number = take_number(text, asked);
    take_space_before_unit(text);
    if (text == "%") {
        number.exponent -= 2;
    } else if (!text.empty()) {
        asked.refuse("is not a rate");
    }
    return number.to_double().value_or(0); // refused by the caller, as every other 0
}

} // namespace

std::uint64_t parse_count(std::string_view text) { return read_count(text, {text, count_example}); }

std::uint64_t parse_seed(std::string_view text) {
    constexpr std::uint64_t most = std::uint64_t{1} << 63U;
    if (!text.starts_with('-')) return parse_count(text);
    const std::uint64_t magnitude = parse_count(text.substr(1));
    if (magnitude > most) {
        throw bad_argument(in_quotes(text) + " is below -9223372036854775808, the least seed");
    }
    return 0 - magnitude;
}

std::uint64_t parse_bytes(std::string_view text) {
    const request asked{text, bytes_example};
    decimal number = take_number(text, asked);
    take_space_before_unit(text);
    if (text == "b") text = {};
    if (const auto rank = text.empty() ? std::nullopt : rank_of(text[0])) {
        text.remove_prefix(1);
        if (text.starts_with('i')) {
            text.remove_prefix(1);
            number.scale_by_two(10 * *rank);
        } else {
            number.exponent += static_cast<int>(3 * *rank);
        }
    }
    if (!text.empty() && text != "B") asked.refuse("is not an amount of bytes");
    return whole(number, asked);
}

std::uint64_t parse_duration(std::string_view text) {
    const request asked{text, duration_example};
    decimal number = take_number(text, asked);
    take_space_before_unit(text);
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> units{
        {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86'400}}};
    for (const auto& [name, seconds] : units) {
        if (text != name) continue;
        const std::uint64_t count = whole(number, asked);
        if (count == 0 || count > std::numeric_limits<std::uint64_t>::max() / seconds) break;
        return count * seconds;
    }
    asked.refuse("is not a time");
}

double parse_rate(std::string_view text) {
    const request asked{text, rate_example};
    double rate = 0;
    if (const auto sides = split_ratio(text)) {
        const auto part = static_cast<double>(read_count(sides->part, asked));
        const auto whole_count = static_cast<double>(read_count(sides->whole, asked));
        rate = whole_count == 0 ? 0 : part / whole_count;
    } else {
        rate = read_plain_rate(text, asked);
    }
    if (!(rate > 0 && rate < 1)) asked.refuse("is not between 0 and 1");
    return rate;
}

} // namespace bloomery::inline v0::text
