// The bytes of one code point in UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace bloomery::inline v0::detail {

/// Appends a code point below 2^21, a surrogate like any other. O(1); throws std::bad_alloc.
inline void append_utf8(std::uint32_t code_point, std::string& to) {
    const auto tail = [&](unsigned shift) {
        to += static_cast<char>(0x80U | ((code_point >> shift) & 0x3fU));
    };
    if (code_point < 0x80) {
        to += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        to += static_cast<char>(0xc0U | (code_point >> 6));
        tail(0);
    } else if (code_point < 0x10000) {
        to += static_cast<char>(0xe0U | (code_point >> 12));
        tail(6);
        tail(0);
    } else {
        to += static_cast<char>(0xf0U | (code_point >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace bloomery::inline v0::detail
