// Functions that spread every bit of an integer over the whole word.
//
// An integer key needs no hash over bytes: mix64 costs two multiplications, which vectorise.
// mix64 and mix128 determine the bits of stored filters and never change.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

namespace bloomery::inline v0::hash {

/// The finaliser of MurmurHash3's 64-bit half. A bijection; 0 maps to 0.
constexpr std::uint64_t fmix64(std::uint64_t x) noexcept {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccd;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53;
    x ^= x >> 33;
    return x;
}

/// The finaliser of MurmurHash3's 32-bit half. A bijection; 0 maps to 0.
constexpr std::uint32_t fmix32(std::uint32_t x) noexcept {
    x ^= x >> 16;
    x *= 0x85ebca6b;
    x ^= x >> 13;
    x *= 0xc2b2ae35;
    x ^= x >> 16;
    return x;
}

namespace detail {

/// The odd constants of mix64.
inline constexpr std::uint64_t fold_factor = 0xd6e8feb86659fd93;
inline constexpr std::uint64_t spread_factor = 0xbf58476d1ce4e5b9;

} // namespace detail

/// What a seed adds to mix64. It is mixed, because flipping one bit of the seed should change the
/// whole digest; a hash keeps the result, so that this is not done for every key.
constexpr std::uint64_t mixed_seed(std::uint64_t seed) noexcept {
    return fmix64(seed ^ digest_step);
}

/// The hash of an integer key, with a seed that went through `mixed_seed`.
///
/// The full 128-bit product, folded, brings the high bits of the key down as well as the low ones
/// up; the second multiplication brings all of them to the high bits, which layouts use first. The
/// seed is added between the two: before the first, another seed would merely shift the key space.
/// fmix64 does the same with three more steps, which cost a quarter of a lookup; with one
/// multiplication less, the rate suffers for keys that are multiples of a number
/// (tests/stats/structured_keys). Two keys may collide, with the probability of any two 64-bit
/// hashes.
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t mix64_with(std::uint64_t x,
                                                            std::uint64_t mixed) noexcept {
    const product128 product = multiply_wide(in_register(x), detail::fold_factor);
    return (product.low ^ product.high ^ mixed) * detail::spread_factor;
}

/// The hash of an integer key.
constexpr std::uint64_t mix64(std::uint64_t x, std::uint64_t seed) noexcept {
    return mix64_with(x, mixed_seed(seed));
}

/// mix128 with `mixed_seed(seed)` and `mixed_seed(~seed)`.
BLOOMERY_INLINE_ANYWHERE constexpr digest128 mix128_with(std::uint64_t x, std::uint64_t mixed,
                                                         std::uint64_t mixed_other) noexcept {
    return {mix64_with(x, mixed), mix64_with(x ^ detail::fold_factor, mixed_other)};
}

/// The hash of an integer key in 128 bits. The high word comes from another key and another seed,
/// so that neither word can be computed from the other without inverting a mix.
constexpr digest128 mix128(std::uint64_t x, std::uint64_t seed) noexcept {
    return mix128_with(x, mixed_seed(seed), mixed_seed(~seed));
}

/// What part `number` of a filter of many parts takes for a key: the key is hashed once, and yet a
/// key on which one part errs is like any other to the next. Part 0 takes the digest as it is.
/// Decides the bits of stored filters and never changes. O(1).
BLOOMERY_INLINE constexpr digest128 digest_for_part(digest128 key, std::uint64_t number) noexcept {
    if (number == 0) {
        return key;
    }
    const std::uint64_t salt = number * digest_step;
    return {fmix64(key.low ^ salt), fmix64(key.high ^ salt)};
}

} // namespace bloomery::inline v0::hash
