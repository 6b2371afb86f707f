// XXH3, the default hash of byte keys: fast at every length and frozen since xxHash 0.8.0.
//
// The seed does not protect against an adversary; if someone else chooses the keys, use SipHash.
#pragma once

#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/hash/xxh3_short.hpp>
#include <bloomery/hash/digest.hpp>

// Inlined, because a call into the shared library costs as much as hashing a short key.
#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace bloomery::inline v0::hash {

/// XXH3 in 64 bits.
class xxh3_64 {
public:
    static constexpr hash_id id = hash_id::xxh3_64;
    static constexpr bool is_avalanching = true;

    constexpr xxh3_64() noexcept : xxh3_64(0) {}
    constexpr explicit xxh3_64(std::uint64_t seed) noexcept : xxh3_64(seed, mixed_seed(seed)) {}
    /// With a precomputed `mixed_seed(seed)`.
    constexpr xxh3_64(std::uint64_t seed, std::uint64_t mixed) noexcept
        : seed_(seed), mixed_(mixed) {}

    /// The digest of a byte key. O(key).
    BLOOMERY_INLINE digest64 operator()(std::span<const std::byte> key) const noexcept {
#if defined(__wasm__) && !defined(BLOOMERY_SMALL)
        if (key.size() - 4 <= detail::xxh3_short_most - 4) [[likely]] {
            return {detail::xxh3_short(key.data(), key.size(), seed_)};
        }
        return of_any_size(key);
#elif defined(__wasm__)
        return of_any_size(key);
#else
        return {XXH3_64bits_withSeed(key.data(), key.size(), seed_)};
#endif
    }

#if defined(__wasm__) && !defined(BLOOMERY_SMALL)
    /// Keys of the size that most texts have, for loops of their own.
    static constexpr bool is_usual_size(std::size_t size) noexcept { return size - 17 < 16; }
    BLOOMERY_INLINE digest64 of_usual_size(std::span<const std::byte> key) const noexcept {
        return {detail::xxh3_up_to_32(key.data(), key.size(), seed_)};
    }
#endif

    /// The digest of an integer key: mix64, not XXH3 of its bytes, for speed.
    [[nodiscard]] constexpr digest64 integer(std::uint64_t key) const noexcept {
        return {mix64_with(key, mixed_)};
    }

    [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }
    /// The seed of mix64, which hashes integer keys: bulk calls hash them in vectors.
    [[nodiscard]] constexpr std::optional<std::uint64_t> integer_seed() const noexcept {
        return mixed_;
    }

    friend constexpr bool operator==(xxh3_64, xxh3_64) = default;

private:
#if defined(__wasm__) // once in a module, because it is large
    [[gnu::noinline]] digest64 of_any_size(std::span<const std::byte> key) const noexcept {
        return {XXH3_64bits_withSeed(key.data(), key.size(), seed_)};
    }
#endif

    std::uint64_t seed_;
    std::uint64_t mixed_;
};

/// XXH3 in 128 bits, for more than about a billion keys or a rate below 1e-9.
class xxh3_128 {
public:
    static constexpr hash_id id = hash_id::xxh3_128;
    static constexpr bool is_avalanching = true;

    constexpr xxh3_128() noexcept = default;
    constexpr explicit xxh3_128(std::uint64_t seed) noexcept : seed_(seed) {}

    /// The digest of a byte key. O(key).
    digest128 operator()(std::span<const std::byte> key) const noexcept {
        const XXH128_hash_t hash = XXH3_128bits_withSeed(key.data(), key.size(), seed_);
        return {hash.low64, hash.high64};
    }

    /// The digest of an integer key: mix128, not XXH3 of its bytes, for speed.
    [[nodiscard]] constexpr digest128 integer(std::uint64_t key) const noexcept {
        return mix128(key, seed_);
    }

    [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

    friend constexpr bool operator==(xxh3_128, xxh3_128) = default;

private:
    std::uint64_t seed_ = 0;
};

} // namespace bloomery::inline v0::hash
