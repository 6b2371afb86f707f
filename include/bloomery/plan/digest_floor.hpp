// What no size can mend: two keys of one digest are one key to a filter.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::plan {

/// The bits of the digests of a native filter that is made for n keys at the rate p (0: nobody
/// said): 128 past a billion keys or below 1e-9, where collisions of 64 bits would show.
[[nodiscard]] constexpr std::uint32_t digest_bits_for(items n, rate p) noexcept {
    return n.value > 1'000'000'000 || (p.value > 0 && p.value < 1e-9) ? 128 : 64;
}

/// The chance that an absent key has the digest of one of n keys: n / 2^bits, at most 1. O(1).
[[nodiscard]] double collision_rate(double n, std::uint32_t digest_bits) noexcept;

/// The rate of a filter whose probes err at the rate `fpp`, digests included:
/// 1 - (1 - fpp) (1 - n / 2^bits). For digests of 0 bits, which means that their width is not
/// known, `fpp` itself. O(1).
[[nodiscard]] double with_collisions(double fpp, double n, std::uint32_t digest_bits) noexcept;

/// The rate that no filter of n keys goes below: that of the collisions of 128 bits. O(1).
[[nodiscard]] double least_fpp(items n) noexcept;

} // namespace bloomery::plan
