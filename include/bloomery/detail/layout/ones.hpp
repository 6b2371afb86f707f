// Counting bits.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <bit>
#include <cstdint>
#include <span>

namespace bloomery::inline v0 {

/// The number of ones in an array. O(n).
[[nodiscard]] inline std::uint64_t count_ones(std::span<const std::uint64_t> words) noexcept {
    std::uint64_t total = 0;
    for (const std::uint64_t word : words) {
        total += static_cast<std::uint64_t>(std::popcount(word));
    }
    return total;
}

/// The number of ones among the bits [first, last) of an array. O(last - first).
[[nodiscard]] inline std::uint64_t count_ones(std::span<const std::uint64_t> words,
                                              std::uint64_t first, std::uint64_t last) noexcept {
    if (first >= last) {
        return 0;
    }
    const std::uint64_t from = first / 64;
    const std::uint64_t to = (last - 1) / 64;
    const std::uint64_t head = ~std::uint64_t{0} << (first % 64);
    const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (last - 1) % 64);
    if (from == to) {
        return static_cast<std::uint64_t>(std::popcount(words[from] & head & tail));
    }
    return static_cast<std::uint64_t>(std::popcount(words[from] & head) +
                                      std::popcount(words[to] & tail)) +
           count_ones(words.subspan(from + 1, to - from - 1));
}

} // namespace bloomery::inline v0
