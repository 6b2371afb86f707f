// Filters that are not split are Redisson's, in both directions.
#include <bloomery/error.hpp>
#include <bloomery/format/redis.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "foreign_manifest.hpp"
#include "redisson_keys.hpp"
#include "via.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using nlohmann::json;
using redis::client;
using redis::redis_filter;

/// The cases that came out of a real Redis.
std::vector<json> cases() {
    std::vector<json> found;
    const json manifest = load_manifest(foreign_data() / "redisson" / "manifest.json");
    for (const json& one : manifest.at("cases")) {
        if (one.value("type", "") == "redis") found.push_back(one);
    }
    return found;
}

format::redis_fields config_of(const json& one) {
    return format::redisson_config{one.at("size"), one.at("hashIterations"), one.at("n"),
                                   one.at("fpp")}
        .to_fields();
}

/// HGETALL, as a map.
format::redis_fields fields_at(redis_server& server, const std::string& key) {
    const std::vector<std::string> texts = server.run({"HGETALL", key}).texts();
    format::redis_fields fields;
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2) fields[texts[i]] = texts[i + 1];
    return fields;
}

void put(redis_server& server, const std::string& key, const format::redis_fields& fields) {
    for (const auto& [name, value] : fields) server.run({"HSET", key, name, value});
}

void expect_answers(const redis_filter& asked, const json& one) {
    const std::vector<std::string> probes = redisson_keys(one, one.at("probes"));
    const auto answers = one.at("answers").get<std::string>();
    bitmap maybe;
    asked.may_contain_many(probes, maybe);
    for (std::size_t i = 0; i < probes.size(); ++i) {
        ASSERT_EQ(maybe[i], answers[i] == '1') << "probe " << i;
    }
    for (std::size_t i = 0; i < probes.size(); i += 17) {
        ASSERT_EQ(asked.may_contain(probes[i]), answers[i] == '1') << "probe " << i;
    }
}

TEST(RedissonFilter, HasTheBitsAndTheConfigThatRedissonWrites) {
    redis_server server;
    for (const json& one : cases()) {
        SCOPED_TRACE(one.at("id"));
        server.run({"FLUSHALL"});
        const auto name = one.at("redis_key").get<std::string>();
        auto made = redis_filter::create_redisson(client_of(server), name,
                                                  items{one.at("n").get<std::uint64_t>()},
                                                  rate{one.at("fpp").get<double>()});
        EXPECT_FALSE(made.is_split());
        EXPECT_EQ(fields_at(server, one.at("config_key")), config_of(one));
        const std::vector<std::string> keys = redisson_keys(one, one.at("keys"));
        const auto changed = one.at("add_changed").get<std::string>();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            EXPECT_EQ(made.try_insert(keys[i]), changed[i] == '1') << "key " << i;
        }
        EXPECT_EQ(server.run({"GET", name}).text,
                  foreign_file("redisson", one.at("file").get<std::string>()));
        EXPECT_EQ(server.run({"DBSIZE"}).integer, 2);
        expect_answers(made, one);
    }
}

TEST(RedissonFilter, InsertedAtOnceHasTheSameBits) {
    redis_server server;
    for (const json& one : cases()) {
        SCOPED_TRACE(one.at("id"));
        server.run({"FLUSHALL"});
        auto made = redis_filter::create_redisson(
            client_of(server), "at once", bits{one.at("size").get<std::uint64_t>()},
            hashes{one.at("hashIterations").get<std::uint32_t>()}, {});
        bitmap fresh;
        made.try_insert_many(redisson_keys(one, one.at("keys")), fresh);
        const auto changed = one.at("add_changed").get<std::string>();
        for (std::size_t i = 0; i < changed.size(); ++i) {
            EXPECT_EQ(fresh[i], changed[i] == '1') << "key " << i;
        }
        EXPECT_EQ(server.run({"GET", "at once"}).text,
                  foreign_file("redisson", one.at("file").get<std::string>()));
    }
}

TEST(RedissonFilter, OpensWhatRedissonWrote) {
    redis_server server;
    for (const json& one : cases()) {
        SCOPED_TRACE(one.at("id"));
        server.run({"FLUSHALL"});
        const auto name = one.at("redis_key").get<std::string>();
        server.run({"SET", name, foreign_file("redisson", one.at("file").get<std::string>())});
        put(server, one.at("config_key"), config_of(one));
        const auto opened = redis_filter::open(client_of(server), name);
        EXPECT_FALSE(opened.is_split());
        EXPECT_EQ(opened.shape(), (plan::split_shape{1, one.at("size"), one.at("hashIterations")}));
        EXPECT_EQ(opened.made_for(), (design{one.at("n"), one.at("fpp")}));
        EXPECT_EQ(opened.stats().bits_set, one.at("bitcount").get<std::uint64_t>());
        expect_answers(opened, one);
    }
}

// Redisson writes no bits before the first key.
TEST(RedissonFilter, IsEmptyWithoutItsBits) {
    redis_server server;
    put(server, "{f}:config", format::redisson_config_for(100, 0.01).to_fields());
    auto opened = redis_filter::open(client_of(server), "f");
    EXPECT_FALSE(opened.may_contain("a"));
    EXPECT_EQ(opened.stats().bits_set, 0U);
    EXPECT_TRUE(opened.try_insert("a"));
    EXPECT_FALSE(opened.try_insert("a"));
    EXPECT_TRUE(opened.may_contain("a"));
}

TEST(RedissonFilter, MadeAnewWithAnotherSizeIsTheOneToGoOnWith) {
    redis_server server;
    auto mine = redis_filter::create_redisson(client_of(server), "f", items{100}, rate{0.01});
    const auto asking = redis_filter::open(client_of(server), "f");
    auto batch = redis_filter::open(client_of(server), "f");
    mine.insert("old");
    auto theirs = redis_filter::open(client_of(server), "f");
    theirs.drop();
    theirs = redis_filter::create_redisson(client_of(server), "f", items{5000}, rate{1e-6});
    theirs.insert("theirs");

    EXPECT_TRUE(asking.may_contain("theirs"));
    EXPECT_TRUE(mine.try_insert("mine"));
    EXPECT_TRUE(theirs.may_contain("mine"));
    EXPECT_FALSE(asking.may_contain("old"));
    batch.insert_many(keys_of("batch", 100));
    bitmap maybe;
    theirs.may_contain_many(keys_of("batch", 100), maybe);
    EXPECT_EQ(maybe.count(), 100U);
    EXPECT_EQ(mine.shape(), theirs.shape());
    EXPECT_EQ(batch.shape(), theirs.shape());
}

TEST(RedissonFilter, MissingIsTold) {
    redis_server server;
    EXPECT_THROW((void)redis_filter::open(client_of(server), "f"), redis::no_such_filter);
    EXPECT_FALSE(redis_filter::exists(client_of(server), "f"));
    auto made = redis_filter::create_redisson(client_of(server), "f", items{100}, rate{0.01});
    EXPECT_TRUE(redis_filter::exists(client_of(server), "f"));
    auto other = redis_filter::open(client_of(server), "f");
    made.drop();
    made.drop(); // a missing filter is not an error
    EXPECT_THROW(other.insert("a"), redis::no_such_filter);
    EXPECT_THROW((void)other.may_contain("a"), redis::no_such_filter);
    EXPECT_THROW(other.insert_many(keys_of("k", 10)), redis::no_such_filter);
    bitmap maybe;
    EXPECT_THROW(other.may_contain_many(keys_of("k", 10), maybe), redis::no_such_filter);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0) << "nothing is left by the attempts";
}

TEST(RedissonFilter, ASecondOfTheNameIsRefused) {
    redis_server server;
    const client via = client_of(server);
    auto made = redis_filter::create_redisson(via, "f", items{100}, rate{0.01});
    made.insert("a");
    EXPECT_THROW((void)redis_filter::create_redisson(via, "f", items{1000}, rate{0.1}),
                 redis::already_exists);
    EXPECT_THROW((void)redis_filter::create(via, "f", items{1000}, rate{0.1}),
                 redis::already_exists);
    EXPECT_TRUE(made.may_contain("a"));
}

TEST(RedissonFilter, AConfigThatIsNoneIsRefused) {
    redis_server server;
    auto made = redis_filter::create_redisson(client_of(server), "f", items{100}, rate{0.01});
    for (const char* const bad : {"", "x", "-1", "0", "99999999999999999999"}) {
        server.run({"HSET", "{f}:config", "size", bad});
        EXPECT_THROW((void)redis_filter::open(client_of(server), "f"), bad_data) << bad;
        EXPECT_THROW(made.insert("a"), bad_data) << bad;
    }
    server.run({"HDEL", "{f}:config", "size"});
    EXPECT_THROW((void)redis_filter::open(client_of(server), "f"), bad_data);
}

TEST(RedissonFilter, AKeyOfAnotherTypeIsRefused) {
    redis_server server;
    const client via = client_of(server);
    server.run({"SET", "{text}:config", "x"});
    EXPECT_THROW((void)redis_filter::open(via, "text"), redis::refused);
    auto made = redis_filter::create_redisson(via, "f", items{100}, rate{0.01});
    server.run({"DEL", "f"});
    server.run({"RPUSH", "f", "x"});
    EXPECT_THROW(made.insert("a"), redis::refused);
    EXPECT_THROW((void)made.may_contain("a"), redis::refused);
    EXPECT_THROW(made.insert_many(keys_of("k", 10)), redis::refused);
}

TEST(RedissonFilter, ANumberOfKeysThatRedissonRefusesIsRefused) {
    redis_server server;
    const client via = client_of(server);
    EXPECT_THROW((void)redis_filter::create_redisson(via, "f", items{100}, rate{1.5}),
                 bad_argument);
    EXPECT_THROW((void)redis_filter::create_redisson(via, "f", items{1'000'000'000}, rate{1e-9}),
                 bad_argument);
    EXPECT_THROW((void)redis_filter::create_redisson(via, "", items{100}, rate{0.01}),
                 bad_argument);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(RedissonFilter, RefusesToWriteWhereMemoryIsAtItsEnd) {
    redis_server server;
    auto made = redis_filter::create_redisson(client_of(server), "f", items{100}, rate{0.01});
    server.run({"CONFIG", "SET", "maxmemory", "1"});
    EXPECT_THROW(made.insert("a"), redis::refused);
    server.run({"CONFIG", "SET", "maxmemory", "0"});
    EXPECT_TRUE(made.try_insert("a"));
}

TEST(RedissonFilter, NeverTakesTheKeyOfSomethingElse) {
    redis_server server;
    const client via = client_of(server);
    server.run({"SET", "mine", "text"});
    EXPECT_THROW((void)redis_filter::create_redisson(via, "mine", items{100}, rate{0.01}),
                 redis::already_exists);
    auto made = redis_filter::create_redisson(via, "other", items{100}, rate{0.01});
    EXPECT_THROW(made.rename("mine"), redis::already_exists);
    EXPECT_THROW((void)made.copy("mine"), redis::already_exists);
    EXPECT_EQ(server.run({"GET", "mine"}).text, "text");
    EXPECT_EQ(made.name(), "other");
    EXPECT_FALSE(made.may_contain("a"));
}

} // namespace
} // namespace bloomery::testing
