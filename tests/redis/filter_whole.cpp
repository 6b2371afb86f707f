// Filters that go from memory to Redis and back as a whole.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "payload.hpp"
#include "via.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using redis::client;
using redis::redis_filter;

constexpr bytes filter_whole_small_shards{4'096};

template <class Filter>
bitmap answers_of(const Filter& asked, const std::vector<std::string>& keys) {
    bitmap maybe;
    asked.may_contain_many(keys, maybe);
    return maybe;
}

TEST(PulledFilter, IsTheOneThatIsFilledInMemory) {
    redis_server server;
    auto made = redis_filter::create(client_of(server), "seen", items{20'000}, rate{0.05},
                                     filter_whole_small_shards);
    any_filter in_memory = made.pull();
    EXPECT_EQ(in_memory.spec().scheme, layout::scheme_id::redisson_split);
    EXPECT_EQ(in_memory.spec(), made.spec());
    EXPECT_EQ(in_memory.stats().bits_set, 0U);
    const std::vector<std::string> keys = keys_of("in", 20'000);
    made.insert_many(keys);
    in_memory.insert_many(std::vector<std::string_view>(keys.begin(), keys.end()));
    const any_filter pulled = made.pull();
    EXPECT_EQ(payload_of(pulled), payload_of(in_memory));
    EXPECT_EQ(pulled.stats().bits_set, made.stats().bits_set);
    const std::vector<std::string> strangers = keys_of("out", 20'000);
    EXPECT_EQ(answers_of(pulled, strangers), answers_of(made, strangers));
    EXPECT_EQ(answers_of(pulled, keys).count(), keys.size());
}

TEST(PulledFilter, TellsHowFarItHasCome) {
    redis_server server;
    std::uint64_t last = 0;
    std::uint64_t all = 0;
    const auto tell = [&](std::uint64_t done, std::uint64_t of) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, of);
        last = done;
        all = of;
    };
    auto made = redis_filter::create(client_of(server), "seen", items{20'000}, rate{0.05},
                                     filter_whole_small_shards, tell);
    EXPECT_GT(all, 0U);
    EXPECT_EQ(last, all);
    last = all = 0;
    (void)made.pull(tell);
    EXPECT_GE(all, made.byte_count());
    EXPECT_EQ(last, all);
}

TEST(PushedFilter, AnswersAsItDidInMemory) {
    redis_server server;
    const client via = client_of(server);
    auto first =
        redis_filter::create(via, "first", items{20'000}, rate{0.05}, filter_whole_small_shards);
    any_filter in_memory = first.pull();
    const std::vector<std::string> keys = keys_of("in", 20'000);
    in_memory.insert_many(std::vector<std::string_view>(keys.begin(), keys.end()));
    auto pushed = redis_filter::push(via, "second", in_memory);
    EXPECT_TRUE(pushed.is_split());
    EXPECT_EQ(pushed.shape(), first.shape());
    EXPECT_EQ(pushed.made_for(), first.made_for());
    EXPECT_EQ(answers_of(pushed, keys).count(), keys.size());
    const std::vector<std::string> strangers = keys_of("out", 20'000);
    EXPECT_EQ(answers_of(pushed, strangers), answers_of(in_memory, strangers));
    EXPECT_TRUE(pushed.try_insert("another") || pushed.may_contain("another"));
    EXPECT_THROW((void)redis_filter::push(via, "first", in_memory), redis::already_exists);
    first.drop();
    pushed.drop();
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0) << "no draft is left";
}

TEST(PushedFilter, OfRedissonIsNotSplit) {
    redis_server server;
    const client via = client_of(server);
    redisson_filter in_memory{bits{7298}, hashes{5}};
    const std::vector<std::string> keys = keys_of("in", 1000);
    in_memory.insert_many(keys);
    const auto pushed = redis_filter::push(via, "plain", any_filter(in_memory));
    EXPECT_FALSE(pushed.is_split());
    EXPECT_EQ(server.run({"HGET", "{plain}:config", "size"}).text, "7298");
    EXPECT_EQ(answers_of(pushed, keys).count(), keys.size());
    auto line_by_line = redis_filter::create_redisson(via, "other", bits{7298}, hashes{5}, {});
    line_by_line.insert_many(keys);
    EXPECT_EQ(server.run({"GET", "plain"}).text, server.run({"GET", "other"}).text);
    const any_filter pulled = pushed.pull();
    EXPECT_EQ(pulled.spec(), in_memory.spec());
    EXPECT_EQ(payload_of(pulled), payload_of(any_filter(in_memory)));
}

TEST(PushedFilter, OfAnotherSchemeIsRefused) {
    redis_server server;
    const any_filter native = filter{items{100}, rate{0.01}};
    EXPECT_THROW((void)redis_filter::push(client_of(server), "f", native), incompatible);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(RedisFilter, IsNoFilterThatCouldBeSaved) {
    redis_server server;
    const auto made = redis_filter::create(client_of(server), "f", items{100}, rate{0.01});
    EXPECT_THROW((void)any_filter(std::in_place, made).saved(), unsupported);
    EXPECT_FALSE(made.facts().empty());
}

} // namespace
} // namespace bloomery::testing
