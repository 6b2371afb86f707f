// A view of a block of unary counters for an update: which bits belong to its ones, and where
// chains end.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/accurate_block.hpp>

#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

using detail::accurate_cut;
using detail::bit_at;
using detail::most_accurate_hashes;

/// Ones of a word. Without -mpopcnt the compiler would call a function.
BLOOMERY_INLINE std::uint32_t ones(std::uint64_t word) noexcept {
#if defined(__x86_64__) && !defined(__POPCNT__)
    word -= word >> 1U & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
    word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
    return static_cast<std::uint32_t>(word * 0x0101010101010101U >> 56U);
#else
    return static_cast<std::uint32_t>(__builtin_popcountll(word));
#endif
}

/// The bits below a place of a word.
BLOOMERY_INLINE std::uint64_t below(std::uint32_t at) noexcept {
    return (std::uint64_t{1} << at % 64) - 1;
}

/// A block, and where the ones of its words begin to own bits.
template <std::uint32_t Words>
struct view {
    std::uint64_t* word;
    std::uint32_t owned_from[Words]; ///< places, and the ones of the words before

    BLOOMERY_INLINE view(std::uint64_t* block, std::uint32_t places) noexcept : word(block) {
        std::uint32_t sum = places;
        for (std::uint32_t i = 0; i < Words; ++i) {
            owned_from[i] = sum;
            sum += ones(word[i]); // the last word's, with the header, are not used
        }
    }
    [[nodiscard]] BLOOMERY_INLINE std::uint32_t bit(std::uint32_t at) const noexcept {
        return static_cast<std::uint32_t>(bit_at(word, at));
    }
    /// The bit that the 1 at a place owns, or would.
    [[nodiscard]] BLOOMERY_INLINE std::uint32_t child(std::uint32_t at) const noexcept {
        return link_at(at).child;
    }
    /// A bit, and the one that it owns, or would.
    struct link {
        std::uint32_t set;
        std::uint32_t child;
    };
    [[nodiscard]] BLOOMERY_INLINE link link_at(std::uint32_t at) const noexcept {
        const std::uint64_t here = word[at / 64];
        return {static_cast<std::uint32_t>(here >> at % 64 & 1U),
                owned_from[at / 64] + ones(here & below(at))};
    }
    BLOOMERY_INLINE void flip(std::uint32_t at) noexcept {
        word[at / 64] ^= std::uint64_t{1} << at % 64;
    }
    // Bits move only while the header is taken off.
    BLOOMERY_INLINE void take_header() noexcept { word[Words - 1] &= ~(~std::uint64_t{0} << 48U); }
    BLOOMERY_INLINE void put_header(std::uint64_t sum) noexcept { word[Words - 1] |= sum << 48U; }
    /// Moves the bits from a place on by one and makes it 0.
    BLOOMERY_INLINE void open(std::uint32_t at) noexcept {
        std::uint32_t i = at / 64;
        const std::uint64_t moved = word[i] & ~below(at);
        word[i] += moved;
        for (std::uint64_t carry = moved >> 63U; ++i < Words;) {
            const std::uint64_t top = word[i] >> 63U;
            word[i] = word[i] << 1U | carry;
            carry = top;
        }
    }
    /// The reverse: takes out a bit that is 0.
    BLOOMERY_INLINE void close(std::uint32_t at) noexcept {
        std::uint32_t i = at / 64;
        const std::uint64_t moved = word[i] & ~below(at);
        word[i] -= moved - (moved >> 1U);
        for (; i + 1 < Words; ++i) {
            word[i] |= word[i + 1] << 63U;
            word[i + 1] >>= 1U;
        }
    }
};

/// Where each chain of a key ends: the bit to flip, and the one that it owns.
struct chain_ends {
    std::uint32_t last[most_accurate_hashes];
    std::uint32_t owned[most_accurate_hashes];

    /// Whether two are the same chain: the key has a place twice.
    [[nodiscard]] BLOOMERY_INLINE bool repeated(std::uint32_t k) const noexcept {
        bool found = false;
        for (std::uint32_t i = 1; i < k; ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                found |= last[j] == last[i];
            }
        }
        return found;
    }
    /// How many of all chains will have a bit inserted before that of chain i: those that own a bit
    /// below, and of those that own the same, the ones before.
    [[nodiscard]] BLOOMERY_INLINE std::uint32_t order_of(std::uint32_t i,
                                                         std::uint32_t k) const noexcept {
        std::uint32_t found = below_of(i);
        for (std::uint32_t j = i + 1; j < k; ++j) {
            found += owned[j] < owned[i] ? 1U : 0U;
        }
        return found;
    }
    /// How many of the chains before own a bit below that of chain i: as many bits were inserted
    /// there, or taken out, when its turn comes. Chains own the same bit if neither has it yet.
    [[nodiscard]] BLOOMERY_INLINE std::uint32_t below_of(std::uint32_t i) const noexcept {
        std::uint32_t found = 0;
        for (std::uint32_t j = 0; j < i; ++j) {
            found += owned[j] <= owned[i] ? 1U : 0U;
        }
        return found;
    }
};

/// `if_set` if the bit is, else `if_not`, without a branch that the processor would guess.
BLOOMERY_INLINE std::uint32_t chosen(std::uint32_t bit, std::uint32_t if_set,
                                     std::uint32_t if_not) noexcept {
    return if_not ^ ((if_not ^ if_set) & (0U - bit));
}

/// Goes on to the ends of the chains whose bits in `tested`, one of the arrays of `of`, are set.
template <std::uint32_t Words>
BLOOMERY_INLINE void follow(const view<Words>& block, std::uint32_t k, chain_ends& of,
                            const std::uint32_t* tested) noexcept {
    for (std::uint32_t i = 0; i < k; ++i) {
        while (block.bit(tested[i]) != 0) {
            of.last[i] = of.owned[i];
            of.owned[i] = block.child(of.last[i]);
        }
    }
}

/// Where the chains of a key end that is to be counted up, and whether all its places are set.
/// Most chains end at the first bit or the second: both are looked at without a branch, and side by
/// side.
template <std::uint32_t Words>
BLOOMERY_INLINE bool ends_to_set(const view<Words>& block, const std::uint32_t* at, std::uint32_t k,
                                 chain_ends& of) noexcept {
    std::uint32_t old = 1;
    std::uint32_t longer = 0;
#pragma GCC unroll 6
    for (std::uint32_t i = 0; i < k; ++i) {
        const auto first = block.link_at(at[i]);
        const auto second = block.link_at(first.child);
        of.last[i] = chosen(first.set, first.child, at[i]);
        of.owned[i] = chosen(first.set, second.child, first.child);
        old &= first.set;
        longer |= first.set & second.set;
    }
    if (longer != 0) [[unlikely]] {
        follow(block, k, of, of.last);
    }
    return old != 0;
}

/// The same of a key that is to be counted down: all its places are set.
template <std::uint32_t Words>
BLOOMERY_INLINE void ends_to_clear(const view<Words>& block, const std::uint32_t* at,
                                   std::uint32_t k, chain_ends& of) noexcept {
    std::uint32_t longer = 0;
#pragma GCC unroll 6
    for (std::uint32_t i = 0; i < k; ++i) {
        const std::uint32_t next = block.child(at[i]);
        const auto second = block.link_at(next);
        of.last[i] = chosen(second.set, next, at[i]);
        of.owned[i] = chosen(second.set, second.child, next);
        longer |= block.bit(of.owned[i]);
    }
    if (longer != 0) [[unlikely]] {
        follow(block, k, of, of.owned);
    }
}

/// One place after the other, each in the block that the one before left.
template <std::uint32_t Words>
BLOOMERY_INLINE void count_up(std::uint64_t* words, const accurate_cut& cut,
                              const std::uint32_t* at) noexcept {
    for (std::uint32_t i = 0; i < cut.hash_count; ++i) {
        const std::uint32_t sum = counter_sum(words, cut);
        view<Words> block(words, cut.places);
        std::uint32_t last = at[i];
        while (block.bit(last) != 0) {
            last = block.child(last);
        }
        const std::uint32_t owned = block.child(last);
        block.take_header();
        block.flip(last);
        block.open(owned);
        block.put_header(sum + 1);
    }
}

/// A counter that is 0 stays: only a key that is not in has one.
template <std::uint32_t Words>
BLOOMERY_INLINE void count_down(std::uint64_t* words, const accurate_cut& cut,
                                const std::uint32_t* at) noexcept {
    for (std::uint32_t i = 0; i < cut.hash_count; ++i) {
        const std::uint32_t sum = counter_sum(words, cut);
        view<Words> block(words, cut.places);
        std::uint32_t last = at[i];
        if (block.bit(last) == 0) {
            continue;
        }
        std::uint32_t owned = block.child(last);
        while (block.bit(owned) != 0) {
            last = owned;
            owned = block.child(last);
        }
        block.take_header();
        block.flip(last);
        block.close(owned);
        block.put_header(sum - 1);
    }
}

/// Whether all places of a key are set.
BLOOMERY_INLINE bool all_set(const std::uint64_t* block, const std::uint32_t* at,
                             std::uint32_t k) noexcept {
    std::uint64_t all = 1;
    for (std::uint32_t i = 0; i < k; ++i) {
        all &= bit_at(block, at[i]);
    }
    return all != 0;
}

BLOOMERY_INLINE insertion insert_frozen(std::uint64_t* block, const accurate_cut& cut,
                                        const std::uint32_t* at) noexcept {
    if (!is_frozen(block, cut)) {
        freeze(block, cut);
    }
    const bool old = all_set(block, at, cut.hash_count);
    for (std::uint32_t i = 0; i < cut.hash_count; ++i) {
        block[at[i] / 64] |= std::uint64_t{1} << at[i] % 64;
    }
    return {!old, status::saturated};
}

} // namespace
} // namespace bloomery::inline v0::kernel
