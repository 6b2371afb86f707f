// Counting bits.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace bloomery {

/// The number of ones in an array. O(n).
[[nodiscard]] inline std::uint64_t count_ones(std::span<const std::uint64_t> words) noexcept {
    std::uint64_t total = 0;
    for (const std::uint64_t word : words) {
        total += static_cast<std::uint64_t>(std::popcount(word));
    }
    return total;
}

} // namespace bloomery
