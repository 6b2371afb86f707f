// Java ports of MurmurHash that differ from the original.
//
// A Java byte is signed, and these ports use the bytes of the tail as they are; two of them also
// arrange the tail differently. Filters use them, so each is a separate hash.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/hash/murmur.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

namespace detail {

/// The tail with the sign of each byte carried into the bytes above it.
BLOOMERY_INLINE constexpr std::uint64_t load_signed_tail(const std::byte* from,
                                                         std::size_t count) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
        word ^= sign_extended<std::uint64_t>(from[i]) << (8 * i);
    }
    return word;
}

/// The same with the last byte lowest.
BLOOMERY_INLINE constexpr std::uint64_t load_signed_tail_reversed(const std::byte* from,
                                                                  std::size_t count) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
        word ^= sign_extended<std::uint64_t>(from[count - 1 - i]) << (8 * i);
    }
    return word;
}

} // namespace detail

/// Cassandra's MurmurHash3_x64_128: differs from the original only if the tail (the last size % 16
/// bytes) has a byte of 0x80 or above. O(key).
BLOOMERY_INLINE digest128 murmur3_x64_128_signed(std::span<const std::byte> key,
                                                 std::uint64_t seed = 0) noexcept {
    return detail::murmur3_x64_128_of<detail::load_signed_tail>(key, seed);
}

/// Spark's MurmurHash3_x86_32, which mixes each byte of the tail as if it were a whole block: the
/// same as the original only if the size is a multiple of 4. O(key).
BLOOMERY_INLINE std::uint32_t murmur3_x86_32_spark(std::span<const std::byte> key,
                                                   std::uint32_t seed = 0) noexcept {
    std::uint32_t h = seed;
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 4; left -= 4, at += 4) {
        h = detail::murmur3_step(h, load_le32(at));
    }
    for (; left > 0; --left, ++at) {
        h = detail::murmur3_step(h, sign_extended<std::uint32_t>(*at));
    }
    return fmix32(h ^ static_cast<std::uint32_t>(key.size()));
}

/// Hadoop's MurmurHash2 of 32 bits (Cassandra has it too), which takes the tail from the end.
/// O(key).
BLOOMERY_INLINE std::uint32_t murmur2_32_hadoop(std::span<const std::byte> key,
                                                std::uint32_t seed = 0) noexcept {
    return detail::murmur2_32_of<detail::load_signed_tail_reversed>(key, seed);
}

/// HBase's, which takes the tail in order: differs from MurmurHash2 only if the tail (the last size
/// % 4 bytes) has a byte of 0x80 or above. O(key).
BLOOMERY_INLINE std::uint32_t murmur2_32_hbase(std::span<const std::byte> key,
                                               std::uint32_t seed = 0) noexcept {
    return detail::murmur2_32_of<detail::load_signed_tail>(key, seed);
}

} // namespace bloomery::inline v0::hash
