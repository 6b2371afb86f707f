// Filters that are split into shards, each a filter of Redisson's make: their rates and sizes.
//
// Redisson steps from probe to probe by its two hashes in turns, so that every second probe is a
// multiple of one number. Two keys that share that number share several probes at once: the rate is
// higher than that of independent probes, and stays so however large the filter is.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>
#include <functional>

namespace bloomery::plan {

/// The most probes that the rate is computed for, and that a split filter makes.
inline constexpr std::uint32_t max_split_hashes = 20;

/// The most bits of one filter of Redisson's.
inline constexpr std::uint64_t max_redisson_bits = 4294967294;

/// s filters of one size; a key lies in one of them.
struct split_shape {
    std::uint64_t shard_count = 1;
    std::uint64_t shard_bits = 0;
    std::uint32_t hash_count = 0;

    friend constexpr bool operator==(const split_shape&, const split_shape&) = default;
};

/// The rate of one Redisson filter of m bits and k probes after n distinct keys, for m coprime to
/// 2, 3, 5 and 7: with such a factor it is higher, by 8 % for 9.6 bits a key, 7 probes and an even
/// m. It is exact for large filters. Two keys that share both numbers, modulo m, count with at most
/// n / m^2 for each way to do so, hence the figure of a filter of few keys, or of a rate near
/// n / m^2, is too high rather than too low. Microseconds; a millisecond for the first call and for
/// nearly empty filters. Any number of threads. Throws `bad_argument` when m or k is 0 or k above
/// max_split_hashes. Checked by tests/plan/split.cpp against the scheme itself.
[[nodiscard]] double redisson_fpp(items n, bits m, hashes k);

/// The rate of a split filter after n distinct keys: the mean over its shards, whose loads are
/// Binomial(n, 1/s). Milliseconds. Throws as above, and for no shards.
[[nodiscard]] double split_fpp(const split_shape& of, items n);

/// The rate of a split filter now, from the number of ones in each shard, which `ones` is asked for
/// once, in order: the mean of the rates after as many keys as the ones tell of. Milliseconds, and
/// O(s). Throws as above, and for more ones than bits.
[[nodiscard]] double split_fpp_of_ones(const split_shape& of,
                                       const std::function<std::uint64_t(std::uint64_t)>& ones);

/// The fewest shards of at most `largest` bytes that hold n keys, and their bits and probes, so
/// that each single shard keeps the rate p: it is sized for the mean load plus six standard
/// deviations. Among all k it takes the one with the fewest bits. The bits are coprime to 2, 3, 5
/// and 7, where the rate is least; with two bits behind them they fit into `largest`, and they are
/// 4294967294 at most, which is Redisson's limit. Milliseconds. Throws `bad_argument` for n = 0, p
/// outside (0, 1), `largest` 0, above 512 MiB or too small, more than 2^63 bits in all.
[[nodiscard]] split_shape split_for(items n, rate p, bytes largest = {std::uint64_t{8} << 20U});

} // namespace bloomery::plan
