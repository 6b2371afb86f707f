// Collisions of digests, which no size prevents: two keys with one digest are one key to a filter.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::inline v0::plan {

/// The bits of the digests of a native filter for n keys at the rate p (0: unknown): 128 above a
/// billion keys or below 1e-9, where collisions of 64 bits would be noticeable.
[[nodiscard]] constexpr std::uint32_t digest_bits_for(items n, rate p) noexcept {
    return n.value > 1'000'000'000 || (p.value > 0 && p.value < 1e-9) ? 128 : 64;
}

/// The probability that an absent key has the digest of one of n keys: n / 2^bits, at most 1. O(1).
[[nodiscard]] BLOOMERY_EXPORT double collision_rate(double n, std::uint32_t digest_bits) noexcept;

/// The rate of a filter whose probes have the rate `expected_rate`, including digest collisions:
/// 1 - (1 - expected_rate) (1 - n / 2^bits). For digests of 0 bits, which means that their width is
/// not known, `expected_rate` itself. O(1).
[[nodiscard]] BLOOMERY_EXPORT double with_collisions(double expected_rate, double n,
                                                     std::uint32_t digest_bits) noexcept;

/// The lowest rate of a filter of n keys: that of the collisions of 128 bits. O(1).
[[nodiscard]] BLOOMERY_EXPORT double least_rate(items n) noexcept;

} // namespace bloomery::inline v0::plan
