// Bijections that spread every bit of an integer over the whole word.
//
// An integer key needs no hash over bytes: one of these costs two multiplications and vectorises.
// mix64 and mix128 decide the bits of stored filters and never change.
#pragma once

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

/// The hash of an integer key, a bijection for each seed.
///
/// The seed enters after the first multiplication: in front of it, another seed would merely shift
/// the key space. It is mixed itself, because a flip of its highest bit alone would change but two
/// bits of the result; compilers take that out of a loop. The constant keeps key 0 from being a
/// fixed point under seed 0.
constexpr std::uint64_t mix64(std::uint64_t x, std::uint64_t seed) noexcept {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccd;
    x ^= x >> 33;
    x ^= fmix64(seed ^ 0x9e3779b97f4a7c15);
    x *= 0xc4ceb9fe1a85ec53;
    x ^= x >> 33;
    return x;
}

/// The hash of an integer key in 128 bits. The high word comes from another key and another seed,
/// so that neither word can be told from the other without undoing a mix.
constexpr digest128 mix128(std::uint64_t x, std::uint64_t seed) noexcept {
    return {mix64(x, seed), mix64(x ^ 0xd6e8feb86659fd93, ~seed)};
}

} // namespace bloomery::hash
