// Functions that spread every bit of an integer over the whole word.
//
// An integer key needs no hash over bytes: mix64 costs two multiplications, which vectorise.
// mix64 and mix128 decide the bits of stored filters and never change.
#pragma once

#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

namespace bloomery::hash {

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

/// What a seed adds to mix64. It is mixed, because a flip of one bit of the seed should change the
/// whole digest; a hash keeps the result, so that a key does not pay for it.
constexpr std::uint64_t mixed_seed(std::uint64_t seed) noexcept {
    return fmix64(seed ^ digest_step);
}

/// The hash of an integer key, with a seed that went through `mixed_seed`.
///
/// The full 128-bit product, folded, brings the high bits of the key down as well as the low ones
/// up; the second multiplication brings all of them to the high bits, which is where layouts look
/// first. The seed enters between the two: in front, another seed would merely shift the key space.
/// fmix64 does the same with three more steps, which cost a quarter of a lookup; one multiplication
/// less shows in the rate of keys that are multiples of something (tests/stats/structured_keys).
/// Two keys may meet, with the chance of any two 64-bit hashes.
BLOOMERY_INLINE constexpr std::uint64_t mix64_with(std::uint64_t x, std::uint64_t mixed) noexcept {
    const product128 product = multiply_wide(in_register(x), detail::fold_factor);
    return (product.low ^ product.high ^ mixed) * detail::spread_factor;
}

/// The hash of an integer key.
constexpr std::uint64_t mix64(std::uint64_t x, std::uint64_t seed) noexcept {
    return mix64_with(x, mixed_seed(seed));
}

/// The hash of an integer key in 128 bits. The high word comes from another key and another seed,
/// so that neither word can be told from the other without undoing a mix.
constexpr digest128 mix128(std::uint64_t x, std::uint64_t seed) noexcept {
    return {mix64(x, seed), mix64(x ^ 0xd6e8feb86659fd93, ~seed)};
}

} // namespace bloomery::hash
