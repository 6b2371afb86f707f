// FNV-1 and FNV-1a, byte by byte. Slow and weak compared with XXH3, but many existing filters use
// them.
// The two differ only in the order of their steps: FNV-1 multiplies first, FNV-1a last.
#pragma once

#include <bloomery/detail/cxx20.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/own_copy.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

/// The offset bases that the authors chose. Some filters start elsewhere to get several hashes.
inline constexpr std::uint32_t fnv_start_32 = 0x811c9dc5;
inline constexpr std::uint64_t fnv_start_64 = 0xcbf29ce484222325;

namespace detail {

inline constexpr std::uint32_t fnv_prime_32 = 0x01000193;
inline constexpr std::uint64_t fnv_prime_64 = 0x00000100000001b3;

template <class Word>
BLOOMERY_OWN_COPY constexpr Word fnv1(std::span<const std::byte> key, Word start,
                                      Word prime) noexcept {
    for (const std::byte unit : key) {
        start = (start * prime) ^ std::to_integer<Word>(unit);
    }
    return start;
}

template <class Word>
BLOOMERY_OWN_COPY constexpr Word fnv1a(std::span<const std::byte> key, Word start,
                                       Word prime) noexcept {
    for (const std::byte unit : key) {
        start = (start ^ std::to_integer<Word>(unit)) * prime;
    }
    return start;
}

} // namespace detail

/// FNV-1 in 32 bits. O(key).
BLOOMERY_INLINE constexpr std::uint32_t fnv1_32(std::span<const std::byte> key,
                                                std::uint32_t start = fnv_start_32) noexcept {
    return detail::fnv1(key, start, detail::fnv_prime_32);
}

/// FNV-1a in 32 bits. O(key).
BLOOMERY_INLINE constexpr std::uint32_t fnv1a_32(std::span<const std::byte> key,
                                                 std::uint32_t start = fnv_start_32) noexcept {
    return detail::fnv1a(key, start, detail::fnv_prime_32);
}

/// FNV-1 in 64 bits. O(key).
BLOOMERY_INLINE constexpr std::uint64_t fnv1_64(std::span<const std::byte> key,
                                                std::uint64_t start = fnv_start_64) noexcept {
    return detail::fnv1(key, start, detail::fnv_prime_64);
}

/// FNV-1a in 64 bits. O(key).
BLOOMERY_INLINE constexpr std::uint64_t fnv1a_64(std::span<const std::byte> key,
                                                 std::uint64_t start = fnv_start_64) noexcept {
    return detail::fnv1a(key, start, detail::fnv_prime_64);
}

} // namespace bloomery::inline v0::hash
