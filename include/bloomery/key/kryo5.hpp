// Keys as Kryo 5 serialises them without references, which is what Redisson hashes by default.
//
// Each value follows the number of its class: 3 for String, 2 for Integer, 9 for Long.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery {

/// Appends a String. Two to 32 units of ASCII are those bytes, the last with its high bit set; any
/// other text is its length and each unit in UTF-8 by itself, so that unpaired surrogates survive.
/// O(text); throws std::bad_alloc.
void append_kryo5_string(std::u16string_view text, std::string& to);

/// Appends an Integer: zig-zag, in groups of seven bits. O(1); throws std::bad_alloc.
void append_kryo5_integer(std::int32_t value, std::string& to);

/// Appends a Long: zig-zag, in groups of seven bits, but nine bytes at most. O(1); throws
/// std::bad_alloc.
void append_kryo5_long(std::int64_t value, std::string& to);

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

} // namespace bloomery
