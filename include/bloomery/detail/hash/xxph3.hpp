// The preview of XXH3 that RocksDB keeps under the name XXPH3.
//
// RocksDB's filters were frozen before XXH3 was: this is XXH3 as of xxHash 0.7.2, whose results
// have nothing in common with today's.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

/// XXPH3 in 64 bits: the hash of RocksDB's filters from format_version 5 on, there with seed 0.
/// O(key).
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t xxph3_64(std::span<const std::byte> key,
                                                     std::uint64_t seed = 0) noexcept;

} // namespace bloomery::inline v0::hash
