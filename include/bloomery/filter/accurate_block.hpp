// Counters in unary, level over level, in one block of bits.
//
// Level 1 is a bit for each place: a plain Bloom filter. Every 1 owns one bit of the next level, in
// the same order, so a counter of v is a chain of v ones that ends with a 0. Levels follow each
// other without gaps; the bit that the 1 at q owns is then at places + (ones before q), whatever
// its level, and a block is as long as its places and the sum of its counters. To count up is to
// set the 0 at the end of a chain and to insert a 0 for it; to count down is the reverse.
//
// The last 16 bits of a block are its header: the sum of the counters, and in the highest bit
// whether the block is frozen. A block of zeros is an empty one. A block that runs out of room
// freezes: its counters are given up and level 1 alone is kept, to which bits are only added.
#pragma once

#include <bloomery/hash/bits.hpp>
#include <bloomery/layout/status.hpp>

#include <cstdint>
#include <span>

namespace bloomery::detail {

/// How all blocks of a filter are cut.
struct accurate_cut {
    std::uint32_t block_words = 8; ///< 8 or 32
    std::uint32_t places = 0;      ///< bits of level 1
    std::uint32_t hash_count = 0;  ///< at most most_accurate_hashes

    static constexpr std::uint32_t header_bits = 16;
    [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept {
        return 64 * block_words - header_bits;
    }
    /// The largest sum of counters that fits.
    [[nodiscard]] constexpr std::uint32_t most() const noexcept { return usable_bits() - places; }
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

/// What changes a block, for one key with its `cut.hash_count` places. Constant time: a pass over
/// the block.
struct accurate_verbs {
    /// Counts every place up. status::saturated: the block is or became frozen.
    insertion (*insert)(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at);
    /// Counts every place down. status::saturated: the block is frozen and nothing changed.
    status (*erase)(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at);
};

/// What the verbs ask of the processor. The bits are the same.
enum class accurate_path : std::uint8_t {
    plain,      ///< every one
    counting,   ///< x86-64 that counts ones
    depositing, ///< x86-64 that also moves bits apart and together, and fast
    registers   ///< x86-64 that also has a block of 512 bits in one register
};

/// The last of them that is for this processor. O(1).
[[nodiscard]] accurate_path best_path() noexcept;

/// The verbs for blocks that are cut so. O(1). The path must be for this processor.
[[nodiscard]] const accurate_verbs& verbs_for(const accurate_cut& cut,
                                              accurate_path path = best_path()) noexcept;

// Whole blocks, place by place. O(places + sum of the counters).

/// The counters of a block that is not frozen; of a frozen one, its level 1.
void read_counters(const std::uint64_t* block, const accurate_cut& cut,
                   std::span<std::uint32_t> counters) noexcept;
/// Makes a block, its header too, of counters; freezes it when they do not fit.
void write_counters(std::uint64_t* block, const accurate_cut& cut,
                    std::span<const std::uint32_t> counters) noexcept;
/// Gives the counters up.
void freeze(std::uint64_t* block, const accurate_cut& cut) noexcept;
/// Whether a block is one that the verbs could have made. Only such a block may be given to them.
[[nodiscard]] bool is_sound(const std::uint64_t* block, const accurate_cut& cut) noexcept;
/// The ones of level 1.
[[nodiscard]] std::uint32_t first_level_ones(const std::uint64_t* block,
                                             const accurate_cut& cut) noexcept;
/// One counter of a block that is not frozen; of a frozen one, its bit.
[[nodiscard]] std::uint32_t counter_at(const std::uint64_t* block, const accurate_cut& cut,
                                       std::uint32_t place) noexcept;

} // namespace bloomery::detail
