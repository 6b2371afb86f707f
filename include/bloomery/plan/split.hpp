// Filters that are split into shards, each a filter of Redisson's make: their rates and sizes.
//
// Redisson steps from probe to probe by its two hashes in turns, so that every second probe is a
// multiple of one number. Two keys that share that number share several probes at once: the rate is
// higher than that of independent probes, and stays so however large the filter is.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::plan {

/// The most probes that the rate is computed for, and that a split filter makes.
inline constexpr std::uint32_t max_split_hashes = 20;

/// s filters of one size; a key lies in one of them.
struct split_shape {
    std::uint64_t shard_count = 1;
    std::uint64_t shard_bits = 0;
    std::uint32_t hash_count = 0;

    friend constexpr bool operator==(const split_shape&, const split_shape&) = default;
};

/// The rate of one Redisson filter of m bits and k probes after n distinct keys. Exact but for
/// terms of the order of 1 / m. Throws `bad_argument` when m or k is 0 or k above max_split_hashes.
[[nodiscard]] double redisson_fpp(items n, bits m, hashes k);

/// The rate of a split filter after n distinct keys: the mean over its shards, whose loads are
/// Binomial(n, 1/s). Throws as above, and for no shards.
[[nodiscard]] double split_fpp(const split_shape& of, items n);

/// The fewest shards of at most `largest` bytes that hold n keys, and their bits and probes, so
/// that each single shard keeps the rate p: it is sized for the mean load plus six standard
/// deviations. The bits are coprime to 2, 3, 5 and 7, where the rate is least. Milliseconds.
/// Throws `bad_argument` for n = 0, p outside (0, 1), `largest` 0 or above 512 MiB, or too small.
[[nodiscard]] split_shape split_for(items n, rate p, bytes largest = {std::uint64_t{8} << 20U});

} // namespace bloomery::plan
