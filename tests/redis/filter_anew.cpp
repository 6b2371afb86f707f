// Handles of a filter that was dropped or recreated meanwhile, or whose name now belongs to
// something else.
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "via.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using redis::client;
using redis::redis_filter;

constexpr plan::split_shape many_shards{15, 40'009, 7};
constexpr plan::split_shape one_shard{1, 400'009, 7};

std::size_t found(const redis_filter& in, const std::vector<std::string>& keys) {
    bitmap maybe;
    in.may_contain_many(keys, maybe);
    return maybe.count();
}

std::size_t found(const any_filter& in, const std::vector<std::string>& keys) {
    std::size_t count = 0;
    for (const std::string& key : keys) count += in.may_contain(key) ? 1U : 0U;
    return count;
}

/// Each key is told as fresh or as doubtful.
void expect_none_lost(const bitmap& fresh, const bitmap& doubtful, std::size_t keys) {
    ASSERT_EQ(fresh.bit_count(), keys);
    ASSERT_EQ(doubtful.bit_count(), keys);
    for (std::size_t i = 0; i < keys; ++i) EXPECT_TRUE(fresh[i] || doubtful[i]) << i;
}

TEST(FilterAnew, IsNotTouchedByAMakerThatSleptMeanwhile) {
    redis_server server;
    const std::vector<std::string> keys = keys_of("in", 20'000);
    int told = 0;
    const auto meanwhile = [&](std::uint64_t, std::uint64_t) {
        if (++told != 4) return;
        EXPECT_TRUE(redis_filter::drop(client_of(server), "f"));
        redis_filter::create(client_of(server), "f", many_shards, {}).insert_many(keys);
    };
    EXPECT_THROW((void)redis_filter::create(client_of(server), "f", many_shards, {}, meanwhile),
                 redis::no_such_filter);
    EXPECT_EQ(found(redis_filter::open(client_of(server), "f"), keys), keys.size());
}

TEST(FilterAnew, IsNotMadeByAMakerWhoseFilterWasDropped) {
    redis_server server;
    int told = 0;
    const auto meanwhile = [&](std::uint64_t, std::uint64_t) {
        if (++told == 4) redis_filter::drop(client_of(server), "f");
    };
    EXPECT_THROW((void)redis_filter::create(client_of(server), "f", many_shards, {}, meanwhile),
                 redis::no_such_filter);
    EXPECT_FALSE(redis_filter::exists(client_of(server), "f"));
}

TEST(FilterAnew, OfTheSameShapeLosesNoClaim) {
    redis_server server;
    const std::vector<std::string> keys = keys_of("in", 1000);
    for (const bool split : {true, false}) {
        const std::string name = split ? "split" : "whole";
        const auto make = [&] {
            return split ? redis_filter::create(client_of(server), name, many_shards, {})
                         : redis_filter::create_redisson(client_of(server), name, items{10'000},
                                                         rate{0.001});
        };
        redis_filter handle = make();
        redis_filter::drop(client_of(server), name);
        static_cast<void>(make());
        bitmap fresh;
        bitmap doubtful;
        handle.try_insert_many(keys, fresh, doubtful);
        expect_none_lost(fresh, doubtful, keys.size());
        EXPECT_EQ(found(redis_filter::open(client_of(server), name), keys), keys.size());
    }
}

TEST(FilterAnew, OfFewerShardsLeavesNoStrays) {
    redis_server server;
    redis_filter handle = redis_filter::create(client_of(server), "f", many_shards, {});
    redis_filter::drop(client_of(server), "f");
    static_cast<void>(redis_filter::create(client_of(server), "f", one_shard, {}));
    const std::vector<std::string> keys = keys_of("in", 1000);
    handle.insert_many(keys);
    EXPECT_EQ(found(handle, keys), keys.size());
    EXPECT_EQ(handle.shape(), one_shard);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 3);
}

TEST(FilterAnew, OfTheOtherSortIsPulledAsWhatItIs) {
    redis_server server;
    redis_filter handle = redis_filter::create(client_of(server), "f", many_shards, {});
    redis_filter::drop(client_of(server), "f");
    const std::vector<std::string> keys = keys_of("in", 1000);
    redis_filter::create_redisson(client_of(server), "f", items{50'000}, rate{0.001})
        .insert_many(keys);
    EXPECT_EQ(found(handle.pull(), keys), keys.size());
    EXPECT_FALSE(handle.is_split());
    EXPECT_NEAR(handle.stats().items.items, 1000, 20);
    EXPECT_EQ(found(handle.copy("g"), keys), keys.size());
}

TEST(FilterAnew, IsDroppedAsWhatItIs) {
    redis_server server;
    redis_filter handle = redis_filter::create(client_of(server), "f", one_shard, {});
    redis_filter::drop(client_of(server), "f");
    static_cast<void>(redis_filter::create(client_of(server), "f", many_shards, {}));
    handle.drop();
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(FilterGone, LeavesTheNameToWhoeverHasItNow) {
    redis_server server;
    redis_filter handle =
        redis_filter::create_redisson(client_of(server), "mine", items{100}, rate{0.01});
    redis_filter::drop(client_of(server), "mine");
    server.run({"HSET", "mine", "field", "value"});
    EXPECT_THROW((void)handle.insert("a"), redis::redis_error);
    EXPECT_THROW(handle.clear(), redis::no_such_filter);
    EXPECT_THROW(handle.expire_after(std::chrono::seconds{5}), redis::no_such_filter);
    EXPECT_THROW((void)handle.stats(), redis::no_such_filter);
    handle.drop();
    EXPECT_EQ(server.run({"HGET", "mine", "field"}).text, "value");
}

TEST(FilterNames, ThatLookLikeShardsAreOthers) {
    redis_server server;
    const std::vector<std::string> keys = keys_of("in", 1000);
    auto plain = redis_filter::create_redisson(client_of(server), "f:1", items{1000}, rate{0.001});
    plain.insert_many(keys);
    auto split = redis_filter::create(client_of(server), "f", many_shards, {});
    EXPECT_EQ(found(plain, keys), keys.size());
    EXPECT_FALSE(redis_filter::exists(client_of(server), "f:2"));
    split.drop();
    EXPECT_EQ(found(plain, keys), keys.size());
}

TEST(FilterShards, ThatRefuseHideNoClaimOfOthers) {
    redis_server server;
    redis_filter made = redis_filter::create(client_of(server), "f", many_shards, {});
    server.run({"DEL", made.key_of_shard(2)});
    server.run({"HSET", made.key_of_shard(2), "field", "value"});
    const std::vector<std::string> keys = keys_of("in", 1000);
    bitmap fresh;
    bitmap doubtful;
    EXPECT_THROW(made.try_insert_many(keys, fresh, doubtful), redis::refused);
    expect_none_lost(fresh, doubtful, keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool refused = made.shard_of(made.digest(keys[i])) == 2;
        EXPECT_EQ(doubtful[i], refused) << keys[i];
    }
}

TEST(FilterExpiry, HoldsForBitsThatComeLater) {
    redis_server server;
    auto made = redis_filter::create_redisson(client_of(server), "f", items{100}, rate{0.01});
    made.expire_after(std::chrono::seconds{1000});
    made.insert("a");
    EXPECT_GT(server.run({"TTL", "f"}).integer, 900);
    made.clear();
    EXPECT_FALSE(made.may_contain("a"));
    EXPECT_GT(server.run({"TTL", "f"}).integer, 900);
    EXPECT_GT(server.run({"TTL", "{f}:config"}).integer, 900);
}

TEST(FilterConfig, ThatIsNoneCanBeDropped) {
    redis_server server;
    server.run({"HSET", "{f}:split", "state", "ready"});
    EXPECT_THROW((void)redis_filter::open(client_of(server), "f"), bad_data);
    EXPECT_TRUE(redis_filter::drop(client_of(server), "f"));
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

} // namespace
} // namespace bloomery::testing
