#include <bloomery/key/encodings.hpp>

#include "utf8_bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0 {

namespace {

bool is_high(std::uint32_t unit) { return (unit & ~0x3ffU) == 0xd800; }
bool is_low(std::uint32_t unit) { return (unit & ~0x3ffU) == 0xdc00; }
bool is_unpaired(std::uint32_t code_point) { return is_high(code_point) || is_low(code_point); }

// Calls `work` with each code point; an unpaired surrogate comes as itself.
template <class Work>
void for_each_code_point(std::u16string_view text, const Work& work) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint32_t code_point = text[i];
        if (is_high(code_point) && i + 1 < text.size() && is_low(text[i + 1])) {
            code_point = 0x10000 + ((code_point & 0x3ffU) << 10) + (text[++i] & 0x3ffU);
        }
        work(code_point);
    }
}

void append_unit(std::uint32_t unit, std::string& to) {
    to += static_cast<char>(unit & 0xffU);
    to += static_cast<char>(unit >> 8);
}

} // namespace

void append_java_utf8(std::u16string_view text, std::string& to) {
    for_each_code_point(text, [&](std::uint32_t code_point) {
        detail::append_utf8(is_unpaired(code_point) ? '?' : code_point, to);
    });
}

void append_java_latin1(std::u16string_view text, std::string& to) {
    for_each_code_point(text, [&](std::uint32_t code_point) {
        to += code_point > 0xff ? '?' : static_cast<char>(code_point);
    });
}

void append_java_utf16le(std::u16string_view text, std::string& to) {
    for_each_code_point(text, [&](std::uint32_t code_point) {
        if (code_point < 0x10000) {
            append_unit(is_unpaired(code_point) ? 0xfffd : code_point, to);
        } else {
            append_unit(0xd7c0 + (code_point >> 10), to);
            append_unit(0xdc00 + (code_point & 0x3ffU), to);
        }
    });
}

void append_utf16le_units(std::u16string_view text, std::string& to) {
    for (const char16_t unit : text) append_unit(unit, to);
}

} // namespace bloomery::inline v0
