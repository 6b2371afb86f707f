#include "input/key_encoder.hpp"

#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>

#include "wording.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

namespace bloomery::cli {

namespace {

std::string_view required_by(key_encoding of) {
    switch (of) {
    case key_encoding::hex:
        return "an even number of hexadecimal digits";
    case key_encoding::u32be:
        return "an unsigned 32-bit integer";
    case key_encoding::i32le:
    case key_encoding::i32be:
    case key_encoding::kryo5_int:
    case key_encoding::java_int:
        return "a 32-bit integer";
    case key_encoding::f32le:
        return "a 32-bit float";
    case key_encoding::f64le:
    case key_encoding::f64le_canonical:
        return "a 64-bit float";
    case key_encoding::i64le:
    case key_encoding::i64be:
    case key_encoding::kryo5_long:
    case key_encoding::java_long:
        return "a 64-bit integer";
    default:
        return "valid text";
    }
}

[[noreturn]] void refuse_key(key_encoding of, std::string_view text, std::uint64_t record,
                             std::string_view reason = "") {
    throw bad_argument(fmt::format("record {} is not {}, as --key {} requires: {}{}", record,
                                   required_by(of), name_of(of), reason,
                                   in_quotes(text.substr(0, 80))));
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    return code == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// The characters from `text` on, the first in the lowest byte.
template <class Word>
std::uint64_t little_endian_at(const char* text) noexcept {
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little) {
        Word part;
        std::memcpy(&part, text, sizeof part);
        word = part;
    } else {
        for (std::size_t i = 0; i < sizeof(Word); ++i) {
            word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
        }
    }
    return word;
}
/// The same for fewer than eight characters. A copy of any size would be a call.
std::uint64_t little_endian_in(std::string_view text) noexcept {
    std::uint64_t word = 0;
    unsigned at = 0;
    if ((text.size() & 4U) != 0) {
        word = little_endian_at<std::uint32_t>(text.data());
        at = 4;
    }
    if ((text.size() & 2U) != 0) {
        word |= little_endian_at<std::uint16_t>(text.data() + at) << 8 * at;
        at += 2;
    }
    if ((text.size() & 1U) != 0) {
        word |= little_endian_at<std::uint8_t>(text.data() + at) << 8 * at;
    }
    return word;
}

/// The number that eight characters spell, the first in the lowest byte; nothing unless all are
/// digits. They are checked, and added in pairs, fours and eights, all at once.
std::optional<std::uint64_t> eight_digits(std::uint64_t text) noexcept {
    constexpr std::uint64_t zeros = 0x3030303030303030;
    constexpr std::uint64_t high = 0xF0F0F0F0F0F0F0F0;
    if ((text & high) != zeros || ((text + 0x0606060606060606) & high) != zeros) {
        return std::nullopt;
    }
    text -= zeros;
    text = text * 10 + (text >> 8U);
    return ((text & 0x000000FF000000FF) * 0x000F424000000064 +
            (text >> 16U & 0x000000FF000000FF) * 0x0000271000000001) >>
           32U;
}

/// The number that 1 to 19 digits spell, which 64 bits can always hold; nothing for anything else.
/// Much faster than std::from_chars.
std::optional<std::uint64_t> few_digits(std::string_view text) noexcept {
    constexpr std::array<std::uint64_t, 8> powers{1,      10,      100,       1'000,
                                                  10'000, 100'000, 1'000'000, 10'000'000};
    if (text.empty() || text.size() > 19) return std::nullopt;
    std::uint64_t number = 0;
    while (text.size() >= 8) {
        const auto next = eight_digits(little_endian_at<std::uint64_t>(text.data()));
        if (!next) return std::nullopt;
        number = number * 100'000'000 + *next;
        text.remove_prefix(8);
    }
    if (text.empty()) return number;
    // The rest, after as many zeros as make eight digits of it.
    const auto last = eight_digits(little_endian_in(text) << 8 * (8 - text.size()) |
                                   0x3030303030303030U >> 8 * text.size());
    return last ? std::optional(number * powers[text.size()] + *last) : std::nullopt;
}

/// Calls `use` with the number that a text spells. Throws bad_argument if it spells none, or one
/// that `use` refuses.
template <class Number, class Use>
auto with_number(key_encoding of, std::string_view text, std::uint64_t record, Use use) {
    try {
        if (const auto number = number_in<Number>(text)) return use(*number);
    } catch (const bad_argument&) { // out of range, which is reported as not a number
    }
    refuse_key(of, text, record);
}

} // namespace

std::uint64_t integer_key(key_encoding of, std::string_view text, std::uint64_t record) {
    if (of != key_encoding::integer) {
        return with_number<std::int64_t>(
            of, text, record, [of](std::int64_t number) { return encoded_integer(of, number); });
    }
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    constexpr std::uint64_t lowest = std::uint64_t{1} << 63U;
    if (const auto number = few_digits(digits); number && (!negative || *number <= lowest)) {
        return negative ? 0 - *number : *number;
    }
    // Both ranges, because a filter holds an integer as 64 bits: -1 and 18446744073709551615 are
    // one key.
    if (const auto natural = number_in<std::uint64_t>(text)) return *natural;
    if (const auto number = number_in<std::int64_t>(text)) return encoded_integer(of, *number);
    throw bad_argument(
        fmt::format("record {} is not a 64-bit integer: {}; leave --key int out if keys are bytes",
                    record, in_quotes(text.substr(0, 80))));
}

bool is_its_own_key(key_encoding of, std::string_view text) noexcept {
    switch (of) {
    case key_encoding::bytes:
        return true;
    case key_encoding::utf8:
        return is_utf8(text);
    case key_encoding::latin1:
        return is_ascii(text);
    default:
        return false;
    }
}

std::string_view key_encoder::encode(key_encoding of, std::string_view text, std::uint64_t record) {
    if (of == key_encoding::bytes) return text;
    const auto append = [&](auto number) { key_bytes::append(of, number, bytes_); };
    bytes_.clear();
    if (takes_texts(of)) {
        append_text(of, text, record);
    } else if (of ==
               key_encoding::f32le) { // as one at once: by way of a double it is rounded twice
        with_number<float>(of, text, record, [&](float number) { append(double{number}); });
    } else if (takes_floats(of)) {
        with_number<double>(of, text, record, append);
    } else {
        with_number<std::int64_t>(of, text, record, append);
    }
    return bytes_;
}

void key_encoder::append_text(key_encoding of, std::string_view text, std::uint64_t record) {
    try {
        encoded_.append(of, text, bytes_);
    } catch (const bad_argument& reason) {
        const bool hex = of == key_encoding::hex;
        refuse_key(of, text, record, hex ? "" : fmt::format("{}: ", reason.what()));
    }
}

} // namespace bloomery::cli
