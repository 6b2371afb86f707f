#include <bloomery/error.hpp>
#include <bloomery/plan/redis.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace bloomery;
using namespace bloomery::plan;
using namespace bloomery::literals;

TEST(RedisCost, SmallFiltersAreOneShardWithoutMargin) {
    const redis_cost cost = redis_cost_of({1'000'000}, {0.01});
    const split_shape made = split_for({1'000'000}, {0.01});
    EXPECT_EQ(cost.shards, 1U);
    EXPECT_EQ(cost.items_per_shard, 1'000'000U);
    EXPECT_EQ(cost.keys, 3U) << "the bitmap, its config and that of the whole";
    EXPECT_EQ(cost.shard, (shape{layout_kind::classic, made.shard_bits, made.hash_count}));
    EXPECT_EQ(cost.bitmap_bytes, made.shard_bits / 8 + 1) << "with the mark behind the last bit";
    EXPECT_EQ(cost.total_bytes,
              cost.bitmap_bytes + redis_bitmap_overhead + 2 * redis_config_overhead);
}

TEST(RedisCost, TakesTheFewestShardsThatFit) {
    const redis_cost cost = redis_cost_of({100'000'000}, {0.001});
    EXPECT_LE(cost.bitmap_bytes, 8U << 20U);
    EXPECT_EQ(cost.keys, 2 * cost.shards + 1);
    EXPECT_NEAR(static_cast<double>(cost.shards), 1.5016e9 / 8.0 / 8388608.0, 1.0);
    const double mean = 1e8 / static_cast<double>(cost.shards - 1);
    const auto load = static_cast<std::uint64_t>(std::ceil(
        mean + 6.0 * std::sqrt(mean * (1.0 - 1.0 / static_cast<double>(cost.shards - 1)))));
    for (std::uint32_t k = 1; k <= max_split_hashes; ++k) {
        EXPECT_GT(redisson_rate({load}, {(std::uint64_t{8} << 23U) - 1}, {k}), 0.001) << k;
    }
}

TEST(RedisCost, EachShardKeepsTheRateUnderSixDeviations) {
    const redis_cost cost = redis_cost_of({50'000'000}, {0.01}, 1_MiB);
    const double mean = 5e7 / static_cast<double>(cost.shards);
    EXPECT_GE(static_cast<double>(cost.items_per_shard), mean + 5.99 * std::sqrt(mean * 0.98));
    EXPECT_LE(
        redisson_rate({cost.items_per_shard}, {cost.shard.bit_count}, {cost.shard.hash_count}),
        0.01);
}

TEST(RedisCost, OneArrayIsOneKeyUpTo512MiB) {
    const shape large{layout_kind::classic, std::uint64_t{512} << 23U, 7};
    EXPECT_EQ(redis_cost_of(large, {1000}).bitmap_bytes, redis_max_bitmap.value);
    EXPECT_THROW((void)redis_cost_of({layout_kind::classic, large.bit_count + 1, 7}, {1000}),
                 bad_argument);
}

TEST(RedisCost, RefusesImpossibleLimits) {
    EXPECT_THROW((void)redis_cost_of({100}, {0.1}, {0}), bad_argument);
    EXPECT_THROW((void)redis_cost_of({100}, {0.1}, {redis_max_bitmap.value + 1}), bad_argument);
    EXPECT_THROW((void)redis_cost_of({0}, {0.1}), bad_argument);
    EXPECT_THROW((void)redis_cost_of({1000}, {1e-9}, {1}), bad_argument);
    EXPECT_THROW((void)redis_cost_of({1000}, {0.01}, {2}), bad_argument);
}
