#include <bloomery/error.hpp>
#include <bloomery/plan/redis_cost.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::plan {
namespace {

std::uint64_t load_with_margin(items n, std::uint64_t shards) {
    if (shards == 1) return n.value;
    const double mean = static_cast<double>(n.value) / static_cast<double>(shards);
    const double deviation = std::sqrt(mean * (1.0 - 1.0 / static_cast<double>(shards)));
    const double load = std::ceil(mean + 6.0 * deviation);
    return std::min(n.value, static_cast<std::uint64_t>(load));
}

redis_cost bill(std::uint64_t shards, const shape& shard, std::uint64_t load) {
    const std::uint64_t each = shard.bit_count / 8 + (shard.bit_count % 8 != 0 ? 1 : 0);
    const std::uint64_t overhead = redis_bitmap_overhead + redis_config_overhead;
    return {shards, shard, load, each, 2 * shards, shards * (each + overhead)};
}

} // namespace

redis_cost redis_cost_of(items n, rate p, bytes largest) {
    check_items(n);
    check_rate(p);
    if (largest.value == 0 || largest.value > redis_max_bitmap.value) {
        throw bad_argument("a Redis bitmap has between 1 byte and 512 MiB; give a limit in that "
                           "range");
    }
    const auto fits = [&](std::uint64_t shards) {
        return for_rate({load_with_margin(n, shards)}, p).bit_count <= largest.value * 8;
    };
    const shape one = for_rate({1}, p);
    if (one.bit_count > largest.value * 8) {
        throw bad_argument("not even one key fits into a bitmap of this size at this rate; allow "
                           "larger bitmaps");
    }
    const std::uint64_t whole = for_rate(n, p).bit_count;
    std::uint64_t shards = whole / (largest.value * 8) + (whole % (largest.value * 8) ? 1 : 0);
    // The margin asks for a few more; each try is at least one shard nearer to the answer.
    while (!fits(shards)) {
        if (shards > n.value) {
            throw bad_argument("bitmaps of this size are too small to be shards of this filter; "
                               "allow larger ones");
        }
        shards += std::max<std::uint64_t>(1, shards / 256);
    }
    while (shards > 1 && fits(shards - 1)) --shards;
    const std::uint64_t load = load_with_margin(n, shards);
    return bill(shards, for_rate({load}, p), load);
}

redis_cost redis_cost_of(const shape& of, items n) {
    check(of);
    check_items(n);
    if (of.bit_count > redis_max_bitmap.value * 8) {
        throw bad_argument(
            "Redis stores at most 512 MiB in one key; plan shards from the number of "
            "keys and the rate instead");
    }
    return bill(1, of, n.value);
}

} // namespace bloomery::plan
