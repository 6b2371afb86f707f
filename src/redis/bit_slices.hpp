// Converts slices of a Redis bitmap to our words and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::inline v0::redis {

/// The bits from `first` on as bytes of Redis, in which the first bit is the highest. Zeros follow
/// after the last word, and from bit `end` on. O(bytes); throws std::bad_alloc.
[[nodiscard]] std::string slice_of(std::span<const std::uint64_t> words, std::uint64_t first,
                                   std::uint64_t end, std::size_t byte_count);

/// Sets the bits of such bytes in our words, from bit `first` on; bits from `end` on are ignored.
/// O(bytes).
void add_slice(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t end,
               std::string_view bytes) noexcept;

} // namespace bloomery::inline v0::redis
