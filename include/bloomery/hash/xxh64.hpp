// XXH64, the hash of Parquet's and DataSketches' filters.
#pragma once

#include <bloomery/cxx20.hpp>

// Inlined, as in xxh3.hpp: one program cannot have both kinds.
#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::hash {

/// XXH64. O(key).
inline std::uint64_t xxh64(std::span<const std::byte> key, std::uint64_t seed = 0) noexcept {
    const void* const bytes =
        key.data(); // of an empty span it may be null, which XXH64 does not like
    return XXH64(bytes == nullptr ? "" : bytes, key.size(), seed);
}

} // namespace bloomery::hash
