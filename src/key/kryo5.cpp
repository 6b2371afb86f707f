#include <bloomery/key/encodings.hpp>

#include "utf8_bytes.hpp"

#include <algorithm>

namespace bloomery::inline v0 {

namespace {

constexpr char integer_class = 2;
constexpr char string_class = 3;
constexpr char long_class = 9;

void append_byte(std::uint64_t value, std::string& to) {
    to += static_cast<char>(static_cast<unsigned char>(value));
}

// Seven bits per byte, the low ones first, the high bit for "more follows". The ninth byte has no
// need of that bit: it takes all eight that are left of a 64-bit number.
void append_varint(std::uint64_t value, std::string& to) {
    for (int bytes = 1; value >= 0x80 && bytes < 9; ++bytes) {
        append_byte(0x80U | (value & 0x7fU), to);
        value >>= 7;
    }
    append_byte(value, to);
}

// The first byte has its high bit set to tell a length from ASCII, and says "more" by the next one.
void append_flagged_varint(std::uint64_t value, std::string& to) {
    if (value < 0x40) return append_byte(0x80U | value, to);
    append_byte(0xc0U | (value & 0x3fU), to);
    append_varint(value >> 6, to);
}

// 0, -1, 1, -2, … to 0, 1, 2, 3, …: small numbers of either sign stay short.
std::uint64_t zig_zag(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? ~(bits << 1) : bits << 1;
}

} // namespace

void append_kryo5_string(std::u16string_view text, std::string& to) {
    to += string_class;
    const bool ascii = std::ranges::all_of(text, [](char16_t unit) { return unit < 0x80; });
    if (ascii && text.size() > 1 && text.size() <= 32) {
        for (const char16_t unit : text) to += static_cast<char>(unit);
        to.back() = static_cast<char>(0x80U | text.back());
        return;
    }
    append_flagged_varint(text.size() + 1, to);
    for (const char16_t unit : text) detail::append_utf8(unit, to);
}

void append_kryo5_integer(std::int32_t value, std::string& to) {
    to += integer_class;
    append_varint(zig_zag(value), to);
}

void append_kryo5_long(std::int64_t value, std::string& to) {
    to += long_class;
    append_varint(zig_zag(value), to);
}

} // namespace bloomery::inline v0
