// XXH64, the hash of Parquet's and DataSketches' filters.
#pragma once

#include <bloomery/detail/cxx20.hpp>
#include <bloomery/detail/hash/bits.hpp>

// Inlined, as in xxh3.hpp: one program cannot have both kinds.
#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

/// XXH64. O(key).
BLOOMERY_INLINE std::uint64_t xxh64(std::span<const std::byte> key,
                                    std::uint64_t seed = 0) noexcept {
    const void* const bytes =
        key.data(); // may be null for an empty span, which XXH64 does not allow
    return XXH64(bytes == nullptr ? "" : bytes, key.size(), seed);
}

} // namespace bloomery::inline v0::hash
