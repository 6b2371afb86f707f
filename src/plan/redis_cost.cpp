#include <bloomery/error.hpp>
#include <bloomery/plan/redis_cost.hpp>
#include <bloomery/plan/split.hpp>

#include "check.hpp"
#include "split_load.hpp"

namespace bloomery::plan {
namespace {

constexpr std::uint64_t bytes_of(std::uint64_t bit_count) {
    return bit_count / 8 + (bit_count % 8 != 0 ? 1 : 0);
}

constexpr std::uint64_t shard_overhead = redis_bitmap_overhead + redis_config_overhead;

} // namespace

redis_cost redis_cost_of(items n, rate p, bytes largest) {
    const split_shape made = split_for(n, p, largest);
    const std::uint64_t each = bytes_of(made.shard_bits + 2); // with what lies behind the last bit
    return {made.shard_count,
            {layout_kind::classic, made.shard_bits, made.hash_count},
            load_with_margin(n, made.shard_count),
            each,
            2 * made.shard_count + 1,
            made.shard_count * (each + shard_overhead) + redis_config_overhead};
}

redis_cost redis_cost_of(const shape& of, items n) {
    check(of);
    check_items(n);
    if (of.bit_count > redis_max_bitmap.value * 8) {
        throw bad_argument(
            "Redis stores at most 512 MiB in one key; plan shards from the number of "
            "keys and the rate instead");
    }
    const std::uint64_t each = bytes_of(of.bit_count);
    return {1, of, n.value, each, 2, each + shard_overhead};
}

} // namespace bloomery::plan
