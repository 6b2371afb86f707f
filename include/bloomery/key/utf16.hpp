// Text as Java and its kin hold it: UTF-16 code units, made from UTF-8.
//
// The UTF-8 read here is the generalised one (WTF-8): surrogates may be encoded like any other code
// point, because a Java string may hold one without its partner, and a key must not be lost for
// that.
#pragma once

#include <bloomery/cxx20.hpp>

#include <string>
#include <string_view>

namespace bloomery {

/// Whether each byte is below 0x80. O(text), eight bytes at a time; never throws.
[[nodiscard]] bool is_ascii(std::string_view text) noexcept;

/// Whether the text is UTF-8 in the strict sense, without surrogates: whether encoding its
/// characters again would give the same bytes. O(text), ASCII eight bytes at a time; never throws.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// Appends the UTF-16 code units of a text. An encoded surrogate becomes that one unit, so that two
/// of them in a row (CESU-8) become a pair. O(text); throws bad_argument, which names the byte, for
/// what is no generalised UTF-8: overlong, beyond U+10FFFF, cut short.
void append_utf16(std::string_view generalised_utf8, std::u16string& to);

/// The UTF-16 code units of a text. Complexity and exceptions as `append_utf16`.
[[nodiscard]] inline std::u16string utf16_of(std::string_view generalised_utf8) {
    std::u16string units;
    append_utf16(generalised_utf8, units);
    return units;
}

} // namespace bloomery
