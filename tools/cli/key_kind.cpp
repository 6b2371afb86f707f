#include "key_kind.hpp"

#include <bloomery/error.hpp>
#include <bloomery/hash/java.hpp>
#include <bloomery/key/fixed_width.hpp>
#include <bloomery/key/java_text.hpp>
#include <bloomery/key/kryo5.hpp>
#include <bloomery/key/utf16.hpp>

#include "nearest.hpp"
#include "quoted.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

struct named_kind {
    key_kind kind;
    std::string_view name;
};

// In the order in which help lists them.
constexpr std::array kinds{
    named_kind{key_kind::bytes, "bytes"},
    named_kind{key_kind::integer, "int"},
    named_kind{key_kind::hex, "hex"},
    named_kind{key_kind::utf8, "utf8"},
    named_kind{key_kind::utf16le, "utf16le"},
    named_kind{key_kind::utf16le_text, "utf16le-text"},
    named_kind{key_kind::latin1, "latin1"},
    named_kind{key_kind::i32le, "i32le"},
    named_kind{key_kind::i32be, "i32be"},
    named_kind{key_kind::u32be, "u32be"},
    named_kind{key_kind::i64le, "i64le"},
    named_kind{key_kind::i64be, "i64be"},
    named_kind{key_kind::f32le, "f32le"},
    named_kind{key_kind::f64le, "f64le"},
    named_kind{key_kind::kryo5, "kryo5"},
    named_kind{key_kind::kryo5_int, "kryo5-int"},
    named_kind{key_kind::kryo5_long, "kryo5-long"},
    named_kind{key_kind::java_int, "java-int"},
    named_kind{key_kind::java_long, "java-long"},
};

[[noreturn]] void refuse_key(std::uint64_t record, std::string_view what, key_kind kind,
                             std::string_view text) {
    throw bad_argument(fmt::format("record {} is not {}, which --key {} needs: {}", record, what,
                                   name_of(kind), in_quotes(text.substr(0, 80))));
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    return code == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

// One text of one key kind, about to be a number.
struct number_text {
    std::string_view text;
    key_kind kind;
    std::uint64_t record;

    template <class Integer>
    [[nodiscard]] Integer integer() const {
        if (const auto number = number_in<Integer>(text)) return *number;
        refuse_key(record,
                   fmt::format("{} {}-bit integer",
                               std::is_unsigned_v<Integer> ? "an unsigned" : "a",
                               8 * sizeof(Integer)),
                   kind, text);
    }

    // A NaN is the one that Java has: from_chars would take a sign and a payload.
    template <class Float>
    [[nodiscard]] Float floating() const {
        const auto number = number_in<Float>(text);
        if (!number)
            refuse_key(record, fmt::format("a {}-bit float", 8 * sizeof(Float)), kind, text);
        return std::isnan(*number) ? std::numeric_limits<Float>::quiet_NaN() : *number;
    }
};

// Both ranges, because a filter holds an integer as 64 bits: -1 and 18446744073709551615 are one
// key.
std::uint64_t any_integer(std::string_view text, std::uint64_t record) {
    if (const auto natural = number_in<std::uint64_t>(text)) return *natural;
    if (const auto number = number_in<std::int64_t>(text)) {
        return static_cast<std::uint64_t>(*number);
    }
    throw bad_argument(
        fmt::format("record {} is not a 64-bit integer: {}; leave --key int out if keys are "
                    "bytes",
                    record, in_quotes(text.substr(0, 80))));
}

void append(std::span<const std::byte> bytes, std::string& to) {
    to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); // NOLINT
}

void append_hex(std::string_view text, std::uint64_t record, std::string& to) {
    const auto digit = [&](char c) -> unsigned {
        if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
        refuse_key(record, "a row of pairs of hexadecimal digits", key_kind::hex, text);
    };
    if (text.size() % 2 != 0) {
        refuse_key(record, "a row of pairs of hexadecimal digits", key_kind::hex, text);
    }
    for (std::size_t i = 0; i < text.size(); i += 2) {
        to += static_cast<char>((digit(text[i]) << 4) | digit(text[i + 1]));
    }
}

} // namespace

key_kind parse_key_kind(std::string_view name) {
    for (const named_kind& known : kinds) {
        if (known.name == name) return known.kind;
    }
    refuse_unknown("kind of key", name, key_kind_names());
}

std::string_view name_of(key_kind kind) noexcept {
    for (const named_kind& known : kinds) {
        if (known.kind == kind) return known.name;
    }
    return {};
}

std::vector<std::string> key_kind_names() {
    std::vector<std::string> names;
    names.reserve(kinds.size());
    for (const named_kind& known : kinds) names.emplace_back(known.name);
    return names;
}

std::uint64_t integer_key(key_kind kind, std::string_view text, std::uint64_t record) {
    const number_text number{text, kind, record};
    const auto sign_extended = [](std::int32_t value) { return static_cast<std::uint64_t>(value); };
    switch (kind) {
    case key_kind::java_int:
        return sign_extended(number.integer<std::int32_t>());
    case key_kind::java_long:
        return sign_extended(hash::java::hash_code(number.integer<std::int64_t>()));
    default:
        return any_integer(text, record);
    }
}

bool is_its_own_key(key_kind kind, std::string_view text) noexcept {
    switch (kind) {
    case key_kind::bytes:
        return true;
    case key_kind::utf8:
        return is_utf8(text);
    case key_kind::latin1:
        return is_ascii(text);
    default:
        return false;
    }
}

std::string_view key_encoder::encode(key_kind kind, std::string_view text, std::uint64_t record) {
    bytes_.clear();
    const number_text number{text, kind, record};
    switch (kind) {
    case key_kind::hex:
        append_hex(text, record, bytes_);
        break;
    case key_kind::i32le:
        append(i32le(number.integer<std::int32_t>()), bytes_);
        break;
    case key_kind::i32be:
        append(i32be(number.integer<std::int32_t>()), bytes_);
        break;
    case key_kind::u32be:
        append(u32be(number.integer<std::uint32_t>()), bytes_);
        break;
    case key_kind::i64le:
        append(i64le(number.integer<std::int64_t>()), bytes_);
        break;
    case key_kind::i64be:
        append(i64be(number.integer<std::int64_t>()), bytes_);
        break;
    case key_kind::f32le:
        append(f32le(number.floating<float>()), bytes_);
        break;
    case key_kind::f64le:
        append(f64le(number.floating<double>()), bytes_);
        break;
    case key_kind::kryo5_int:
        append_kryo5_integer(number.integer<std::int32_t>(), bytes_);
        break;
    case key_kind::kryo5_long:
        append_kryo5_long(number.integer<std::int64_t>(), bytes_);
        break;
    case key_kind::utf8:
    case key_kind::utf16le:
    case key_kind::utf16le_text:
    case key_kind::latin1:
    case key_kind::kryo5:
        append_text(kind, text, record);
        break;
    default:
        return text;
    }
    return bytes_;
}

void key_encoder::append_text(key_kind kind, std::string_view text, std::uint64_t record) {
    units_.clear();
    try {
        append_utf16(text, units_);
    } catch (const bad_argument& reason) {
        throw bad_argument(fmt::format("record {} is not a text, which --key {} needs: {}: {}",
                                       record, name_of(kind), reason.what(),
                                       in_quotes(text.substr(0, 80))));
    }
    switch (kind) {
    case key_kind::utf16le:
        append_utf16le_units(units_, bytes_);
        break;
    case key_kind::utf16le_text:
        append_java_utf16le(units_, bytes_);
        break;
    case key_kind::latin1:
        append_java_latin1(units_, bytes_);
        break;
    case key_kind::kryo5:
        append_kryo5_string(units_, bytes_);
        break;
    default:
        append_java_utf8(units_, bytes_);
        break;
    }
}

} // namespace bloomery::cli
