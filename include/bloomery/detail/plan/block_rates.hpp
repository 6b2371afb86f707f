// The rate inside one block, and its average over blocks that are not equally full.
//
// A key goes to one block and all its probes stay there (Putze, Sanders, Singler 2007), so a block
// with i keys is a small Bloom filter with the rate f(i), and the filter's rate is the mean of f
// over the load of a block. The load is Binomial(n, 1/blocks). It is used directly: each term
// follows from the previous one by one multiplication, so the usual Poisson approximation would
// gain nothing, and a filter of three blocks is sized as accurately as one of a billion.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery::inline v0::plan {

/// f(i) for k independent probes in a block of `block_bits`. The same quantity as `classic_rate`;
/// the usual (1-(1-1/B)^(ik))^k is only an approximation of it. O(k^3). Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double block_rate_independent(std::uint64_t keys,
                                                            std::uint32_t block_bits, hashes k);

/// f(i) = (1-(1-1/s)^i)^w: one bit in each of w words of s bits. O(1). Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double block_rate_split(std::uint64_t keys, std::uint32_t word_bits,
                                                      std::uint32_t words);

} // namespace bloomery::inline v0::plan
