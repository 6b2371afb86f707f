// The bytes that Java's charsets make of a String, which its filters hash.
//
// A String is UTF-16 code units and may hold surrogates without a partner. No charset has a
// character for those; each has its own substitute. Text that comes as UTF-8: see utf16.hpp.
#pragma once

#include <bloomery/cxx20.hpp>

#include <string>
#include <string_view>

namespace bloomery {

/// Appends the text in UTF-8; an unpaired surrogate becomes '?'. O(text); throws std::bad_alloc.
void append_java_utf8(std::u16string_view text, std::string& to);

/// Appends the text in ISO-8859-1; each code point above U+00FF becomes '?', a surrogate pair
/// being one code point. O(text); throws std::bad_alloc.
void append_java_latin1(std::u16string_view text, std::string& to);

/// Appends the text in UTF-16LE; an unpaired surrogate becomes U+FFFD. O(text); throws
/// std::bad_alloc.
void append_java_utf16le(std::u16string_view text, std::string& to);

/// Appends the code units as they are, low byte first, as Guava's unencodedCharsFunnel does:
/// nothing is replaced. O(text); throws std::bad_alloc.
void append_utf16le_units(std::u16string_view text, std::string& to);

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

} // namespace bloomery
