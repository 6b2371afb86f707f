// Arrays of words taken as sets of bits.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::storage {

/// Makes all words 0. O(n).
void clear(std::uint64_t* words, std::size_t count) noexcept;

/// `into`, which has as many words as `other`, becomes the union or the intersection. O(n).
void unite(std::uint64_t* into, std::span<const std::uint64_t> other) noexcept;
void intersect(std::uint64_t* into, std::span<const std::uint64_t> other) noexcept;

/// Whether two arrays have the same words. O(n).
[[nodiscard]] bool equal(std::span<const std::uint64_t> a,
                         std::span<const std::uint64_t> b) noexcept;

} // namespace bloomery::storage
