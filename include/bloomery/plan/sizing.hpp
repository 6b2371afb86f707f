// Computes the shape of a filter from its requirements.
//
// Every function inverts the exact rate of rates.hpp with an integer number of probes, and rounds
// so that the rate holds: the textbook m = -n ln p / (ln 2)^2 with a rounded k misses the rate it
// was computed for (1.0039 % instead of 1 % at a million keys, 1.75 % at one key).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace bloomery::inline v0::plan {

/// The smallest array that holds n keys at an expected rate of at most p, with the fewest probes:
/// `expected_rate(result, n) <= p`, and no k reaches p with one bit (one block) less. Takes
/// milliseconds at most. Throws `bad_argument` for n = 0, for p outside (0, 1) or below what
/// 128-bit digests can reach (`least_rate`), or for a size above 2^63.
[[nodiscard]] BLOOMERY_EXPORT shape for_rate(items n, rate p,
                                             layout_kind layout = layout_kind::classic);

/// As `for_rate` with a given k. Also throws if the layout does not support k probes.
[[nodiscard]] BLOOMERY_EXPORT shape for_hashes(items n, rate p, hashes k,
                                               layout_kind layout = layout_kind::classic);

/// The best k for an array of m bits that will hold n keys; m is rounded down to whole blocks.
/// Throws `bad_argument` for n = 0 and if m is below one block or above 2^63.
[[nodiscard]] BLOOMERY_EXPORT shape for_bits(bits m, items n,
                                             layout_kind layout = layout_kind::classic);

/// The best shape for an amount of memory, rounded down to whole 64-bit words and blocks. Throws
/// `bad_argument` for n = 0 and if the memory is below one word or block.
[[nodiscard]] BLOOMERY_EXPORT shape for_memory(bytes memory, items n,
                                               layout_kind layout = layout_kind::classic);

/// The most keys that a filter of this shape holds at an expected rate of at most p; 0 if it cannot
/// hold even one. Throws `bad_argument` for an invalid shape or p outside (0, 1).
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t item_capacity(const shape& of, rate p);

/// The shape of m bits (rounded down to whole blocks) that holds the most keys at the rate p.
/// Throws `bad_argument` as `for_bits`, and if m cannot hold even one key at that rate.
[[nodiscard]] BLOOMERY_EXPORT shape for_bits_at_rate(bits m, rate p,
                                                     layout_kind layout = layout_kind::classic);

// The default layout of a filter: the fastest that does not waste memory.

/// The shape of a filter for n keys at a rate of at most p, with the layout that suits them.
///
/// A filter is fast if each key needs one cache line, and faster still with lanes, so the smaller
/// of split 8x64 and 16x32 is chosen. Blocked is chosen instead if that is smaller by more than an
/// eighth, which happens at rates above 5 %, where few probes are enough. Classic is chosen if it
/// takes less than two thirds of the memory, which happens below about 1 in 8 million. For a filter
/// of up to 4 KiB these savings are ignored. Takes milliseconds. Throws `bad_argument` as
/// `for_rate` does.
[[nodiscard]] BLOOMERY_EXPORT shape choose(items n, rate p);

/// As above, for one layer of a filter that grows. A query searches every layer, and later layers
/// have low rates, so speed matters more: the classic layout is chosen only if it needs less than
/// half of the memory, which happens below about 1 in a billion. Throws as above.
[[nodiscard]] BLOOMERY_EXPORT shape choose_layer(items n, rate p);

/// Uses all of an amount of memory for n keys, in the layout that `choose` picks for the rate
/// possible in that memory. Throws `bad_argument` as `for_memory` does.
[[nodiscard]] BLOOMERY_EXPORT shape choose(bytes memory, items n);

// Folding: every f neighbouring blocks of a filter are merged into one (bits instead of blocks in
// the classic layout). The block of a key among m, divided by f, is its block among m /
// f, so the result is bit for bit the filter that would have been built at that size.

/// The same shape, or one that is up to a 64th larger (a 16th below 1,024 blocks), whose number of
/// blocks has many divisors, so that the sizes it can be folded to are close to each other: from
/// 1,024 blocks on, the next smaller one is at least half as large, and usually more. Takes
/// milliseconds. Throws bad_argument for an invalid shape, std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT shape foldable(const shape& of);

/// The numbers of blocks that can become one: the divisors of the number of blocks, from 1 on, in
/// ascending order. Divisors with a prime factor above 65,536 may be missing. Throws as above, and
/// std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::uint64_t> fold_factors(const shape& of);

/// The shape after folding. Throws bad_argument if the factor is not a divisor of the number of
/// blocks.
[[nodiscard]] BLOOMERY_EXPORT shape folded(const shape& of, std::uint64_t factor);

// Computes all of n, p, m, k and memory from a sufficient part of them.

/// What is known. Two of n, p, and one of m and memory are sufficient; k may be added to any pair.
struct question {
    std::optional<items> n = std::nullopt;
    std::optional<rate> p = std::nullopt;
    std::optional<bits> m = std::nullopt;
    std::optional<hashes> k = std::nullopt;
    std::optional<bytes> memory = std::nullopt;
    layout_kind layout = layout_kind::classic;
};

/// A filter with all its numbers.
struct answer {
    shape filter;
    items n;                     ///< given, or the most keys at rate p
    rate p;                      ///< the requested rate; if none was given, the rate reached
    double expected_rate;        ///< exact expected rate at n keys, including digest collisions
    double bits_per_item;        ///< filter.bit_count / n
    bytes memory;                ///< filter.byte_count()
    std::uint64_t item_capacity; ///< the most keys at rate p
    bool meets_rate;             ///< the probes' rate is at most p: false only if n, p and m
                                 ///< were all given
};

/// Computes the missing values. Takes milliseconds. Throws `bad_argument`, which names what is
/// missing, what contradicts, or which value is invalid.
[[nodiscard]] BLOOMERY_EXPORT answer solve(const question& asked);

} // namespace bloomery::inline v0::plan
