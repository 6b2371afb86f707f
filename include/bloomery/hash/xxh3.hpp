// XXH3, the default hash of byte keys: fast at every length and frozen since xxHash 0.8.0.
//
// The seed is no secret that holds against an adversary; for keys that someone else picks take
// SipHash.
#pragma once

#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/hash_id.hpp>
#include <bloomery/hash/mix.hpp>

// Inlined, because a call through the shared library costs as much as a short key.
#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::hash {

/// XXH3 in 64 bits.
struct xxh3_64 {
    static constexpr hash_id id = hash_id::xxh3_64;
    static constexpr bool is_avalanching = true;

    std::uint64_t seed = 0;

    /// The digest of a byte key. O(key).
    digest64 operator()(std::span<const std::byte> key) const noexcept {
        return {XXH3_64bits_withSeed(key.data(), key.size(), seed)};
    }

    /// The digest of an integer key: mix64, not XXH3 of its bytes, for speed.
    [[nodiscard]] constexpr digest64 integer(std::uint64_t key) const noexcept {
        return {mix64(key, seed)};
    }

    friend constexpr bool operator==(xxh3_64, xxh3_64) = default;
};

/// XXH3 in 128 bits, for more than about a billion keys or a rate below 1e-9.
struct xxh3_128 {
    static constexpr hash_id id = hash_id::xxh3_128;
    static constexpr bool is_avalanching = true;

    std::uint64_t seed = 0;

    /// The digest of a byte key. O(key).
    digest128 operator()(std::span<const std::byte> key) const noexcept {
        const XXH128_hash_t hash = XXH3_128bits_withSeed(key.data(), key.size(), seed);
        return {hash.low64, hash.high64};
    }

    /// The digest of an integer key: mix128, not XXH3 of its bytes, for speed.
    [[nodiscard]] constexpr digest128 integer(std::uint64_t key) const noexcept {
        return mix128(key, seed);
    }

    friend constexpr bool operator==(xxh3_128, xxh3_128) = default;
};

} // namespace bloomery::hash
