// Keys as other systems encode them: the bytes that they hash.
//
// Native filters do not need this: they take text and integers as keys directly (key.hpp).
#pragma once

#include <bloomery/detail/export.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {

// Text as in Java and similar languages: UTF-16 code units, made from UTF-8.
//
// The input is generalised UTF-8 (WTF-8): surrogates may be encoded like any other code point,
// because a Java string may contain an unpaired one, and such keys must not be lost.

/// Whether every byte is below 0x80. O(text), eight bytes at a time; never throws.
[[nodiscard]] BLOOMERY_EXPORT bool is_ascii(std::string_view text) noexcept;

/// Whether the text is strict UTF-8, without surrogates: re-encoding its characters would give the
/// same bytes. O(text), ASCII eight bytes at a time; never throws.
[[nodiscard]] BLOOMERY_EXPORT bool is_utf8(std::string_view text) noexcept;

/// Appends the UTF-16 code units of a text. An encoded surrogate becomes that one unit, so two of
/// them in a row (CESU-8) become a pair. O(text); throws bad_argument, which names the byte, if the
/// text is not generalised UTF-8: overlong, beyond U+10FFFF or truncated.
BLOOMERY_EXPORT void append_utf16(std::string_view generalised_utf8, std::u16string& to);

/// The UTF-16 code units of a text. Complexity and exceptions as `append_utf16`.
[[nodiscard]] inline std::u16string utf16_of(std::string_view generalised_utf8) {
    std::u16string units;
    append_utf16(generalised_utf8, units);
    return units;
}

// The bytes of a String in Java's charsets, which its filters hash.
//
// A String consists of UTF-16 code units and may contain unpaired surrogates. No charset can encode
// those; each has its own substitute. `utf16_of` makes the units from UTF-8.

/// Appends the text in UTF-8; an unpaired surrogate becomes '?'. O(text); throws std::bad_alloc.
BLOOMERY_EXPORT void append_java_utf8(std::u16string_view text, std::string& to);

/// Appends the text in ISO-8859-1; each code point above U+00FF becomes '?', and a surrogate pair
/// is one code point. O(text); throws std::bad_alloc.
BLOOMERY_EXPORT void append_java_latin1(std::u16string_view text, std::string& to);

/// Appends the text in UTF-16LE; an unpaired surrogate becomes U+FFFD. O(text); throws
/// std::bad_alloc.
BLOOMERY_EXPORT void append_java_utf16le(std::u16string_view text, std::string& to);

/// Appends the code units unchanged, low byte first, as Guava's unencodedCharsFunnel does: nothing
/// is replaced. O(text); throws std::bad_alloc.
BLOOMERY_EXPORT void append_utf16le_units(std::u16string_view text, std::string& to);

/// The same as strings of their own.
[[nodiscard]] inline std::string java_utf8(std::u16string_view text) {
    std::string bytes;
    append_java_utf8(text, bytes);
    return bytes;
}
[[nodiscard]] inline std::string java_latin1(std::u16string_view text) {
    std::string bytes;
    append_java_latin1(text, bytes);
    return bytes;
}
[[nodiscard]] inline std::string java_utf16le(std::u16string_view text) {
    std::string bytes;
    append_java_utf16le(text, bytes);
    return bytes;
}
[[nodiscard]] inline std::string utf16le_units(std::u16string_view text) {
    std::string bytes;
    append_utf16le_units(text, bytes);
    return bytes;
}

// Keys as Kryo 5 serialises them without references, which is what Redisson hashes by default.
//
// Each value comes after the number of its class: 3 for String, 2 for Integer, 9 for Long.

/// Appends a String. 2 to 32 ASCII characters are written as they are, the last with its high bit
/// set; any other text is written as its length and each unit separately in UTF-8, so that unpaired
/// surrogates survive. O(text); throws std::bad_alloc.
BLOOMERY_EXPORT void append_kryo5_string(std::u16string_view text, std::string& to);

/// Appends an Integer: zig-zag, in groups of seven bits. O(1); throws std::bad_alloc.
BLOOMERY_EXPORT void append_kryo5_integer(std::int32_t value, std::string& to);

/// Appends a Long: zig-zag, in groups of seven bits, but at most nine bytes. O(1); throws
/// std::bad_alloc.
BLOOMERY_EXPORT void append_kryo5_long(std::int64_t value, std::string& to);

/// The same as strings of their own.
[[nodiscard]] inline std::string kryo5_string(std::u16string_view text) {
    std::string bytes;
    append_kryo5_string(text, bytes);
    return bytes;
}
[[nodiscard]] inline std::string kryo5_integer(std::int32_t value) {
    std::string bytes;
    append_kryo5_integer(value, bytes);
    return bytes;
}
[[nodiscard]] inline std::string kryo5_long(std::int64_t value) {
    std::string bytes;
    append_kryo5_long(value, bytes);
    return bytes;
}

// Numbers as fixed-width bytes, as other systems feed them to their hashes.
//
// The results are byte strings and can be used as keys.

namespace detail {

template <class Word>
[[nodiscard]] constexpr std::array<std::byte, sizeof(Word)> little_endian(Word word) noexcept {
    std::array<std::byte, sizeof(Word)> bytes{};
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
        bytes[i] = static_cast<std::byte>(word >> (8 * i));
    }
    return bytes;
}

template <class Word>
[[nodiscard]] constexpr std::array<std::byte, sizeof(Word)> big_endian(Word word) noexcept {
    std::array<std::byte, sizeof(Word)> bytes{};
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
        bytes[sizeof(Word) - 1 - i] = static_cast<std::byte>(word >> (8 * i));
    }
    return bytes;
}

} // namespace detail

/// Two's complement, least significant byte first: Guava's integerFunnel, Parquet's INT32. O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> i32le(std::int32_t value) noexcept {
    return detail::little_endian(static_cast<std::uint32_t>(value));
}

/// Two's complement, most significant byte first: a Cassandra int. O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> i32be(std::int32_t value) noexcept {
    return detail::big_endian(static_cast<std::uint32_t>(value));
}

/// Most significant byte first: used by Go programs, as in their library's example. O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> u32be(std::uint32_t value) noexcept {
    return detail::big_endian(value);
}

/// Two's complement, least significant byte first: Guava's longFunnel, Parquet's INT64, the
/// integers of DataSketches. O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> i64le(std::int64_t value) noexcept {
    return detail::little_endian(static_cast<std::uint64_t>(value));
}

/// Two's complement, most significant byte first: a Cassandra bigint. O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> i64be(std::int64_t value) noexcept {
    return detail::big_endian(static_cast<std::uint64_t>(value));
}

/// The bits of the number, least significant byte first: Parquet's FLOAT. -0.0 and 0.0 differ.
/// O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> f32le(float value) noexcept {
    return detail::little_endian(std::bit_cast<std::uint32_t>(value));
}

/// The bits of the number, least significant byte first: Parquet's DOUBLE. -0.0 and 0.0 differ.
/// O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> f64le(double value) noexcept {
    return detail::little_endian(std::bit_cast<std::uint64_t>(value));
}

/// As f64le, with a single zero and a single NaN, as DataSketches feeds doubles and floats widened
/// to doubles. O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> f64le_canonical(double value) noexcept {
    if (value != value) {
        return detail::little_endian(std::uint64_t{0x7ff8000000000000});
    }
    return f64le(value == 0 ? 0.0 : value);
}

} // namespace bloomery::inline v0
