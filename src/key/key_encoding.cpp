#include <bloomery/detail/key/key_encoding.hpp>
#include <bloomery/detail/text/words.hpp>
#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace bloomery::inline v0 {

namespace {

struct named_encoding {
    key_encoding of;
    std::string_view name;
};

constexpr std::array key_encodings{
    named_encoding{key_encoding::bytes, "bytes"},
    named_encoding{key_encoding::integer, "int"},
    named_encoding{key_encoding::hex, "hex"},
    named_encoding{key_encoding::utf8, "utf8"},
    named_encoding{key_encoding::utf16le, "utf16le"},
    named_encoding{key_encoding::utf16le_text, "utf16le-text"},
    named_encoding{key_encoding::latin1, "latin1"},
    named_encoding{key_encoding::i32le, "i32le"},
    named_encoding{key_encoding::i32be, "i32be"},
    named_encoding{key_encoding::u32be, "u32be"},
    named_encoding{key_encoding::i64le, "i64le"},
    named_encoding{key_encoding::i64be, "i64be"},
    named_encoding{key_encoding::f32le, "f32le"},
    named_encoding{key_encoding::f64le, "f64le"},
    named_encoding{key_encoding::kryo5, "kryo5"},
    named_encoding{key_encoding::kryo5_int, "kryo5-int"},
    named_encoding{key_encoding::kryo5_long, "kryo5-long"},
    named_encoding{key_encoding::java_int, "java-int"},
    named_encoding{key_encoding::java_long, "java-long"},
    named_encoding{key_encoding::f64le_canonical, "f64le-canonical"},
};

[[noreturn]] void refuse_source(key_encoding of, const char* what) {
    throw bad_argument("the key encoding " + std::string(name_of(of)) + " does not take " + what);
}

void append_fixed(std::span<const std::byte> bytes, std::string& to) {
    to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); // NOLINT
}

template <class Integer>
Integer in_range(key_encoding of, std::int64_t number) {
    if (number < std::numeric_limits<Integer>::min() ||
        number > std::numeric_limits<Integer>::max()) {
        throw bad_argument(std::to_string(number) + " does not fit the key encoding " +
                           std::string(name_of(of)) + ", which takes " +
                           std::to_string(8 * sizeof(Integer)) + "-bit integers");
    }
    return static_cast<Integer>(number);
}

void append_hex(std::string_view text, std::string& to) {
    const auto digit = [&](char c) -> unsigned {
        if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
        throw bad_argument("not a sequence of pairs of hexadecimal digits: " +
                           text::in_quotes(text.substr(0, 80)));
    };
    if (text.size() % 2 != 0) static_cast<void>(digit('?'));
    for (std::size_t i = 0; i < text.size(); i += 2) {
        to += static_cast<char>((digit(text[i]) << 4U) | digit(text[i + 1]));
    }
}

} // namespace

std::string_view name_of(key_encoding of) noexcept {
    const auto at = static_cast<std::size_t>(of);
    return at < key_encodings.size() ? key_encodings[at].name : std::string_view{};
}

std::vector<std::string> key_encoding_names() {
    std::vector<std::string> names;
    names.reserve(key_encodings.size());
    for (const named_encoding& one : key_encodings) names.emplace_back(one.name);
    return names;
}

key_encoding key_encoding_named(std::string_view name, std::string_view what) {
    for (const named_encoding& one : key_encodings) {
        if (one.name == name) return one.of;
    }
    text::refuse_unknown(what, name, key_encoding_names());
}

std::uint64_t encoded_integer(key_encoding of, std::int64_t number) {
    switch (of) {
    case key_encoding::integer:
        return static_cast<std::uint64_t>(number);
    case key_encoding::java_int:
        return static_cast<std::uint64_t>(std::int64_t{in_range<std::int32_t>(of, number)});
    case key_encoding::java_long: {
        // Long.hashCode: the two halves, exclusive or.
        const auto word = static_cast<std::uint64_t>(number);
        const auto folded =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(word ^ word >> 32U));
        return static_cast<std::uint64_t>(std::int64_t{folded});
    }
    default:
        refuse_source(of, "numbers as integer keys");
    }
}

void key_bytes::append(key_encoding of, std::string_view text, std::string& to) {
    if (of == key_encoding::hex) return append_hex(text, to);
    if (of == key_encoding::bytes) return static_cast<void>(to.append(text));
    if (!takes_texts(of)) refuse_source(of, "texts");
    units_.clear();
    append_utf16(text, units_);
    switch (of) {
    case key_encoding::utf16le:
        return append_utf16le_units(units_, to);
    case key_encoding::utf16le_text:
        return append_java_utf16le(units_, to);
    case key_encoding::latin1:
        return append_java_latin1(units_, to);
    case key_encoding::kryo5:
        return append_kryo5_string(units_, to);
    default:
        return append_java_utf8(units_, to);
    }
}

void key_bytes::append(key_encoding of, std::int64_t number, std::string& to) {
    switch (of) {
    case key_encoding::i32le:
        return append_fixed(i32le(in_range<std::int32_t>(of, number)), to);
    case key_encoding::i32be:
        return append_fixed(i32be(in_range<std::int32_t>(of, number)), to);
    case key_encoding::u32be:
        return append_fixed(u32be(in_range<std::uint32_t>(of, number)), to);
    case key_encoding::i64le:
        return append_fixed(i64le(number), to);
    case key_encoding::i64be:
        return append_fixed(i64be(number), to);
    case key_encoding::kryo5_int:
        return append_kryo5_integer(in_range<std::int32_t>(of, number), to);
    case key_encoding::kryo5_long:
        return append_kryo5_long(number, to);
    default:
        refuse_source(of, "integers");
    }
}

// A NaN is the one that Java has, whatever its payload.
void key_bytes::append(key_encoding of, double number, std::string& to) {
    const bool nan = std::isnan(number);
    if (of == key_encoding::f64le_canonical) {
        return append_fixed(f64le_canonical(number), to);
    }
    if (of == key_encoding::f64le) {
        return append_fixed(f64le(nan ? std::numeric_limits<double>::quiet_NaN() : number), to);
    }
    if (of != key_encoding::f32le) refuse_source(of, "floating-point numbers");
    append_fixed(f32le(nan ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(number)),
                 to);
}

} // namespace bloomery::inline v0
