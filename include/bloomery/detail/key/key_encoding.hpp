// How other systems turn a string or a number into the bytes that their filters hash.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0 {

/// An encoding of keys. The numbers are part of the C interface and never change.
enum class key_encoding : std::uint8_t {
    bytes = 0,        ///< the bytes as they are
    integer = 1,      ///< a 64-bit integer, as in C++
    hex = 2,          ///< the bytes that pairs of hexadecimal digits spell
    utf8 = 3,         ///< text as Java encodes it: an unpaired surrogate becomes '?'
    utf16le = 4,      ///< the code units as they are
    utf16le_text = 5, ///< as Java encodes it: an unpaired surrogate becomes U+FFFD
    latin1 = 6,       ///< ISO-8859-1; other characters become '?'
    i32le = 7,
    i32be = 8,
    u32be = 9,
    i64le = 10,
    i64be = 11,
    f32le = 12,
    f64le = 13,
    kryo5 = 14,
    kryo5_int = 15,
    kryo5_long = 16,
    java_int = 17,        ///< a 32-bit integer
    java_long = 18,       ///< Java's hash code of a 64-bit integer
    f64le_canonical = 19, ///< f64le with one zero and one NaN, as DataSketches has it
};

/// "bytes", "int", "hex", "utf8", ... O(1), never throws; empty for an unknown number.
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(key_encoding of) noexcept;

/// The encoding of that name. Throws bad_argument, which lists the names, if there is none; `what`
/// is what the caller's users know it as.
[[nodiscard]] BLOOMERY_EXPORT key_encoding
key_encoding_named(std::string_view name, std::string_view what = "key encoding");

/// All names, in the order in which help lists them.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::string> key_encoding_names();

/// Whether keys are integers rather than bytes. O(1), never throws.
[[nodiscard]] constexpr bool gives_integers(key_encoding of) noexcept {
    return of == key_encoding::integer || of == key_encoding::java_int ||
           of == key_encoding::java_long;
}
/// Whether it encodes text: hex to latin1, and kryo5. O(1), never throws.
[[nodiscard]] constexpr bool takes_texts(key_encoding of) noexcept {
    return of == key_encoding::kryo5 || (of >= key_encoding::hex && of <= key_encoding::latin1);
}

/// Whether it encodes floating-point numbers. O(1), never throws.
[[nodiscard]] constexpr bool takes_floats(key_encoding of) noexcept {
    return of == key_encoding::f32le || of == key_encoding::f64le ||
           of == key_encoding::f64le_canonical;
}

/// The integer key that such an encoding makes from a number. Throws bad_argument for a number that
/// does not fit, or for an encoding that produces bytes.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t encoded_integer(key_encoding of, std::int64_t number);

/// Turns strings and numbers into the bytes of their keys.
class BLOOMERY_EXPORT key_bytes {
public:
    /// Appends the bytes of a text's key. O(text). Throws bad_argument for a text that is not valid
    /// in the encoding, or an encoding that does not take text.
    void append(key_encoding of, std::string_view text, std::string& to);
    /// The same for a number. Also throws if it does not fit.
    static void append(key_encoding of, std::int64_t number, std::string& to);
    static void append(key_encoding of, double number, std::string& to);

private:
    std::u16string units_;
};

} // namespace bloomery::inline v0
