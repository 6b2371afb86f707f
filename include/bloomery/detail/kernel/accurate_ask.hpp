// Bulk queries of an accurate filter: eight keys per vector.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kernel/accurate_block.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstdint>

namespace bloomery::inline v0::detail {

/// What up to 64 queries read. Byte i of a word is for position i.
struct accurate_questions {
    alignas(64) std::array<std::uint64_t, 64> block;
    alignas(64) std::array<std::uint64_t, 64> byte; ///< of the block's level 1
    alignas(64) std::array<std::uint64_t, 64> bit;  ///< of that byte, as a mask with one bit set
    std::uint32_t count = 0;
};

/// The two halves of a bulk query: find the bits and, when their memory has arrived, test them.
struct accurate_asker {
    /// May read digests past the last one, up to a multiple of eight, and discards their results.
    void (*prepare)(const digest128* keys, std::uint32_t count, std::uint64_t blocks,
                    const accurate_cut& cut, accurate_questions& into);
    /// Bit i of the result is whether all bits of key i are set.
    std::uint64_t (*answer)(const std::uint64_t* words, const accurate_questions& of);
};

/// The functions of the kernel in use; null if none is faster than single-key queries. O(1).
[[nodiscard]] BLOOMERY_EXPORT const accurate_asker* asker_for(std::uint64_t blocks,
                                                              const accurate_cut& cut) noexcept;

} // namespace bloomery::inline v0::detail
