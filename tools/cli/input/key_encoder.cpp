#include "input/key_encoder.hpp"

#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>

#include "wording.hpp"

#include <fmt/format.h>

#include <charconv>
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
    } else if (of == key_encoding::f64le) {
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
