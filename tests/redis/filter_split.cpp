// Split filters: their keys, their rate, and what is stored in Redis.
#include <bloomery/detail/layout/shard.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "binomial.hpp"
#include "via.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using redis::client;
using redis::redis_filter;

constexpr bytes small_shards{16'384};

/// How many of the keys are maybe in.
std::size_t filter_split_found(const redis_filter& in, const std::vector<std::string>& keys) {
    bitmap maybe;
    in.may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.bit_count(), keys.size());
    return maybe.count();
}

TEST(SplitFilter, HasNoFalseNegativesAndTheRateThatWasPlanned) {
    redis_server server;
    constexpr std::size_t n = 200'000;
    auto made = redis_filter::create(client_of(server), "seen", items{n}, rate{0.01}, small_shards);
    EXPECT_TRUE(made.is_split());
    EXPECT_EQ(made.shape(), plan::split_for(items{n}, rate{0.01}, small_shards));
    EXPECT_GT(made.shape().shard_count, 10U);
    EXPECT_EQ(made.made_for(), (design{n, 0.01}));
    const std::vector<std::string> keys = keys_of("in", n);
    made.insert_many(keys);
    EXPECT_EQ(filter_split_found(made, keys), n);

    const std::vector<std::string> strangers = keys_of("out", n);
    const std::size_t wrong = filter_split_found(made, strangers);
    const double expected = plan::split_rate(made.shape(), items{n});
    EXPECT_LE(expected, 0.01);
    EXPECT_DOUBLE_EQ(made.rate_at(items{n}), expected);
    const auto bounds = binomial_bounds(n, expected);
    EXPECT_TRUE(bounds.contain(wrong))
        << wrong << ", expected " << bounds.low << " to " << bounds.high;

    const statistics now = made.stats();
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error + 1);
    EXPECT_TRUE(binomial_bounds(n, now.expected_rate).contain(wrong)) << now.expected_rate;
    EXPECT_EQ(now.bit_count, made.shape().shard_count * made.shape().shard_bits);
}

TEST(SplitFilter, HasShardsThatAreFiltersOfRedisson) {
    redis_server server;
    const client via = client_of(server);
    auto made = redis_filter::create(via, "seen", items{20'000}, rate{0.05}, bytes{2'048});
    const plan::split_shape shape = made.shape();
    ASSERT_GT(shape.shard_count, 4U);
    const std::vector<std::string> keys = keys_of("in", 20'000);
    made.insert_many(keys);
    std::uint64_t ones = 0;
    std::vector<std::vector<std::string>> parts(shape.shard_count);
    for (const std::string& key : keys) {
        const auto digest = made.digest(key);
        EXPECT_EQ(made.shard_of(digest), layout::shard_of(digest, shape.shard_count));
        parts[made.shard_of(digest)].push_back(key);
    }
    const std::vector<std::string> strangers = keys_of("out", 200);
    for (std::uint64_t i = 0; i < shape.shard_count; ++i) {
        EXPECT_EQ(made.key_of_shard(i), "seen:{seen:" + std::to_string(i) + "}");
        const auto shard = redis_filter::open(via, made.key_of_shard(i));
        EXPECT_FALSE(shard.is_split());
        EXPECT_EQ(shard.shape(), (plan::split_shape{1, shape.shard_bits, shape.hash_count}));
        EXPECT_EQ(filter_split_found(shard, parts[i]), parts[i].size());
        redisson_filter alone{bits{shape.shard_bits}, hashes{shape.hash_count}};
        alone.insert_many(parts[i]);
        bitmap maybe;
        shard.may_contain_many(strangers, maybe);
        for (std::size_t j = 0; j < strangers.size(); ++j) {
            ASSERT_EQ(maybe[j], alone.may_contain(strangers[j])) << i << ' ' << strangers[j];
        }
        ones += alone.stats().bits_set;
    }
    EXPECT_EQ(made.stats().bits_set, ones);
}

TEST(SplitFilter, TellsOneOfManyThatAKeyIsNew) {
    redis_server server;
    constexpr std::size_t n = 20'000;
    const auto made =
        redis_filter::create(client_of(server), "seen", items{n}, rate{1e-6}, small_shards);
    const std::vector<std::string> keys = keys_of("in", n);
    std::vector<std::vector<int>> told(4, std::vector<int>(n));
    std::vector<std::thread> threads;
    threads.reserve(told.size());
    for (std::size_t t = 0; t < told.size(); ++t) {
        threads.emplace_back([&, t] {
            redis_filter mine = made;
            constexpr std::size_t batch = 500;
            for (std::size_t i = 0; i < n; i += batch) {
                // Half of them from the end, so that they meet in the middle too.
                const std::size_t from = t % 2 == 0 ? i : n - batch - i;
                const std::vector<std::string> some(keys.begin() + static_cast<long>(from),
                                                    keys.begin() + static_cast<long>(from + batch));
                bitmap fresh, doubtful;
                mine.try_insert_many(some, fresh, doubtful);
                EXPECT_EQ(doubtful.count(), 0U);
                for (std::size_t j = 0; j < batch; ++j) told[t][from + j] = fresh[j] ? 1 : 0;
            }
        });
    }
    for (std::thread& one : threads) one.join();
    std::size_t never = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const int times = told[0][i] + told[1][i] + told[2][i] + told[3][i];
        EXPECT_LE(times, 1) << keys[i];
        never += times == 0 ? 1U : 0U;
    }
    EXPECT_LE(never, 5U) << "keys that were answered maybe before they were in, at a rate of 1e-6";
}

TEST(SplitFilter, TakesAKeyTwiceInOneCallOnce) {
    redis_server server;
    auto made = redis_filter::create(client_of(server), "seen", items{1000}, rate{1e-4});
    bitmap fresh;
    made.try_insert_many(std::vector<std::string>{"a", "b", "a", "a"}, fresh);
    EXPECT_TRUE(fresh[0]);
    EXPECT_TRUE(fresh[1]);
    EXPECT_FALSE(fresh[2]);
    EXPECT_FALSE(fresh[3]);
    EXPECT_FALSE(made.try_insert("b"));
    EXPECT_TRUE(made.try_insert(std::uint64_t{7}));
    EXPECT_TRUE(made.may_contain(7)) << "integers of any width are one key";
}

TEST(SplitFilter, LeavesNothingWhenItIsDropped) {
    redis_server server;
    auto made =
        redis_filter::create(client_of(server), "seen", items{200'000}, rate{0.01}, small_shards);
    made.insert_many(keys_of("in", 1000));
    EXPECT_GT(server.run({"DBSIZE"}).integer, 20);
    made.drop();
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
    EXPECT_FALSE(redis_filter::exists(client_of(server), "seen"));
    EXPECT_THROW((void)made.may_contain("a"), redis::no_such_filter);
    EXPECT_THROW(made.insert_many(keys_of("in", 10)), redis::no_such_filter);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(SplitFilter, ForgetsEveryKeyWhenItIsCleared) {
    redis_server server;
    auto made =
        redis_filter::create(client_of(server), "seen", items{50'000}, rate{0.01}, small_shards);
    made.insert_many(keys_of("in", 1000));
    made.clear();
    EXPECT_EQ(filter_split_found(made, keys_of("in", 1000)), 0U);
    EXPECT_EQ(made.stats().bits_set, 0U);
    EXPECT_TRUE(made.try_insert("in:0"));
    EXPECT_TRUE(made.may_contain("in:0"));
}

TEST(SplitFilter, IsTheSameUnderAnotherName) {
    redis_server server;
    const client via = client_of(server);
    auto made = redis_filter::create(via, "seen", items{50'000}, rate{0.01}, small_shards);
    const std::vector<std::string> keys = keys_of("in", 1000);
    made.insert_many(keys);
    auto taken = redis_filter::create(via, "taken", items{10}, rate{0.01});
    const std::int64_t size = server.run({"DBSIZE"}).integer;
    EXPECT_THROW(made.rename("taken"), redis::already_exists);
    made.rename("known");
    EXPECT_EQ(made.name(), "known");
    EXPECT_EQ(filter_split_found(made, keys), keys.size());
    EXPECT_FALSE(redis_filter::exists(via, "seen"));
    EXPECT_EQ(filter_split_found(redis_filter::open(via, "known"), keys), keys.size());
    EXPECT_EQ(server.run({"DBSIZE"}).integer, size);
    EXPECT_TRUE(made.try_insert("another"));
}

TEST(SplitFilter, GoesItsOwnWayAfterACopy) {
    redis_server server;
    const client via = client_of(server);
    auto made = redis_filter::create(via, "seen", items{50'000}, rate{0.001}, small_shards);
    const std::vector<std::string> keys = keys_of("in", 1000);
    made.insert_many(keys);
    auto copy = made.copy("copy");
    EXPECT_EQ(copy.name(), "copy");
    EXPECT_EQ(copy.shape(), made.shape());
    EXPECT_EQ(filter_split_found(copy, keys), keys.size());
    EXPECT_EQ(copy.stats().bits_set, made.stats().bits_set);
    EXPECT_TRUE(copy.try_insert("new"));
    EXPECT_FALSE(made.may_contain("new"));
    EXPECT_THROW((void)made.copy("copy"), redis::already_exists);
    made.drop();
    EXPECT_EQ(filter_split_found(copy, keys), keys.size());
    copy.drop();
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(SplitFilter, ExpiresAtOneMoment) {
    redis_server server;
    auto made =
        redis_filter::create(client_of(server), "seen", items{50'000}, rate{0.01}, small_shards);
    EXPECT_FALSE(made.time_left().has_value());
    made.expire_after(std::chrono::seconds(1000));
    made.insert_many(keys_of("in", 1000));
    const std::vector<std::string> all = server.run({"KEYS", "*"}).texts();
    ASSERT_GT(all.size(), 4U);
    const std::int64_t moment = server.run({"PEXPIRETIME", all[0]}).integer;
    EXPECT_GT(moment, 0);
    for (const std::string& key : all) {
        EXPECT_EQ(server.run({"PEXPIRETIME", key}).integer, moment) << key;
    }
    EXPECT_LE(made.time_left().value(), std::chrono::seconds(1000));
    EXPECT_GE(made.time_left().value(), std::chrono::seconds(900));
    made.persist();
    EXPECT_FALSE(made.time_left().has_value());
    for (const std::string& key : all) {
        EXPECT_EQ(server.run({"PTTL", key}).integer, -1) << key;
    }
}

TEST(SplitFilter, TellsThatAPartIsLost) {
    redis_server server;
    auto made =
        redis_filter::create(client_of(server), "seen", items{50'000}, rate{0.01}, small_shards);
    const std::vector<std::string> keys = keys_of("in", 1000);
    made.insert_many(keys);
    const auto of_shard_3 = [&](const std::string& key) {
        return made.shard_of(made.digest(key)) == 3;
    };
    const std::string gone = *std::ranges::find_if(keys, of_shard_3);
    const std::string kept = *std::ranges::find_if_not(keys, of_shard_3);
    server.run({"DEL", "seen:{seen:3}"});
    EXPECT_TRUE(made.may_contain(kept));
    EXPECT_THROW((void)made.may_contain(gone), redis::data_lost);
    EXPECT_THROW(made.insert(gone), redis::data_lost);
    EXPECT_THROW((void)made.may_contain(gone), redis::data_lost)
        << "an insert does not make it whole";
    EXPECT_THROW(made.insert_many(keys), redis::data_lost);
    EXPECT_THROW((void)filter_split_found(made, keys), redis::data_lost);
    EXPECT_THROW((void)filter_split_found(redis_filter::open(client_of(server), "seen"), keys),
                 redis::data_lost);
    EXPECT_THROW((void)made.stats(), redis::data_lost);
    EXPECT_THROW((void)made.pull(), redis::data_lost);
    made.drop();
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(SplitFilter, RefusesNamesThatWouldNotSpread) {
    redis_server server;
    const client via = client_of(server);
    for (const char* const bad : {"", "{a}", "a{b", "a}b"}) {
        EXPECT_THROW((void)redis_filter::create(via, bad, items{10}, rate{0.1}), bad_argument)
            << bad;
    }
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(SplitFilter, RefusesWhatNoFilterIsMadeOf) {
    redis_server server;
    const client via = client_of(server);
    EXPECT_THROW((void)redis_filter::create(via, "f", items{0}, rate{0.1}), bad_argument);
    EXPECT_THROW((void)redis_filter::create(via, "f", items{10}, rate{0}), bad_argument);
    EXPECT_THROW((void)redis_filter::create(via, "f", items{10}, rate{1}), bad_argument);
    EXPECT_THROW((void)redis_filter::create(via, "f", items{10}, rate{0.1}, bytes{0}),
                 bad_argument);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(SplitFilter, IsMadeOnceByManyWhoOpenOrCreateIt) {
    redis_server server;
    std::vector<std::thread> threads;
    threads.reserve(6);
    for (int t = 0; t < 6; ++t) {
        threads.emplace_back([&, t] {
            auto mine = redis_filter::open_or_create(client_of(server), "seen", items{50'000},
                                                     rate{0.01}, small_shards);
            mine.insert_many(keys_of(std::to_string(t), 200));
        });
    }
    for (std::thread& one : threads) one.join();
    const auto made = redis_filter::open(client_of(server), "seen");
    for (int t = 0; t < 6; ++t)
        EXPECT_EQ(filter_split_found(made, keys_of(std::to_string(t), 200)), 200U);
    EXPECT_THROW((void)redis_filter::create(client_of(server), "seen", items{50'000}, rate{0.01}),
                 redis::already_exists);
}

TEST(SplitFilter, MadeAnewWithAnotherSizeIsTheOneToGoOnWith) {
    redis_server server;
    auto mine =
        redis_filter::create(client_of(server), "seen", items{50'000}, rate{0.01}, small_shards);
    const auto asking = mine;
    mine.insert("old");
    auto theirs = redis_filter::open(client_of(server), "seen");
    theirs.drop();
    theirs =
        redis_filter::create(client_of(server), "seen", items{90'000}, rate{0.001}, bytes{8'192});
    theirs.insert_many(keys_of("theirs", 500));
    EXPECT_EQ(filter_split_found(asking, keys_of("theirs", 500)), 500U);
    mine.insert_many(keys_of("mine", 500));
    EXPECT_EQ(filter_split_found(theirs, keys_of("mine", 500)), 500U);
    EXPECT_EQ(mine.shape(), theirs.shape());
}

} // namespace
} // namespace bloomery::testing
