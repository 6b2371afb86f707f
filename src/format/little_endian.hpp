// Numbers in bytes, the least significant first, on every machine.
#pragma once

#include <bloomery/key/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace bloomery::format {

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

inline bool all_zero(byte_view bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

} // namespace bloomery::format
