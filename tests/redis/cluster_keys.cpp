// Many keys in a cluster: none is denied, and there are as many false positives as computed.
//
// Some hundred thousand of each in every test round; BLOOMERY_REDIS_KEYS=10000000 for the ten
// million that docs/guarantees.md mentions.
#include <bloomery/plan/redis.hpp>
#include <bloomery/redis/filter.hpp>

#include "binomial.hpp"
#include "via.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

namespace bloomery::testing {
namespace {

using redis::redis_filter;

std::uint64_t key_count() {
    const char* const said = std::getenv("BLOOMERY_REDIS_KEYS");
    return said == nullptr ? 400'000 : std::stoull(said);
}

/// Calls `work` with the keys of a tag, some thousands at a time.
template <class Work>
void for_each_batch(const std::string& tag, std::uint64_t count, Work work) {
    constexpr std::uint64_t batch = 8000;
    for (std::uint64_t first = 0; first < count; first += batch) {
        const std::uint64_t size = std::min(batch, count - first);
        work(keys_of(tag + std::to_string(first), size));
    }
}

TEST(ClusterLong, DeniesNoneOfManyKeysAndHasTheRateThatWasComputed) {
    redis_cluster cluster({"cluster-node-timeout 20000"}); // a busy machine is not a dead one
    const redis::client via = client_of(cluster);
    const std::uint64_t n = key_count();
    auto made = redis_filter::create(via, "many", items{n}, rate{0.01},
                                     bytes{n / 53}); // 64 shards, and some
    ASSERT_GE(made.shape().shard_count, 64U);
    std::set<redis::endpoint> masters;
    for (std::uint64_t i = 0; i < made.shape().shard_count; ++i) {
        masters.insert(via.master_of(redis::slot_of(made.key_of_shard(i))));
    }
    EXPECT_EQ(masters.size(), 3U);

    for_each_batch("in", n, [&](const auto& keys) { made.insert_many(keys); });
    bitmap maybe;
    std::uint64_t denied = 0;
    for_each_batch("in", n, [&](const auto& keys) {
        made.may_contain_many(keys, maybe);
        denied += keys.size() - maybe.count();
    });
    EXPECT_EQ(denied, 0U);

    std::uint64_t wrong = 0;
    for_each_batch("out", n, [&](const auto& keys) {
        made.may_contain_many(keys, maybe);
        wrong += maybe.count();
    });
    const double expected = plan::split_rate(made.shape(), items{n});
    EXPECT_LE(expected, 0.01);
    const auto bounds = binomial_bounds(n, expected);
    EXPECT_TRUE(bounds.contain(wrong))
        << wrong << " of " << n << ", expected " << bounds.low << " to " << bounds.high;
    RecordProperty("shards", static_cast<int>(made.shape().shard_count));
    RecordProperty("wrong", std::to_string(wrong));
}

} // namespace
} // namespace bloomery::testing
