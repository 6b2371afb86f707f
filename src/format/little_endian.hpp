// Numbers as bytes, least significant first, on every machine.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::format {

template <class T>
void store(std::span<std::byte> to, std::size_t at, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        to[at + i] = static_cast<std::byte>(value >> (8 * i));
    }
}

template <class T>
T load(byte_view from, std::size_t at) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value |=
            static_cast<T>(static_cast<T>(std::to_integer<unsigned char>(from[at + i])) << (8 * i));
    }
    return value;
}

/// Converts the words of a file to the byte order of this machine, and back. O(n); a no-op if they
/// are the same.
inline void swap_if_big(std::span<std::uint64_t> words) noexcept {
    if constexpr (std::endian::native == std::endian::big) {
        for (std::uint64_t& word : words) {
            word = __builtin_bswap64(word);
        }
    }
}

inline bool all_zero(byte_view bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

} // namespace bloomery::inline v0::format
