// Filters in a plain Redis, without a module: bitmaps, split into shards.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <functional>

namespace bloomery::inline v0::plan {

// Rates and sizes of filters that are split into shards, each of which is a Redisson filter.
//
// Redisson computes its probes by adding its two hashes alternately, so that every second probe is
// a multiple of one number. Two keys that share that number share several probes at once: the rate
// is higher than with independent probes, however large the filter is.

/// The largest number of probes for which the rate can be computed, and that a split filter uses.
inline constexpr std::uint32_t max_split_hashes = 20;

/// The largest number of bits of a Redisson filter.
inline constexpr std::uint64_t max_redisson_bits = 4294967294;

/// s filters of equal size; a key is in exactly one of them.
struct split_shape {
    std::uint64_t shard_count = 1;
    std::uint64_t shard_bits = 0;
    std::uint32_t hash_count = 0;

    friend constexpr bool operator==(const split_shape&, const split_shape&) = default;
};

/// The rate of one Redisson filter of m bits and k probes after n distinct keys, for m coprime to
/// 2, 3, 5 and 7. If m has such a factor, the rate is higher: by 8 % for 9.6 bits per key, 7 probes
/// and an even m. The result is exact for large filters. Two keys with equal hashes modulo m are
/// counted with at most n / m^2 for each way this can happen, so for a filter of few keys, or a
/// rate near n / m^2, the result is too high rather than too low. Takes microseconds; a millisecond
/// for the first call and for nearly empty filters. Thread-safe. Throws `bad_argument` if m or k is
/// 0 or k is above max_split_hashes. Checked by tests/plan/split.cpp against the scheme itself.
[[nodiscard]] BLOOMERY_EXPORT double redisson_rate(items n, bits m, hashes k);

/// The rate of a split filter after n distinct keys: the mean over its shards, whose loads are
/// Binomial(n, 1/s). Takes milliseconds. Throws as above, and for zero shards.
[[nodiscard]] BLOOMERY_EXPORT double split_rate(const split_shape& of, items n);

/// The current rate of a split filter, from the number of set bits in each shard; `ones` is called
/// once per shard, in order. The result is the mean of the rates for the numbers of keys estimated
/// from them. Takes milliseconds, and O(s). Throws as above, and for more set bits than bits.
[[nodiscard]] BLOOMERY_EXPORT double
split_rate_of_ones(const split_shape& of, const std::function<std::uint64_t(std::uint64_t)>& ones);

/// The fewest shards of at most `largest` bytes that hold n keys, and their bits and probes, such
/// that every single shard keeps the rate p: a shard is sized for the mean load plus six standard
/// deviations. Of all k, the one with the fewest bits is chosen. The number of bits is coprime to
/// 2, 3, 5 and 7, where the rate is lowest; with two more bits it fits into `largest`, and it is at
/// most 4294967294, which is Redisson's limit. Takes milliseconds. Throws `bad_argument` for n = 0,
/// p outside (0, 1), `largest` 0, above 512 MiB or too small, or more than 2^63 bits in all.
[[nodiscard]] BLOOMERY_EXPORT split_shape split_for(items n, rate p,
                                                    bytes largest = {std::uint64_t{8} << 20U});

// The cost of a filter in a plain Redis: bitmaps, split into shards.
//
// A bitmap is one key on one node, of at most 512 MiB, and large ones stall the server when they
// are copied or deleted. So a filter is split into s complete filters, and each key is routed to
// one of them, with all its probes. A shard then holds Binomial(n, 1/s) keys, not n/s: each is
// sized for the mean plus six standard deviations, so that every single shard keeps the rate, not
// only their average; fewer than one shard in 1e9 gets more keys. Each shard is a Redisson filter,
// which needs slightly more memory than the textbook says.

/// The largest string that Redis stores.
inline constexpr bytes redis_max_bitmap{std::uint64_t{512} << 20U};

/// Estimates, for a 64-bit Redis 7 with names of about 20 bytes: the dictionary entry, the object
/// and string headers, and the name of a bitmap key; the same plus four short fields for the small
/// hash with the filter's parameters. Allocator rounding of the bitmaps is not included.
inline constexpr std::uint64_t redis_bitmap_overhead = 96;
inline constexpr std::uint64_t redis_config_overhead = 248;

/// The cost of a filter in Redis.
struct redis_cost {
    std::uint64_t shards;
    shape shard;                   ///< of each shard: classic
    std::uint64_t items_per_shard; ///< the capacity of a shard
    std::uint64_t bitmap_bytes;    ///< of one shard
    std::uint64_t keys;            ///< two per shard (bitmap and config), and one for the filter
    std::uint64_t total_bytes;     ///< bitmaps plus the per-key overhead
};

/// The cost of the result of `split_for`: the fewest shards that hold n keys at rate p in bitmaps
/// of at most `largest`. Takes milliseconds. Throws as `split_for` does.
[[nodiscard]] BLOOMERY_EXPORT redis_cost redis_cost_of(items n, rate p,
                                                       bytes largest = {std::uint64_t{8} << 20U});

/// The cost of storing an existing array as one bitmap with its config. O(1). Throws `bad_argument`
/// if it is larger than Redis allows.
[[nodiscard]] BLOOMERY_EXPORT redis_cost redis_cost_of(const shape& of, items n);

} // namespace bloomery::inline v0::plan
