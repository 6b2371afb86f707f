// The 32-bit hash of LevelDB's filters, and RocksDB's variant of it.
//
// Both are a shortened MurmurHash1. RocksDB reads the bytes of the tail as signed, so the two
// differ if such a byte is 0x80 or above.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/own_copy.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

/// The seed that both systems use for the keys of a filter.
inline constexpr std::uint32_t leveldb_filter_seed = 0xbc9f1d34;

namespace detail {

template <auto Widen>
BLOOMERY_OWN_COPY std::uint32_t leveldb_hash_of(std::span<const std::byte> key,
                                                std::uint32_t seed) noexcept {
    constexpr std::uint32_t m = 0xc6a4a793;
    std::uint32_t h = seed ^ (static_cast<std::uint32_t>(key.size()) * m);
    const std::byte* at = key.data();
    std::size_t left = key.size();
    for (; left >= 4; left -= 4, at += 4) {
        h = (h + load_le32(at)) * m;
        h ^= h >> 16;
    }
    if (left > 0) {
        for (std::size_t i = 0; i < left; ++i) {
            h += Widen(at[i]) << (8 * i);
        }
        h *= m;
        h ^= h >> 24;
    }
    return h;
}

} // namespace detail

/// LevelDB's Hash. O(key).
BLOOMERY_INLINE std::uint32_t leveldb_hash(std::span<const std::byte> key,
                                           std::uint32_t seed = leveldb_filter_seed) noexcept {
    return detail::leveldb_hash_of<std::to_integer<std::uint32_t>>(key, seed);
}

/// RocksDB's Hash, used by its filters before format_version 5. O(key).
BLOOMERY_INLINE std::uint32_t rocksdb_hash(std::span<const std::byte> key,
                                           std::uint32_t seed = leveldb_filter_seed) noexcept {
    return detail::leveldb_hash_of<sign_extended<std::uint32_t>>(key, seed);
}

} // namespace bloomery::inline v0::hash
