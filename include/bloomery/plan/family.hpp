// Memory and rate of related data structures: those in this library and, for comparison, others.
//
// `advise` and the tools use these numbers; the structures themselves are built elsewhere. Each
// formula is checked in tests/plan/family*.cpp.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <vector>

namespace bloomery::inline v0::plan {

/// P(V >= at_least) for V ~ Poisson(mean): the probability that a counter needs that much room.
/// O(at_least + mean). Throws `bad_argument` for a mean that is negative or not finite.
[[nodiscard]] BLOOMERY_EXPORT double poisson_tail(double mean, std::uint64_t at_least);

/// Counters instead of bits (Fan et al. 2000; Cohen and Matias 2003 for wide ones).
struct counter_plan {
    shape positions; ///< classic; bit_count is the number of counters
    std::uint32_t counter_bits;
    std::uint64_t byte_count; ///< packed in 64-bit words; no counter spans two words
    double bits_per_item;
    double expected_rate;
    double overflow; ///< P(one counter reaches 2^counter_bits) with n keys inserted once each
};

/// A counting filter for n keys at rate p with counters of 1..64 bits (usually 4). As `for_rate`.
/// The spectral filter is the same with 8, 16 or 32 bits; its rate of wrong counts is
/// `expected_rate`. Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT counter_plan counting_plan(items n, rate p,
                                                         std::uint32_t counter_bits = 4);

// Blocked counters: the counters of a key are in one cache line, one in each of k adjacent words
// out of eight, with 64 / counter_bits counters per word. The rate is the exact mixture over the
// number of keys in a line, as for blocks of bits. A key uses a counter at most
// once, so the load of a counter and its overflow are the same as without lines.

/// As `counting_plan`, for blocked counters; `positions.bit_count` is a whole number of lines, and
/// k at most 8. Takes milliseconds. Also throws `bad_argument` for counters of other than 2, 4, 8
/// or 16 bits, and for rates that would need 2^63 bits.
[[nodiscard]] BLOOMERY_EXPORT counter_plan counting_plan_in_lines(items n, rate p,
                                                                  std::uint32_t counter_bits = 4);

/// The rate of m blocked counters after n distinct keys. Takes milliseconds. Throws `bad_argument`
/// for k outside 1..8, another width, or a number of counters that is not whole lines.
[[nodiscard]] BLOOMERY_EXPORT double rate_in_lines(items n, bits m, hashes k,
                                                   std::uint32_t counter_bits = 4);

/// The number of keys, estimated from the number of counters in use, as in `estimate_items`. O(1).
/// Throws as above, and for more counters in use than there are.
[[nodiscard]] BLOOMERY_EXPORT cardinality estimate_items_in_lines(bits m, hashes k,
                                                                  std::uint32_t counter_bits,
                                                                  std::uint64_t used);

/// A dynamic count filter (Aguilar-Saborit et al. 2006): a fixed part of x bits and an overflow
/// part as wide as the largest counter needs.
struct dynamic_count_plan_t {
    shape positions;
    std::uint32_t fixed_bits;    ///< x = ceil(log2(occurrences / n)) + 2, within 4..8
    std::uint32_t overflow_bits; ///< y: 0 while no counter exceeds x bits
    std::uint64_t byte_count;
    double bits_per_item;
};

/// For n distinct keys that occur `occurrences` times in all, with `largest` as the largest
/// counter. Throws `bad_argument` for invalid n or p and for fewer occurrences than keys.
[[nodiscard]] BLOOMERY_EXPORT dynamic_count_plan_t dynamic_count_plan(items n, rate p,
                                                                      std::uint64_t occurrences,
                                                                      std::uint64_t largest);

/// A d-left counting filter (Bonomi et al. 2006): 4 tables, 8 cells per bucket, 6 of them in use.
struct dleft_plan_t {
    std::uint64_t buckets; ///< in each of the 4 tables
    std::uint32_t remainder_bits;
    std::uint64_t byte_count;
    double bits_per_item;
    double expected_rate;
};

/// For n keys at rate p; counters of 2 bits. O(1). Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT dleft_plan_t dleft_plan(items n, rate p);

/// 1-(1-1/(B 2^r))^n: the rate of d-left with B buckets per table and r-bit remainders. O(1).
/// Throws `bad_argument` for B = 0 or r outside 1..56.
[[nodiscard]] BLOOMERY_EXPORT double dleft_rate(items n, std::uint64_t buckets,
                                                std::uint32_t remainder_bits);

/// (1-e^(-k/(c-k)))^k: the rate of an accurate counting filter in one array of c bits per key, k of
/// which are taken by unary counters. O(1). Throws `bad_argument` for k = 0 or c <= k.
[[nodiscard]] BLOOMERY_EXPORT double accurate_rate(double bits_per_item, hashes k);

/// The smallest c with `accurate_rate(c, k) <= p` over all k: 14.5 bits at 1 %. O(1). Throws
/// `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double accurate_bits_per_item(rate p);

/// An accurate counting filter divided into blocks, so that an update stays within one or a few
/// cache lines.
struct accurate_plan_t {
    std::uint32_t block_bits;
    std::uint32_t first_level_bits;
    std::uint32_t hash_count;
    double bits_per_item;
    double expected_rate;
    double freeze; ///< P(a block gets more keys than its counters have room for)
};

/// The densest blocks of 512..4096 bits with rate p and at most the given `freeze`. Takes
/// milliseconds. Throws `bad_argument` for a block size that is not a multiple of 64 in that range,
/// a freeze or p outside (0, 1), or a rate that blocks of this size cannot reach.
[[nodiscard]] BLOOMERY_EXPORT accurate_plan_t accurate_plan(rate p, std::uint32_t block_bits = 512,
                                                            double freeze = 1e-5);

/// The number of blocks for n keys. O(1). Throws `bad_argument` for n = 0 and more than 2^63 bits.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t accurate_blocks(items n, const accurate_plan_t& of);

/// The rate of this many such blocks, with first levels of this many bits, n distinct keys and no
/// frozen block: the exact binomial mixture. Takes milliseconds. Throws `bad_argument` for zero
/// blocks, a first level of 0 or more than 4096 bits, or k outside 1..64.
[[nodiscard]] BLOOMERY_EXPORT double accurate_rate(items n, std::uint64_t blocks,
                                                   std::uint32_t first_level_bits, hashes k);

/// The number of distinct keys, estimated from the set bits of the first levels. O(1). Throws the
/// same, and for more set bits than bits.
[[nodiscard]] BLOOMERY_EXPORT cardinality accurate_items(std::uint64_t blocks,
                                                         std::uint32_t first_level_bits, hashes k,
                                                         std::uint64_t ones);

/// Layers of a scalable filter (Almeida et al. 2007): layer i takes n0 s^i keys at P (1-r) r^i.
struct scalable_plan_t {
    std::vector<shape> layers;
    std::uint64_t item_capacity;
    std::uint64_t byte_count;
    double bits_per_item; ///< per key of capacity
    double expected_rate; ///< compound, all layers full
};

/// The layers needed for n keys. Throws `bad_argument` for first = 0, growth < 2 (which would need
/// thousands of layers), tightening outside (0, 1), more than 64 layers or a layer rate below
/// 2^-60.
[[nodiscard]] BLOOMERY_EXPORT scalable_plan_t scalable_plan(items n, rate p, items first,
                                                            std::uint32_t growth = 2,
                                                            double tightening = 0.5);

/// 1-prod(1-P(1-r) r^i): the compound rate of full layers. O(layers). Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double scalable_rate(rate p, double tightening, std::uint32_t layers);

/// A filter that remembers the last keys of an endless stream: G generations that share positions.
struct window_plan_t {
    std::uint32_t generations;
    std::uint64_t items_per_generation; ///< ceil(window / (G-1))
    shape positions;                    ///< one bit per generation at each
    std::uint64_t byte_count;
    double bits_per_item; ///< per key of the window
    double expected_rate; ///< all generations full
};

/// For a window of n keys at rate p. Also throws `bad_argument` for generations outside 2..64.
[[nodiscard]] BLOOMERY_EXPORT window_plan_t window_plan(items window, rate p,
                                                        std::uint32_t generations = 8);

/// (kn/m)^k, at most 1: the rate if an adversary who knows the hash chose all n keys (Gerbet,
/// Kumar, Lauradoux 2015). O(1). Throws `bad_argument` if m or k is 0.
[[nodiscard]] BLOOMERY_EXPORT double polluted_rate(items n, bits m, hashes k);

/// 1.4427 |R| (log2(|S|/|R|) + 2.91) bits: a cascade that separates R stored keys from S known
/// others without errors (Larisch et al. 2017). O(1). Throws `bad_argument` if either is 0.
[[nodiscard]] BLOOMERY_EXPORT double cascade_bits(items stored, items others);

/// ceil(U / 8): one bit per possible integer.
[[nodiscard]] constexpr std::uint64_t bitmap_bytes(std::uint64_t range) {
    return range / 8 + (range % 8 != 0 ? 1 : 0);
}

/// n (L + 16) / 0.7: an open-addressing set of keys of L bytes. O(1).
[[nodiscard]] BLOOMERY_EXPORT double hash_set_bytes(items n, double key_bytes);

/// Bits per key of other structures, which are not in this library. O(1); they throw
/// `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double lower_bound_bits(rate p); ///< log2(1/p)
[[nodiscard]] BLOOMERY_EXPORT double xor_bits(rate p);         ///< 1.23 f, f = ceil(log2 1/p)
[[nodiscard]] BLOOMERY_EXPORT double
binary_fuse_bits(items n, rate p);                          ///< factor f; the factor falls to 1.125
[[nodiscard]] BLOOMERY_EXPORT double ribbon_bits(rate p);   ///< 1.05 log2(1/p)
[[nodiscard]] BLOOMERY_EXPORT double cuckoo_bits(rate p);   ///< (log2(1/p) + 3) / 0.95
[[nodiscard]] BLOOMERY_EXPORT double quotient_bits(rate p); ///< (log2(1/p) + 2.125) / 0.95

} // namespace bloomery::inline v0::plan
