// The rate inside one block, and its average over blocks that are not equally full.
//
// A key goes to one block and all its probes stay there (Putze, Sanders, Singler 2007), so a block
// with i keys is a small Bloom filter with the rate f(i), and the filter's rate is the mean of f
// over the load of a block. The load is Binomial(n, 1/blocks). It is used as it is: its terms
// follow from each other by one multiplication, so nothing is gained by the usual Poisson
// approximation, and a filter of three blocks is sized as rightly as one of a billion.
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery::plan {

/// f(i) for k independent probes in a block of `block_bits`. The same quantity as `classic_fpp`;
/// the usual (1-(1-1/B)^(ik))^k is only an approximation of it. O(k^3). Throws `bad_argument`.
[[nodiscard]] double block_fpp_independent(std::uint64_t keys, std::uint32_t block_bits, hashes k);

/// f(i) when the k bits of a key are always different. O(keys * k^2). Throws `bad_argument`.
[[nodiscard]] double block_fpp_distinct(std::uint64_t keys, std::uint32_t block_bits, hashes k);

/// f(i) = (1-(1-1/s)^i)^w: one bit in each of w words of s bits. O(1). Throws `bad_argument`.
[[nodiscard]] double block_fpp_split(std::uint64_t keys, std::uint32_t word_bits,
                                     std::uint32_t words);

/// The Poisson mixture of `block_fpp_distinct`, the limit for many blocks. Throws `bad_argument`.
[[nodiscard]] double limit_fpp_distinct(std::uint32_t block_bits, hashes k, double bits_per_item);

} // namespace bloomery::plan
