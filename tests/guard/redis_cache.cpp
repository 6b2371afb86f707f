// Redis as the cache: what it returns, how long entries live, and what an unreachable server costs.
#include <bloomery/guard/redis_cache.hpp>
#include <bloomery/redis/client.hpp>

#include "random.hpp"
#include "redis_server.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using store::cached;
using store::redis_cache;
using enum cached::knowledge;

redis::options options_for(const redis_server& server) {
    redis::options how;
    how.servers = {{"127.0.0.1", server.port(), {}}};
    // Long enough for a machine that is busy with other tests.
    how.patience = how.connect_timeout = how.answer_timeout = 20s;
    return how;
}

redis::options options_for_nobody() {
    redis::options how;
    how.servers = {{"127.0.0.1", free_port(), {}}};
    return how;
}

void put(redis_cache& to, std::string_view key, std::optional<std::string_view> value) {
    const store::entry one{key, value};
    to.put({&one, 1});
}

void erase(redis_cache& from, std::string_view key) { from.erase({&key, 1}); }

TEST(RedisCache, KnowsValuesAndForgetsThem) {
    redis_server server;
    redis_cache cache(options_for(server));
    EXPECT_EQ(cache.get("key").is, nothing);
    put(cache, "key", "value");
    EXPECT_EQ(cache.get("key").is, value);
    EXPECT_EQ(cache.get("key").value, "value");
    put(cache, "key", "");
    EXPECT_EQ(cache.get("key").is, value);
    EXPECT_EQ(cache.get("key").value, "");
    erase(cache, "key");
    EXPECT_EQ(cache.get("key").is, nothing);
    erase(cache, "key");
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

TEST(RedisCache, KeepsKeysUnderItsPrefix) {
    redis_server server;
    redis_cache cache(options_for(server), {.prefix = "shop:"});
    redis_cache other(options_for(server), {.prefix = "news:"});
    put(cache, "key", "value");
    EXPECT_EQ(server.run({"GET", "shop:key"}).text, "vvalue");
    EXPECT_EQ(other.get("key").is, nothing);
    erase(other, "key");
    EXPECT_EQ(cache.get("key").is, value);
}

TEST(RedisCache, TakesAnyBytesAsKeyAndValue) {
    redis_server server;
    redis_cache cache(options_for(server));
    random_source random(9);
    std::vector<std::string> bytes{"", std::string(3, '\0'), "\r\n$3\r\n", "{a}{b}", "n", "v"};
    for (std::size_t length = 1; length < 100; ++length) bytes.push_back(random.bytes(length));
    bytes.push_back(random.bytes(1U << 20U));
    std::vector<store::entry> entries;
    std::vector<std::string_view> keys;
    for (const std::string& each : bytes) {
        entries.push_back({each, bytes[bytes.size() - 1 - keys.size()]});
        keys.emplace_back(each);
    }
    cache.put(entries);
    const std::vector<cached> found = cache.get_many(keys);
    ASSERT_EQ(found.size(), keys.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].is, value);
        EXPECT_EQ(found[i].value, *entries[i].value) << i;
    }
}

TEST(RedisCache, AnswersForManyKeysInTheirOrder) {
    redis_server server;
    redis_cache cache(options_for(server), {.absences = true});
    put(cache, "a", "1");
    put(cache, "b", std::nullopt);
    const std::array<std::string_view, 5> keys{"c", "b", "a", "c", "a"};
    const std::vector<cached> found = cache.get_many(keys);
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].is, nothing);
    EXPECT_EQ(found[1].is, absence);
    EXPECT_EQ(found[2].value, "1");
    EXPECT_EQ(found[3].is, nothing);
    EXPECT_EQ(found[4].value, "1");
    EXPECT_TRUE(cache.get_many({}).empty());
    cache.put({});
    cache.erase({});
}

TEST(RedisCache, LetsEntriesThatCameTogetherExpireApart) {
    redis_server server;
    redis_cache cache(options_for(server), {.expiry = 100'000ms, .jitter = 0.2});
    std::vector<std::string> names;
    for (int i = 0; i < 1000; ++i) names.push_back(std::to_string(i));
    std::vector<store::entry> entries;
    for (const std::string& each : names) entries.push_back({each, "value"});
    const auto begin = std::chrono::steady_clock::now();
    cache.put(entries);
    std::set<std::int64_t> lives;
    int early = 0;
    for (const std::string& each : names) {
        const std::int64_t life = server.run({"PTTL", "guard:" + each}).integer;
        const auto passed = std::chrono::steady_clock::now() - begin + 1ms;
        ASSERT_LE(life, 120'000);
        ASSERT_GE(life, 80'000 - passed / 1ms);
        early += life < 100'000 ? 1 : 0;
        lives.insert(life);
    }
    EXPECT_GT(lives.size(), 800U);
    EXPECT_GT(early, 400);
    EXPECT_LT(early, 650); // some have lived for a while already
    EXPECT_EQ(cache.longest_life(), 120'000ms);
}

TEST(RedisCache, LetsEntriesGoWhenTheirTimeIsOver) {
    redis_server server;
    redis_cache cache(options_for(server), {.expiry = 1ms, .jitter = 0});
    put(cache, "key", "value");
    while (cache.get("key").is == value) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(cache.get("key").is, nothing);
    EXPECT_EQ(cache.longest_life(), 1ms);
}

TEST(RedisCache, RemembersAbsencesOnlyIfItIsMadeTo) {
    redis_server server;
    redis_cache without(options_for(server));
    put(without, "key", std::nullopt);
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
    redis_cache with(options_for(server), {.absences = true, .absence_expiry = 60'000ms});
    put(with, "key", std::nullopt);
    EXPECT_EQ(with.get("key").is, absence);
    EXPECT_LE(server.run({"PTTL", "guard:key"}).integer, 66'000);
    EXPECT_EQ(with.longest_life(), 660'000ms);
    const redis_cache longer(options_for(server),
                             {.expiry = 10ms, .absences = true, .absence_expiry = 20ms});
    EXPECT_EQ(longer.longest_life(), 22ms);
}

TEST(RedisCache, NeverReplacesAValueByAnAbsence) {
    redis_server server;
    redis_cache cache(options_for(server), {.absences = true});
    put(cache, "key", "value");
    put(cache, "key", std::nullopt);
    EXPECT_EQ(cache.get("key").value, "value");
    put(cache, "other", std::nullopt);
    put(cache, "other", "value");
    EXPECT_EQ(cache.get("other").value, "value");
    put(cache, "third", std::nullopt);
    erase(cache, "third");
    EXPECT_EQ(cache.get("third").is, nothing);
}

TEST(RedisCache, KnowsNothingFromWhatItDidNotWrite) {
    redis_server server;
    redis_cache cache(options_for(server));
    server.run({"RPUSH", "guard:list", "vvalue"});
    server.run({"SET", "guard:text", "a value"});
    server.run({"SET", "guard:empty", ""});
    server.run({"SET", "guard:long", "no"});
    for (const char* key : {"list", "text", "empty", "long"}) {
        EXPECT_EQ(cache.get(key).is, nothing) << key;
        put(cache, key, "ours");
        EXPECT_EQ(cache.get(key).value, "ours") << key;
    }
}

TEST(RedisCache, SaysWhatTheServerRefuses) {
    redis_server server({.lines = {"maxmemory 1mb", "maxmemory-policy noeviction"}});
    redis_cache cache(options_for(server));
    try {
        for (int i = 0; i < 4; ++i) put(cache, std::to_string(i), std::string(1U << 20U, 'x'));
        FAIL() << "it took all";
    } catch (const store::unavailable& e) {
        FAIL() << "it was there: " << e.what();
    } catch (const store::store_error& e) {
        EXPECT_NE(std::string(e.what()).find("OOM"), std::string::npos) << e.what();
    }
}

TEST(RedisCache, SaysThatThePasswordIsMissingOrWrong) {
    redis_server server({.password = "secret"});
    redis::options how = options_for(server);
    redis_cache without(how);
    EXPECT_THROW((void)without.get("key"), store::store_error);
    how.password = "wrong";
    redis_cache wrong(how);
    EXPECT_THROW((void)wrong.get("key"), store::store_error);
    how.password = "secret";
    redis_cache right(how);
    EXPECT_EQ(right.get("key").is, nothing);
}

TEST(RedisCache, IsMadeWhileNobodyIsThereAndConnectsLater) {
    redis_server server;
    server.stop();
    redis_cache cache(options_for(server));
    server.start();
    put(cache, "key", "value");
    EXPECT_EQ(cache.get("key").value, "value");
}

TEST(RedisCache, SaysThatNobodyIsThere) {
    redis_cache cache(options_for_nobody());
    EXPECT_THROW((void)cache.get("key"), store::unavailable);
    EXPECT_THROW(put(cache, "key", "value"), store::unavailable);
    EXPECT_THROW(erase(cache, "key"), store::unavailable);
}

TEST(RedisCache, ComesBackWithItsServer) {
    redis_server server;
    redis::options how = options_for(server);
    how.patience = 100ms;
    redis_cache cache(how);
    put(cache, "key", "value");
    server.kill9();
    EXPECT_THROW((void)cache.get("key"), store::unavailable);
    EXPECT_THROW(put(cache, "key", "value"), store::unavailable);
    EXPECT_THROW(erase(cache, "key"), store::unavailable);
    server.start();
    EXPECT_EQ(cache.get("key").is, nothing);
    put(cache, "key", "value");
    EXPECT_EQ(cache.get("key").value, "value");
}

TEST(RedisCache, GivesUpOnASilentServerWithoutBeingTold) {
    redis_server server;
    redis::options how;
    how.servers = {{"127.0.0.1", server.port(), {}}};
    redis_cache cache(how);
    put(cache, "key", "value");
    server.pause();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW((void)cache.get("key"), store::unavailable);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s) << "a client waits 30 s";
    server.resume();
}

TEST(RedisCache, IsSharedByThreads) {
    redis_server server;
    const redis_cache shared(options_for(server));
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) {
        threads.emplace_back([&, i] {
            redis_cache cache = shared;
            for (int j = 0; j < 200; ++j) {
                const std::string key = std::to_string(i) + ':' + std::to_string(j);
                put(cache, key, key);
                if (cache.get(key).value != key) ++wrong;
            }
        });
    }
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(wrong, 0);
}

TEST(RedisCache, RefusesTimesThatAreNone) {
    redis_server server;
    const redis::client via(options_for(server));
    EXPECT_THROW(redis_cache(via, {.expiry = 0ms}), bad_argument);
    EXPECT_THROW(redis_cache(via, {.expiry = std::chrono::milliseconds::max()}), bad_argument);
    EXPECT_THROW(redis_cache(via, {.absence_expiry = -1ms}), bad_argument);
    for (const double jitter : {-0.1, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(redis_cache(via, {.jitter = jitter}), bad_argument);
    }
    redis::options none;
    none.servers.clear();
    EXPECT_THROW(redis_cache{none}, bad_argument);
    redis_cache given(via);
    put(given, "key", "value");
    EXPECT_EQ(given.get("key").value, "value");
}

} // namespace
} // namespace bloomery::testing
