// Slices of a bitmap of Redis, and the same bits in words of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::redis {

/// The bits from `first` on, as so many bytes of Redis, in which the first bit is the highest. Past
/// the last word come zeros, and so do bits from `end` on. O(bytes); throws std::bad_alloc.
[[nodiscard]] std::string slice_of(std::span<const std::uint64_t> words, std::uint64_t first,
                                   std::uint64_t end, std::size_t byte_count);

/// Sets in our words, from the bit `first` on, the bits of such bytes; those from `end` on are left
/// out. O(bytes).
void add_slice(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t end,
               std::string_view bytes) noexcept;

} // namespace bloomery::redis
