// Which bits a digest has in a block of a split layout: the definition, in plain words.
// The vector forms (kernel/vectors_*.hpp) do the same arithmetic; tests/kernel compares them.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstdint>

namespace bloomery::inline v0::kernel {

/// One word of two lanes of 32 bits: bit 27-31 of `source` chooses the low lane's bit, 59-63 the
/// high one's.
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t pair(std::uint64_t source) noexcept {
    return (std::uint64_t{1} << (source >> 27U & 31U)) |
           (std::uint64_t{1} << 32U << (source >> 59U));
}

/// Word j of the bits that a digest's high word has in a block of that layout: the definition.
///
///   split_8x32    4 words: word j is pair(high << 5 j)
///   split_8x64    8 words: word j is the bit of the six top bits of high << 6 j
///   split_16x32   8 words: word 2 j is pair(high << 5 j), word 2 j + 1 pair(high * step << 5 j)
template <layout_kind Kind>
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t split_word(std::uint64_t high,
                                                            unsigned j) noexcept {
    if constexpr (Kind == layout_kind::split_8x64) {
        return std::uint64_t{1} << (high << (6 * j) >> 58U);
    } else if constexpr (Kind == layout_kind::split_8x32) {
        return pair(high << (5 * j));
    } else {
        return pair((j % 2 == 0 ? high : high * digest_step) << (5 * (j / 2)));
    }
}

/// All of them.
template <layout_kind Kind>
BLOOMERY_INLINE constexpr std::array<std::uint64_t, plan::facts_of(Kind).block_bits / 64>
split_words(std::uint64_t high) noexcept {
    std::array<std::uint64_t, plan::facts_of(Kind).block_bits / 64> words{};
    for (unsigned j = 0; j < words.size(); ++j) {
        words[j] = split_word<Kind>(high, j);
    }
    return words;
}

} // namespace bloomery::inline v0::kernel
