// Statistics and facts of a filter in Redis.
#include <bloomery/plan/rates.hpp>
#include <bloomery/redis/filter.hpp>

#include "filter_state.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace bloomery::inline v0::redis {

namespace {

/// The server counts one such piece in a few tenths of a millisecond, and a few of them before it
/// serves others.
constexpr std::uint64_t counted_bytes = std::uint64_t{1} << 20U;
constexpr std::size_t counts_at_once = 4;

/// The ones in each shard, not counting bits after its last one. Throws data_lost.
std::vector<std::uint64_t> ones_of(client& via, const std::string& name, const filter_facts& now) {
    const std::vector<unsigned> behind = ones_behind(via, now, name);
    std::vector<std::uint64_t> ones(now.shape.shard_count);
    std::vector<request> some;
    std::vector<std::uint64_t> shards;
    const auto count = [&] {
        const std::vector<reply> counts = via.run(some);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            ones[shards[i]] += static_cast<std::uint64_t>(counts[i].integer);
        }
        some.clear();
        shards.clear();
    };
    const std::uint64_t size = shard_bytes(now.shape);
    for (std::uint64_t shard = 0; shard < ones.size(); ++shard) {
        const std::string key = now.key_of(name, shard);
        for (std::uint64_t from = 0; from < size; from += counted_bytes) {
            some.push_back(request::of("BITCOUNT", key, from, from + counted_bytes - 1));
            shards.push_back(shard);
            if (some.size() == counts_at_once) count();
        }
    }
    if (!some.empty()) count();
    for (std::size_t i = 0; i < ones.size(); ++i)
        ones[i] -= std::min<std::uint64_t>(ones[i], behind[i]);
    return ones;
}

/// Whether the planner knows its rate. With more hashes, independent ones are assumed.
bool is_redisson(const filter_facts& of) {
    return of.is_configured && of.shape.hash_count <= plan::max_split_hashes;
}

} // namespace

statistics redis_filter::stats() const {
    const filter_facts now = current();
    const plan::shape shard{layout_kind::classic, now.shape.shard_bits, now.shape.hash_count};
    statistics all;
    all.bit_count = now.shape.shard_count * now.shape.shard_bits;
    double variance = 0;
    std::vector<std::uint64_t> ones = ones_of(via_, name_, now);
    for (std::uint64_t& each : ones) {
        each = std::min(each, now.shape.shard_bits);
        const statistics one = statistics_of(shard, each);
        all.bits_set += each;
        all.items.items += one.items.items;
        all.items.saturated = all.items.saturated || one.items.saturated;
        variance += one.items.standard_error * one.items.standard_error;
        all.expected_rate += one.expected_rate / static_cast<double>(now.shape.shard_count);
    }
    if (is_redisson(now)) {
        all.expected_rate =
            plan::split_rate_of_ones(now.shape, [&](std::uint64_t i) { return ones[i]; });
    }
    all.items.standard_error = std::sqrt(variance);
    all.fill_ratio = static_cast<double>(all.bits_set) / static_cast<double>(all.bit_count);
    return all;
}

double redis_filter::rate_at(items n) const {
    const filter_facts now = known();
    if (is_redisson(now)) return plan::split_rate(now.shape, n);
    return plan::expected_rate({layout_kind::classic, now.shape.shard_bits, now.shape.hash_count},
                               n);
}

std::vector<fact> redis_filter::facts() const {
    const filter_facts now = current();
    std::set<endpoint> servers;
    for (std::uint64_t shard = 0; shard < now.shape.shard_count; ++shard) {
        servers.insert(via_.master_of(slot_of(now.key_of(name_, shard))));
    }
    std::vector<fact> told{{"name", name_},
                           {"shards", std::to_string(now.shape.shard_count)},
                           {"bits per shard", std::to_string(now.shape.shard_bits)},
                           {"servers", std::to_string(servers.size())}};
    if (const auto left = time_left()) {
        told.push_back({"seconds left", std::to_string(left->count())});
    }
    return told;
}

} // namespace bloomery::inline v0::redis
