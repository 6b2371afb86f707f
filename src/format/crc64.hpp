// The checksum of Redis: CRC-64 with Jones's polynomial, the lowest bit first, from 0.
#pragma once

#include <bloomery/key/bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::format {

namespace detail {

inline constexpr std::array<std::uint64_t, 256> crc64_table = [] {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::uint64_t rest = i;
        for (int bit = 0; bit < 8; ++bit) {
            rest = rest >> 1U ^ (rest % 2 != 0 ? 0x95ac9329ac4bc9b5U : 0U);
        }
        table[i] = rest;
    }
    return table;
}();

} // namespace detail

/// The checksum of what was summed before, followed by these bytes. O(bytes).
[[nodiscard]] constexpr std::uint64_t crc64_redis(byte_view bytes,
                                                  std::uint64_t before = 0) noexcept {
    std::uint64_t sum = before;
    for (const std::byte b : bytes) {
        sum = detail::crc64_table[(sum ^ std::to_integer<std::uint64_t>(b)) & 0xffU] ^ sum >> 8U;
    }
    return sum;
}

} // namespace bloomery::format
