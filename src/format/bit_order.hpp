// Converts bit arrays of other systems to words and back: our bit i is bit i % 64 of word i / 64.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/storage/words.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::inline v0::format {

/// The position of bit i in an array of bytes.
enum class bit_order {
    words_be,  ///< 64-bit words, big-endian: Java's and Go's long[]
    bytes_lsb, ///< byte i / 8, the lowest bit first: BitSet.toByteArray, and words little-endian
    bytes_msb, ///< byte i / 8, the highest bit first: Redis
};

/// The number of units of the given size needed to hold a number of things, rounded up. Never
/// overflows.
[[nodiscard]] constexpr std::uint64_t units_for(std::uint64_t count,
                                                std::uint64_t in_each) noexcept {
    return count / in_each + (count % in_each != 0 ? 1 : 0);
}
[[nodiscard]] constexpr std::uint64_t words_for(std::uint64_t bit_count) noexcept {
    return units_for(bit_count, 64);
}
[[nodiscard]] constexpr std::uint64_t bytes_for(std::uint64_t bit_count) noexcept {
    return units_for(bit_count, 8);
}

/// That many words, from bytes that may be fewer (the rest is zero) but not more, and must be whole
/// words if big-endian: the caller checks lengths first. O(words). Throws memory_refused.
[[nodiscard]] storage::heap_words<> words_from(byte_view bytes, bit_order order,
                                               std::uint64_t word_count);

/// The first `byte_count` bytes of an array of words, which has at least as many. O(bytes); throws
/// std::bad_alloc.
[[nodiscard]] std::vector<std::byte> bytes_from(std::span<const std::uint64_t> words,
                                                bit_order order, std::uint64_t byte_count);

/// Writes the same bytes in pieces, so that a large array is not held twice. O(bytes). Throws
/// std::bad_alloc and what the consumer throws.
void write_array(std::span<const std::uint64_t> words, bit_order order, std::uint64_t byte_count,
                 const byte_consumer& write);

/// The number of bits up to the last set one. O(words).
[[nodiscard]] std::uint64_t used_bits(std::span<const std::uint64_t> words) noexcept;
/// The same in bytes: the length of BitSet.toByteArray and of a Redis string.
[[nodiscard]] inline std::uint64_t used_bytes(std::span<const std::uint64_t> words) noexcept {
    return bytes_for(used_bits(words));
}

} // namespace bloomery::inline v0::format
