// How full blocks are, one by one: what the rate of a blocked filter follows from.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::layout {

/// The mean of `rate` over the blocks of an array. O(words).
template <std::size_t BlockWords, class Rate>
[[nodiscard]] double mean_over_blocks(std::span<const std::uint64_t> words, Rate rate) {
    double sum = 0;
    for (std::size_t at = 0; at < words.size(); at += BlockWords) {
        sum += rate(words.subspan(at, BlockWords));
    }
    return sum / (static_cast<double>(words.size()) / BlockWords);
}

/// The share of ones in a block. O(words).
[[nodiscard]] inline double block_fill(std::span<const std::uint64_t> block) noexcept {
    int ones = 0;
    for (const std::uint64_t word : block) {
        ones += std::popcount(word);
    }
    return ones / static_cast<double>(block.size() * 64);
}

/// The product of the shares of ones in each lane of a block. O(words).
template <unsigned LaneBits>
[[nodiscard]] double lanes_fill(std::span<const std::uint64_t> block) noexcept {
    double product = 1;
    for (const std::uint64_t word : block) {
        for (unsigned at = 0; at < 64; at += LaneBits) {
            const std::uint64_t lane = LaneBits == 64 ? word : word >> at & 0xffffffffU;
            product *= std::popcount(lane) / static_cast<double>(LaneBits);
        }
    }
    return product;
}

} // namespace bloomery::layout
