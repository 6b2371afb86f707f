// The bits of a key in a block of a split layout, in code for GPUs and for processors.
//
// kernel/split_bits.hpp defines them, as words of 64 bits. Fast memory on a GPU has atomic
// operations on 32 bits, so a block is also given as those, one for each bit of the key.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/kernel/split_bits.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

namespace bloomery::inline v0::gpu::detail {

/// One bit of a key: in which 32-bit word of its block, and which bit of that.
struct place32 {
    std::uint32_t word;
    std::uint32_t mask;
};

template <layout_kind Kind>
struct block {
    static constexpr unsigned words = plan::facts_of(Kind).block_bits / 64;
    static constexpr unsigned bits = plan::facts_of(Kind).fixed_hashes; ///< of each key

    /// The first word of the block of a digest, in an array of that many blocks.
    BLOOMERY_INLINE_ANYWHERE static constexpr std::uint64_t first(std::uint64_t low,
                                                                  std::uint64_t blocks) noexcept {
        return hash::fastrange(low, blocks) * words;
    }

    /// Word j of the block, with only the bits of a digest.
    BLOOMERY_INLINE_ANYWHERE static constexpr std::uint64_t word(std::uint64_t high,
                                                                 unsigned j) noexcept {
        return kernel::split_word<Kind>(high, j);
    }

    /// Bit i of a digest, 0 <= i < bits.
    BLOOMERY_INLINE_ANYWHERE static constexpr place32 place(std::uint64_t high,
                                                            unsigned i) noexcept {
        if constexpr (Kind == layout_kind::split_8x64) {
            const auto bit = static_cast<std::uint32_t>(high >> (58 - 6 * i)) & 63U;
            return {2 * i + (bit >> 5U), std::uint32_t{1} << (bit & 31U)};
        } else {
            const bool stepped = Kind == layout_kind::split_16x32 && (i & 2U) != 0;
            const unsigned step = Kind == layout_kind::split_16x32 ? i >> 2U : i >> 1U;
            const unsigned shift = ((i & 1U) != 0 ? 59U : 27U) - 5 * step;
            const std::uint64_t source = stepped ? high * digest_step : high;
            return {i, std::uint32_t{1} << (static_cast<std::uint32_t>(source >> shift) & 31U)};
        }
    }
};

/// Calls `with` with the block of a layout, which must be a split one.
template <class With>
decltype(auto) with_block(layout_kind kind, With&& with) {
    switch (kind) {
    case layout_kind::split_8x32:
        return with(block<layout_kind::split_8x32>{});
    case layout_kind::split_16x32:
        return with(block<layout_kind::split_16x32>{});
    default:
        return with(block<layout_kind::split_8x64>{});
    }
}

/// How integers become digests: what a GPU needs of a hash.
struct mixer {
    std::uint64_t seed = 0;
    std::uint64_t mixed = 0;      ///< mixed_seed(seed)
    std::uint64_t mixed_high = 0; ///< mixed_seed(~seed), for wide digests
    bool wide = false;            ///< digests of 128 bits

    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE std::uint64_t low(std::uint64_t key) const noexcept {
        return hash::mix64_with(key, mixed);
    }
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE digest128 operator()(std::uint64_t key) const noexcept {
        if (wide) {
            return hash::mix128_with(key, mixed, mixed_high);
        }
        const std::uint64_t first = low(key);
        return {first, first * digest_step};
    }
};

} // namespace bloomery::inline v0::gpu::detail
