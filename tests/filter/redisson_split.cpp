// A Redisson filter in shards: each shard is Redisson's filter of its keys.
#include <bloomery/detail/layout/shard.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/filter/parallel.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

constexpr plan::split_shape small{7, 1009, 5};

redisson_split_filter empty(const plan::split_shape& of, design made_for = {}) {
    return {of, hash::redisson_hash{}, made_for};
}

std::vector<std::string> redisson_split_keys(int first, int count) {
    std::vector<std::string> made;
    for (int i = first; i < first + count; ++i) made.push_back("key " + std::to_string(i));
    return made;
}

bool bit(std::span<const std::uint64_t> words, std::uint64_t at) {
    return (words[at / 64] >> (at % 64) & 1) != 0;
}

TEST(RedissonSplit, WithOneShardIsRedissonsFilter) {
    redisson_split_filter split = empty({1, 9587, 7});
    redisson_filter whole(bits{9587}, hashes{7});
    split.insert_many(redisson_split_keys(0, 500));
    whole.insert_many(redisson_split_keys(0, 500));
    EXPECT_TRUE(std::ranges::equal(split.words(), whole.words()));
}

TEST(RedissonSplit, EachShardIsRedissonsFilterOfItsKeys) {
    redisson_split_filter split = empty(small);
    std::vector<redisson_filter> shards(small.shard_count,
                                        redisson_filter(bits{small.shard_bits}, hashes{5}));
    for (const std::string& key : redisson_split_keys(0, 600)) {
        const std::uint64_t shard = layout::shard_of(split.digest(key), small.shard_count);
        EXPECT_EQ(split.layout().shard(split.digest(key)), shard);
        shards[shard].insert(key);
        split.insert(key);
    }
    for (std::uint64_t i = 0; i < small.shard_count; ++i) {
        EXPECT_GT(shards[i].stats().bits_set, 0U) << "a shard without keys shows nothing";
        EXPECT_EQ(split.layout().ones_of_shard(split.words(), i), shards[i].stats().bits_set);
        for (std::uint64_t p = 0; p < small.shard_bits; ++p) {
            ASSERT_EQ(bit(split.words(), i * small.shard_bits + p), bit(shards[i].words(), p))
                << "bit " << p << " of shard " << i;
        }
    }
}

TEST(RedissonSplit, ForgetsNoKeyByAnyCall) {
    const auto all = redisson_split_keys(0, 400);
    redisson_split_filter one_by_one = empty(small);
    for (const std::string& key : all) {
        one_by_one.insert(key);
        EXPECT_TRUE(one_by_one.may_contain(key)) << key;
    }
    redisson_split_filter at_once = empty(small);
    at_once.insert_many(all);
    EXPECT_EQ(at_once, one_by_one);
    redisson_split_filter shared = empty(small);
    shared.shared().insert_many(all);
    EXPECT_EQ(shared, one_by_one);
    redisson_split_filter by_threads = empty(small);
    by_threads.insert_many(all, threads{2});
    EXPECT_EQ(by_threads, one_by_one);
    any_filter any = make_foreign(one_by_one.spec());
    bitmap fresh;
    any.try_insert_many(all, fresh);
    EXPECT_TRUE(fresh[0]);
    EXPECT_TRUE(std::ranges::equal(any.words(), one_by_one.words()));
    bitmap maybe;
    any.may_contain_many(all, maybe);
    EXPECT_EQ(maybe.count(), all.size());
}

TEST(RedissonSplit, MergeEqualsTheFilterOfTheUnion) {
    redisson_split_filter left = empty(small);
    redisson_split_filter right = empty(small);
    redisson_split_filter both = empty(small);
    left.insert_many(redisson_split_keys(0, 100));
    right.insert_many(redisson_split_keys(50, 100));
    both.insert_many(redisson_split_keys(0, 150));
    any_filter merged = left;
    merged.merge(any_filter(right));
    left.merge(right);
    EXPECT_EQ(left, both);
    EXPECT_TRUE(std::ranges::equal(merged.words(), both.words()));
}

TEST(RedissonSplit, SaysWhatItIs) {
    const spec what = empty(small).spec();
    EXPECT_EQ(what.kind, filter_kind::bloom);
    EXPECT_EQ(what.scheme, layout::scheme_id::redisson_split);
    EXPECT_EQ(what.hash, hash::hash_id::highway_128);
    EXPECT_EQ(what.shape, (plan::shape{layout_kind::classic, 7063, 5}));
    EXPECT_EQ(what.parameters, kind_parameters{7});
    ASSERT_TRUE(is_foreign(what));
    EXPECT_EQ(make_foreign(what).spec(), what);
    EXPECT_NE(make_foreign(what).get_if<redisson_split_filter>(), nullptr);
}

TEST(RedissonSplit, OfAnotherNumberOfShardsIsNotCombined) {
    const auto verdict = empty({6, 1001, 5}).compatible_with(empty({7, 858, 5}));
    EXPECT_EQ(verdict.reason, "they differ in their number of shards: 6 and 7");
    redisson_split_filter a = empty({6, 1001, 5});
    EXPECT_THROW(a.merge(empty({7, 858, 5})), incompatible);
    EXPECT_FALSE(a.compatible_with(redisson_filter(bits{6006}, hashes{5})));
}

TEST(RedissonSplit, OfNoShapeIsRefused) {
    for (const plan::split_shape& bad :
         {plan::split_shape{0, 1009, 5}, plan::split_shape{1, 0, 5}, plan::split_shape{1, 1009, 0},
          plan::split_shape{1, 1009, 21}, plan::split_shape{1, 4294967295, 5},
          plan::split_shape{std::uint64_t{1} << 40U, std::uint64_t{1} << 30U, 5}}) {
        EXPECT_FALSE(layout::redisson_split::fits(bad));
        EXPECT_THROW((void)layout::redisson_split(bad), bad_argument);
    }
    const spec good = empty(small).spec();
    std::vector<spec> bad(6, good);
    bad[0].parameters = {};
    bad[1].parameters = {6};
    bad[2].parameters = {7, 1};
    bad[3].shape.hash_count = 21;
    bad[4].shape.bit_count = 7 * (std::uint64_t{1} << 32U);
    bad[5].hash = hash::hash_id::murmur3_x64_128;
    for (const spec& what : bad) {
        EXPECT_FALSE(is_foreign(what));
        EXPECT_THROW((void)make_foreign(what), unsupported);
    }
    spec of_redisson = redisson_filter(bits{700}, hashes{5}).spec();
    of_redisson.parameters = {7};
    EXPECT_FALSE(is_foreign(of_redisson)) << "others have no parameters";
}

TEST(RedissonSplit, HasTheRateThatItWasMadeFor) {
    constexpr std::uint64_t n = 50'000;
    const plan::split_shape of = plan::split_for({n}, {0.01}, {8192});
    ASSERT_GT(of.shard_count, 5U);
    redisson_split_filter made = empty(of, {n, 0.01});
    for (std::uint64_t i = 0; i < n; ++i) made.insert(i);
    EXPECT_LE(made.rate_at({n}), 0.01);
    EXPECT_DOUBLE_EQ(made.rate_at({n}), plan::split_rate(of, {n}));
    const statistics now = made.stats();
    EXPECT_NEAR(now.items.items, n, 6.5 * now.items.standard_error);
    EXPECT_NEAR(now.expected_rate, made.rate_at({n}), 0.03 * now.expected_rate);
    EXPECT_NEAR(statistics_of(made.spec(), now.bits_set).expected_rate, now.expected_rate,
                0.02 * now.expected_rate)
        << "the number of ones alone tells nearly as much";
    constexpr std::uint64_t queries = 300'000;
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < queries; ++i) wrong += made.may_contain(n + i) ? 1U : 0U;
    const auto bounds = binomial_bounds(queries, now.expected_rate);
    EXPECT_TRUE(bounds.contain(wrong)) << wrong << " of " << bounds.low << " to " << bounds.high;
    EXPECT_LT(static_cast<double>(wrong), 0.01 * queries);
}

TEST(RedissonSplit, IsSizedByKeysAndRate) {
    const redisson_split_filter made{items{10'000}, rate{0.001}};
    EXPECT_EQ(made.layout().split(), plan::split_for({10'000}, {0.001}));
    EXPECT_EQ(made.made_for(), (design{10'000, 0.001}));
    EXPECT_LE(made.rate_at({10'000}), 0.001);
    EXPECT_EQ(made.expected_rate(), 0.0);
}

} // namespace
} // namespace bloomery::testing
