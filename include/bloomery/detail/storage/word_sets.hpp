// Arrays of words as sets of bits.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::storage {

/// Sets all words to 0. O(n).
BLOOMERY_EXPORT void clear(std::uint64_t* words, std::size_t count) noexcept;

/// `into`, which has as many words as `other`, becomes the union or the intersection. O(n).
BLOOMERY_EXPORT void unite(std::uint64_t* into, std::span<const std::uint64_t> other) noexcept;
BLOOMERY_EXPORT void intersect(std::uint64_t* into, std::span<const std::uint64_t> other) noexcept;

/// Joins every `factor` neighbouring blocks of so many words, or every `factor` neighbouring bits,
/// to one in `into`, which is all zero. O(n).
BLOOMERY_EXPORT void fold_blocks(std::span<const std::uint64_t> words, std::size_t block_words,
                                 std::uint64_t factor, std::uint64_t* into) noexcept;
BLOOMERY_EXPORT void fold_bits(std::span<const std::uint64_t> words, std::uint64_t factor,
                               std::uint64_t* into) noexcept;

/// Whether two arrays have the same words. O(n).
[[nodiscard]] BLOOMERY_EXPORT bool equal(std::span<const std::uint64_t> a,
                                         std::span<const std::uint64_t> b) noexcept;

} // namespace bloomery::inline v0::storage
