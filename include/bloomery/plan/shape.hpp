// The size of a filter: what sizing computes and what a filter is built from.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::inline v0::plan {

/// The largest array that sizing returns. It keeps byte counts, word counts and signed offsets in
/// all parts of the library clear of overflow.
inline constexpr std::uint64_t max_bit_count = std::uint64_t{1} << 63U;

/// A layout with its number of bits and probes. `bit_count` is a multiple of the layout's block
/// size.
struct shape {
    layout_kind layout = layout_kind::classic;
    std::uint64_t bit_count = 0;
    std::uint32_t hash_count = 0;

    /// The memory of the array, in whole 64-bit words. O(1), never throws.
    [[nodiscard]] constexpr std::uint64_t byte_count() const noexcept {
        return (bit_count / 64 + (bit_count % 64 != 0 ? 1 : 0)) * 8;
    }
    /// The number of blocks; the number of bits for the classic layout. O(1).
    [[nodiscard]] constexpr std::uint64_t block_count() const {
        return bit_count / facts_of(layout).block_bits;
    }
    friend constexpr bool operator==(const shape&, const shape&) = default;
};

/// Throws `bad_argument` for an invalid shape: zero bits, k outside 1..64 (1..65535 for the classic
/// layout, because of other libraries' filters), a partial block, or a k that a split layout does
/// not support. O(1).
BLOOMERY_EXPORT void check(const shape& of);

} // namespace bloomery::inline v0::plan
