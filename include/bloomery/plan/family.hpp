// Memory and rate of the relatives of the Bloom filter: those of this library and, for comparison,
// those that are not.
//
// `advise` and the tools name these numbers; the structures themselves are built elsewhere. Each
// formula is checked in tests/plan/family*.cpp.
#pragma once

#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <vector>

namespace bloomery::plan {

/// P(V >= at_least) for V ~ Poisson(mean): the chance that a counter needs that much room.
/// O(at_least + mean). Throws `bad_argument` for a mean that is negative or not finite.
[[nodiscard]] double poisson_tail(double mean, std::uint64_t at_least);

/// Counters instead of bits (Fan et al. 2000; Cohen and Matias 2003 for wide ones).
struct counter_plan {
    shape positions; ///< classic; bit_count is the number of counters
    std::uint32_t counter_bits;
    std::uint64_t byte_count; ///< packed in 64-bit words, no counter across two
    double bits_per_item;
    double fpp;
    double overflow; ///< P(one counter reaches 2^counter_bits) when n keys are in once each
};

/// A counting filter for n keys at rate p with counters of 1..64 bits (usual: 4). As `for_rate`.
/// The spectral filter is the same with 8, 16 or 32 bits; its rate of wrong counts is `fpp`.
/// Throws `bad_argument`.
[[nodiscard]] counter_plan counting_plan(items n, rate p, std::uint32_t counter_bits = 4);

// Counters of a key in one cache line: one in each of k neighbouring words out of eight, every word
// of 64 / counter_bits of them. The rate is the exact mixture over the keys of a line, as for
// blocks of bits (block_rates.hpp). A key meets a counter at most once, so that the load of one
// counter is the same as without lines, and so is its overflow.

/// The same for lines; `positions.bit_count` is a whole number of lines, and k at most 8.
/// Milliseconds. Throws `bad_argument` also for counters of other than 2, 4, 8 or 16 bits, and for
/// rates that would take 2^63 bits.
[[nodiscard]] counter_plan counting_plan_in_lines(items n, rate p, std::uint32_t counter_bits = 4);

/// The rate of m counters in lines after n distinct keys. Milliseconds. Throws `bad_argument` for k
/// outside 1..8, such a width, or counters that are no whole lines.
[[nodiscard]] double fpp_in_lines(items n, bits m, hashes k, std::uint32_t counter_bits = 4);

/// The number of keys from that of counters in use: as `estimate_items`. O(1). Throws as above, and
/// for more counters in use than there are.
[[nodiscard]] cardinality estimate_items_in_lines(bits m, hashes k, std::uint32_t counter_bits,
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

/// For n distinct keys that occur `occurrences` times in all, the fullest counter at `largest`.
/// Throws `bad_argument` for bad n or p and for fewer occurrences than keys.
[[nodiscard]] dynamic_count_plan_t dynamic_count_plan(items n, rate p, std::uint64_t occurrences,
                                                      std::uint64_t largest);

/// A d-left counting filter (Bonomi et al. 2006): 4 tables, 8 cells a bucket, 6 of them in use.
struct dleft_plan_t {
    std::uint64_t buckets; ///< in each of the 4 tables
    std::uint32_t remainder_bits;
    std::uint64_t byte_count;
    double bits_per_item;
    double fpp;
};

/// For n keys at rate p; counters of 2 bits. O(1). Throws `bad_argument`.
[[nodiscard]] dleft_plan_t dleft_plan(items n, rate p);

/// 1-(1-1/(B 2^r))^n: the rate of d-left with B buckets a table and r-bit remainders. O(1).
/// Throws `bad_argument` for B = 0 or r outside 1..56.
[[nodiscard]] double dleft_fpp(items n, std::uint64_t buckets, std::uint32_t remainder_bits);

/// (1-e^(-k/(c-k)))^k: an accurate counting filter in one array of c bits per key, where unary
/// counters take k of them. O(1). Throws `bad_argument` for k = 0 or c <= k.
[[nodiscard]] double accurate_fpp(double bits_per_item, hashes k);

/// The least c with `accurate_fpp(c, k) <= p` over k: 14.5 bits at 1 %. O(1). Throws.
[[nodiscard]] double accurate_bits_per_item(rate p);

/// The same cut into blocks that are updated in one cache line or a few.
struct accurate_plan_t {
    std::uint32_t block_bits;
    std::uint32_t first_level_bits;
    std::uint32_t hash_count;
    double bits_per_item;
    double fpp;
    double freeze; ///< P(a block gets more keys than its counters have room for)
};

/// The densest blocks of 512..4096 bits with rate p and `freeze` at most as given. Milliseconds.
/// Throws `bad_argument` for a block size that is no multiple of 64 in that range, a freeze or p
/// outside (0, 1), or a rate that blocks of this size do not reach.
[[nodiscard]] accurate_plan_t accurate_plan(rate p, std::uint32_t block_bits = 512,
                                            double freeze = 1e-5);

/// The blocks that n keys take. O(1). Throws `bad_argument` for n = 0 and more than 2^63 bits.
[[nodiscard]] std::uint64_t accurate_blocks(items n, const accurate_plan_t& of);

/// The rate of such blocks, that many with first levels of that many bits, when n distinct keys are
/// in and none is frozen: the exact binomial mixture. Milliseconds. Throws `bad_argument` for no
/// blocks, a first level of 0 or more than 4096 bits, or k outside 1..64.
[[nodiscard]] double accurate_fpp(items n, std::uint64_t blocks, std::uint32_t first_level_bits,
                                  hashes k);

/// How many distinct keys set that many bits of their first levels. O(1). Throws the same, and for
/// more ones than bits.
[[nodiscard]] cardinality accurate_items(std::uint64_t blocks, std::uint32_t first_level_bits,
                                         hashes k, std::uint64_t ones);

/// Layers of a scalable filter (Almeida et al. 2007): layer i takes n0 s^i keys at P (1-r) r^i.
struct scalable_plan_t {
    std::vector<shape> layers;
    std::uint64_t item_capacity;
    std::uint64_t byte_count;
    double bits_per_item; ///< per key of capacity
    double fpp;           ///< compound, all layers full
};

/// The layers needed for n keys. Throws `bad_argument` for first = 0, growth < 2 (a trap: a
/// thousand layers), tightening outside (0, 1), and more than 64 layers or a layer rate below
/// 2^-60.
[[nodiscard]] scalable_plan_t scalable_plan(items n, rate p, items first, std::uint32_t growth = 2,
                                            double tightening = 0.5);

/// 1-prod(1-P(1-r) r^i): the compound rate of full layers. O(layers). Throws `bad_argument`.
[[nodiscard]] double scalable_fpp(rate p, double tightening, std::uint32_t layers);

/// A filter that remembers the last keys of an endless stream: G generations that share positions.
struct window_plan_t {
    std::uint32_t generations;
    std::uint64_t items_per_generation; ///< ceil(window / (G-1))
    shape positions;                    ///< one bit per generation at each
    std::uint64_t byte_count;
    double bits_per_item; ///< per key of the window
    double fpp;           ///< all generations full
};

/// For a window of n keys at rate p. Throws `bad_argument` also for generations outside 2..64.
[[nodiscard]] window_plan_t window_plan(items window, rate p, std::uint32_t generations = 8);

/// (kn/m)^k, at most 1: the rate after an adversary who knows the hash chose all n keys
/// (Gerbet, Kumar, Lauradoux 2015). O(1). Throws `bad_argument` for m or k of 0.
[[nodiscard]] double polluted_fpp(items n, bits m, hashes k);

/// 1.4427 |R| (log2(|S|/|R|) + 2.91) bits: a cascade that separates R stored keys from S known
/// others without error (Larisch et al. 2017). O(1). Throws `bad_argument` when either is 0.
[[nodiscard]] double cascade_bits(items stored, items others);

/// ceil(U / 8): one bit for each possible integer.
[[nodiscard]] constexpr std::uint64_t bitmap_bytes(std::uint64_t range) {
    return range / 8 + (range % 8 != 0 ? 1 : 0);
}

/// n (L + 16) / 0.7: an open-addressing set of keys of L bytes. O(1).
[[nodiscard]] double hash_set_bytes(items n, double key_bytes);

/// What other structures need, in bits per key; none is in this library. O(1), throw
/// `bad_argument`.
[[nodiscard]] double lower_bound_bits(rate p);          ///< log2(1/p)
[[nodiscard]] double xor_bits(rate p);                  ///< 1.23 f, f = ceil(log2 1/p)
[[nodiscard]] double binary_fuse_bits(items n, rate p); ///< factor f; the factor falls to 1.125
[[nodiscard]] double ribbon_bits(rate p);               ///< 1.05 log2(1/p)
[[nodiscard]] double cuckoo_bits(rate p);               ///< (log2(1/p) + 3) / 0.95
[[nodiscard]] double quotient_bits(rate p);             ///< (log2(1/p) + 2.125) / 0.95

} // namespace bloomery::plan
