// What a filter costs in a Redis that knows nothing of filters: plain bitmaps, split into shards.
//
// One bitmap is one key on one node, at most 512 MiB, and large ones stall the server when they are
// copied or deleted. So a filter is cut into s complete filters, and a key is routed to one of them
// (all its probes stay there). A shard then holds Binomial(n, 1/s) keys, not n/s: each is sized for
// the mean plus six standard deviations, so that every single shard keeps the rate, not only their
// average; fewer than one shard in 1e9 gets more. Each shard is a filter of Redisson's make, which
// needs a little more than the textbook says (plan/split.hpp).
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery::plan {

/// The largest string that Redis stores.
inline constexpr bytes redis_max_bitmap{std::uint64_t{512} << 20U};

/// Estimates, for a 64-bit Redis 7 with names of about 20 bytes: the dictionary entry, the object
/// and string headers, and the name of a bitmap key; the same plus four short fields for the small
/// hash with the filter's parameters. Allocation rounding of the bitmaps is not counted.
inline constexpr std::uint64_t redis_bitmap_overhead = 96;
inline constexpr std::uint64_t redis_config_overhead = 248;

/// The bill.
struct redis_cost {
    std::uint64_t shards;
    shape shard;                   ///< each shard: classic
    std::uint64_t items_per_shard; ///< what a shard is sized for
    std::uint64_t bitmap_bytes;    ///< of one shard
    std::uint64_t keys;            ///< two a shard, the bitmap and its config; one for the whole
    std::uint64_t total_bytes;     ///< bitmaps and the per-key overhead
};

/// What `split_for` makes: the fewest shards that hold n keys at rate p in bitmaps of at most
/// `largest`. Milliseconds. Throws as it does.
[[nodiscard]] redis_cost redis_cost_of(items n, rate p, bytes largest = {std::uint64_t{8} << 20U});

/// The cost of storing an existing array as one bitmap with its config. O(1). Throws `bad_argument`
/// when it is larger than Redis stores.
[[nodiscard]] redis_cost redis_cost_of(const shape& of, items n);

} // namespace bloomery::plan
