// Many questions to an accurate filter at once: eight keys in a vector.
#pragma once

#include <bloomery/filter/accurate_block.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstdint>

namespace bloomery::detail {

/// What up to 64 keys look at. Byte i of a word is for place i.
struct accurate_questions {
    alignas(64) std::array<std::uint64_t, 64> block;
    alignas(64) std::array<std::uint64_t, 64> byte; ///< of the block's level 1
    alignas(64) std::array<std::uint64_t, 64> bit;  ///< of that byte, the one bit that is set here
    std::uint32_t count = 0;
};

/// The two halves of a bulk question: find the bits, and, when their memory has come, test them.
struct accurate_asker {
    /// May read digests past the last up to a multiple of eight, and drops what comes of them.
    void (*prepare)(const digest128* keys, std::uint32_t count, std::uint64_t blocks,
                    const accurate_cut& cut, accurate_questions& into);
    /// Bit i of the result tells whether all bits of key i are set.
    std::uint64_t (*answer)(const std::uint64_t* words, const accurate_questions& of);
};

/// The one for this processor; null if none beats asking for one key after the other. O(1).
[[nodiscard]] const accurate_asker* asker_for(std::uint64_t blocks,
                                              const accurate_cut& cut) noexcept;

} // namespace bloomery::detail
