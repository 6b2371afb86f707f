// Unary counters, in levels, in one block of bits.
// Level 1 has one bit per position: a plain Bloom filter. Every 1 owns one bit of the next level,
// in the same order, so a counter of v is a chain of v ones that ends with a 0. Levels follow each
// other without gaps; the bit that the 1 at q owns is then at places + (ones before q), whatever
// its level, and a block is as long as its places and the sum of its counters. To increment a
// counter, set the 0 at the end of its chain and insert a 0 for it; to decrement it, do the
// reverse.
//
// The last 16 bits of a block are its header: the sum of the counters, and in the highest bit
// whether the block is frozen. A block of zeros is empty. A block that runs out of room freezes:
// its counters are dropped and only level 1 is kept, in which bits are only ever set.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/layout/status.hpp>

#include <cstdint>
#include <span>

namespace bloomery::inline v0::detail {

/// How all blocks of a filter are divided.
struct accurate_cut {
    std::uint32_t block_words = 8; ///< 8 or 32
    std::uint32_t places = 0;      ///< bits of level 1
    std::uint32_t hash_count = 0;  ///< at most most_accurate_hashes

    static constexpr std::uint32_t header_bits = 16;
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint32_t usable_bits() const noexcept {
        return 64 * block_words - header_bits;
    }
    /// The largest sum of counters that fits.
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint32_t most() const noexcept {
        return usable_bits() - places;
    }
};

inline constexpr std::uint32_t most_accurate_hashes = 24;

inline constexpr std::uint64_t frozen_bit = std::uint64_t{1} << 63U;

[[nodiscard]] BLOOMERY_INLINE bool is_frozen(const std::uint64_t* block,
                                             const accurate_cut& cut) noexcept {
    return (block[cut.block_words - 1] & frozen_bit) != 0;
}
/// The sum of the counters of a block that is not frozen.
[[nodiscard]] BLOOMERY_INLINE std::uint32_t counter_sum(const std::uint64_t* block,
                                                        const accurate_cut& cut) noexcept {
    return static_cast<std::uint32_t>(block[cut.block_words - 1] >> 48U & 0x7fffU);
}
[[nodiscard]] BLOOMERY_INLINE std::uint64_t bit_at(const std::uint64_t* block,
                                                   std::uint64_t at) noexcept {
    return block[at / 64] >> (at % 64) & 1U;
}

/// The functions that change a block, for one key with its `cut.hash_count` positions. Constant
/// time: one pass over the block.
struct accurate_verbs {
    /// Increments the counter at every position. status::saturated: the block is or became frozen.
    insertion (*insert)(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at);
    /// Decrements the counter at every position. status::saturated: the block is frozen and nothing
    /// changed.
    status (*erase)(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at);
};

/// The functions of the kernel in use for blocks that are divided like this. O(1).
[[nodiscard]] BLOOMERY_EXPORT const accurate_verbs& verbs_for(const accurate_cut& cut) noexcept;

// Whole blocks, position by position. O(places + sum of the counters).

/// The counters of a block that is not frozen; for a frozen one, its level 1.
BLOOMERY_EXPORT void read_counters(const std::uint64_t* block, const accurate_cut& cut,
                                   std::span<std::uint32_t> counters) noexcept;
/// Makes a block, including its header, from counters; freezes it if they do not fit.
BLOOMERY_EXPORT void write_counters(std::uint64_t* block, const accurate_cut& cut,
                                    std::span<const std::uint32_t> counters) noexcept;
/// Drops the counters.
BLOOMERY_EXPORT void freeze(std::uint64_t* block, const accurate_cut& cut) noexcept;
/// Whether the functions above could have made this block. Only such blocks may be passed to them.
[[nodiscard]] BLOOMERY_EXPORT bool is_sound(const std::uint64_t* block,
                                            const accurate_cut& cut) noexcept;
/// The ones of level 1.
[[nodiscard]] BLOOMERY_EXPORT std::uint32_t first_level_ones(const std::uint64_t* block,
                                                             const accurate_cut& cut) noexcept;
/// One counter of a block that is not frozen; for a frozen one, its bit.
[[nodiscard]] BLOOMERY_EXPORT std::uint32_t
counter_at(const std::uint64_t* block, const accurate_cut& cut, std::uint32_t place) noexcept;

} // namespace bloomery::inline v0::detail
