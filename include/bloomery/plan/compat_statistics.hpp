// What other libraries say about a filter of theirs, to the bit: the same operations on doubles in
// the same order. `estimate.hpp` has better numbers; these are for those who compare.
//
// `ones` is the number of bits that are set, m the number of bits that the library takes positions
// modulo (for Guava and Spark: whole 64-bit words). Every function is O(1).
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::plan {

/// Guava, expectedFpp: (ones / m)^k. Throws `bad_argument` when m or k is 0 or ones above m.
[[nodiscard]] double guava_expected_fpp(std::uint64_t ones, bits m, hashes k);

/// Guava, approximateElementCount: -ln(1 - ones / m) m / k, rounded. Throws `bad_argument` as
/// `guava_expected_fpp`, and when every bit is set: Guava throws then.
[[nodiscard]] std::uint64_t guava_approximate_count(std::uint64_t ones, bits m, hashes k);

/// bits-and-blooms for Go, ApproximatedSize. It has 32 bits, so that it wraps, and it is 0 when
/// every bit is set, as on x86-64. ones may exceed m in filters made from words. Never throws.
[[nodiscard]] std::uint32_t go_approximated_size(std::uint64_t ones, bits m, hashes k);

/// Redisson, count(): 2^63 - 1 when every bit is set, 0 where there is no number. Never throws.
[[nodiscard]] std::uint64_t redisson_count(std::uint64_t ones, bits m, hashes k);

/// Spark, expectedFpp: as Guava's. Throws as `guava_expected_fpp`.
[[nodiscard]] double spark_expected_fpp(std::uint64_t ones, bits m, hashes k);

/// hutool, BitSetBloomFilter(c, n, k).getFalsePositiveProbability(): the textbook rate of n keys,
/// whatever was added. Throws as `hutool_bitset_shape`.
[[nodiscard]] double hutool_fpp(std::int32_t c, std::int32_t n, std::int32_t k);

} // namespace bloomery::plan
