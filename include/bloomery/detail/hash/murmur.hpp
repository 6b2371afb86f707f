// The MurmurHash family, which most filters of other systems use.
// These are exactly Appleby's functions, with unsigned tail bytes. Ports that differ from them
// (Spark, Hadoop, Cassandra sign-extend or reverse the tail) are separate hashes: java_murmur.hpp.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

namespace detail {

constexpr std::uint64_t murmur3_low_lane(std::uint64_t k) noexcept {
    return std::rotl(k * 0x87c37b91114253d5, 31) * 0x4cf5ad432745937f;
}

constexpr std::uint64_t murmur3_high_lane(std::uint64_t k) noexcept {
    return std::rotl(k * 0x4cf5ad432745937f, 33) * 0x87c37b91114253d5;
}

constexpr std::uint32_t murmur3_lane(std::uint32_t k) noexcept {
    return std::rotl(k * 0xcc9e2d51, 15) * 0x1b873593;
}

/// The state of MurmurHash3_x86_32 after one more block.
constexpr std::uint32_t murmur3_step(std::uint32_t h, std::uint32_t block) noexcept {
    return std::rotl(h ^ murmur3_lane(block), 13) * 5 + 0xe6546b64;
}

/// MurmurHash3_x64_128 with a tail as `LoadTail` reads it, which is where the ports differ.
template <auto LoadTail>
BLOOMERY_OWN_COPY digest128 murmur3_x64_128_of(std::span<const std::byte> key,
                                               std::uint64_t seed) noexcept {
    std::uint64_t h1 = seed;
    std::uint64_t h2 = seed;
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 16; left -= 16, at += 16) {
        h1 ^= murmur3_low_lane(load_le64(at));
        h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= murmur3_high_lane(load_le64(at + 8));
        h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    if (left > 8) {
        h2 ^= murmur3_high_lane(LoadTail(at + 8, left - 8));
    }
    if (left > 0) {
        h1 ^= murmur3_low_lane(LoadTail(at, left < 8 ? left : 8));
    }
    h1 ^= key.size();
    h2 ^= key.size();
    h1 += h2;
    h2 += h1;
    h1 = fmix64(h1);
    h2 = fmix64(h2);
    h1 += h2;
    h2 += h1;
    return {h1, h2};
}

/// MurmurHash2 of 32 bits with a tail as `LoadTail` reads it.
template <auto LoadTail>
BLOOMERY_OWN_COPY std::uint32_t murmur2_32_of(std::span<const std::byte> key,
                                              std::uint32_t seed) noexcept {
    constexpr std::uint32_t m = 0x5bd1e995;
    std::uint32_t h = seed ^ static_cast<std::uint32_t>(key.size());
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 4; left -= 4, at += 4) {
        std::uint32_t k = load_le32(at) * m;
        k ^= k >> 24;
        h = (h * m) ^ (k * m);
    }
    if (left > 0) {
        h = (h ^ static_cast<std::uint32_t>(LoadTail(at, left))) * m;
    }
    h ^= h >> 13;
    h *= m;
    h ^= h >> 15;
    return h;
}

} // namespace detail

/// MurmurHash3_x64_128, whose h1 is `low` and h2 is `high`. The original takes a 32-bit seed; a
/// wider one initialises both lanes in the same way. O(key).
BLOOMERY_INLINE digest128 murmur3_x64_128(std::span<const std::byte> key,
                                          std::uint64_t seed = 0) noexcept {
    return detail::murmur3_x64_128_of<load_le_tail>(key, seed);
}

/// MurmurHash3_x86_32. O(key).
BLOOMERY_INLINE std::uint32_t murmur3_x86_32(std::span<const std::byte> key,
                                             std::uint32_t seed = 0) noexcept {
    std::uint32_t h = seed;
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 4; left -= 4, at += 4) {
        h = detail::murmur3_step(h, load_le32(at));
    }
    h ^= detail::murmur3_lane(static_cast<std::uint32_t>(load_le_tail(at, left)));
    return fmix32(h ^ static_cast<std::uint32_t>(key.size()));
}

/// MurmurHash64A, the 64-bit MurmurHash2. O(key).
BLOOMERY_INLINE std::uint64_t murmur64a(std::span<const std::byte> key,
                                        std::uint64_t seed = 0) noexcept {
    constexpr std::uint64_t m = 0xc6a4a7935bd1e995;
    std::uint64_t h = seed ^ (key.size() * m);
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 8; left -= 8, at += 8) {
        std::uint64_t k = load_le64(at) * m;
        k ^= k >> 47;
        h = (h ^ (k * m)) * m;
    }
    if (left > 0) {
        h = (h ^ load_le_tail(at, left)) * m;
    }
    h ^= h >> 47;
    h *= m;
    h ^= h >> 47;
    return h;
}

/// MurmurHash2, the 32-bit one. O(key).
BLOOMERY_INLINE std::uint32_t murmur2_32(std::span<const std::byte> key,
                                         std::uint32_t seed = 0) noexcept {
    return detail::murmur2_32_of<load_le_tail>(key, seed);
}

} // namespace bloomery::inline v0::hash
