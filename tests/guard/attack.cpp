// Cache penetration: most requests are for keys that do not exist.
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/redis_cache.hpp>
#include <bloomery/guard/sqlite.hpp>
#include <bloomery/guard/store.hpp>

#include "binomial.hpp"
#include "counted_source.hpp"
#include "postgres_help.hpp"
#include "redis_server.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

constexpr std::uint64_t rows = 50'000;
constexpr std::uint64_t absent_keys = 1'000'000;
constexpr std::uint64_t attackers = 4;

std::string user(std::uint64_t number) { return "user:" + std::to_string(number); }
std::string nobody(std::uint64_t number) { return "nobody:" + std::to_string(number); }

template <class Source>
void fill(Source& source) {
    std::vector<std::string> names;
    std::vector<store::entry> entries;
    for (std::uint64_t i = 0; i < rows; ++i) {
        names.push_back(user(i));
    }
    for (const std::string& name : names) {
        entries.push_back({name, "somebody"});
    }
    source.load(entries);
}

/// All absent keys, each once, by several threads, and one present key for nineteen of them.
template <class Guard>
std::uint64_t attack(Guard& guarded) {
    std::atomic<std::uint64_t> wrong = 0;
    std::vector<std::thread> threads;
    for (std::uint64_t me = 0; me < attackers; ++me) {
        threads.emplace_back([&, me] {
            for (std::uint64_t i = me; i < absent_keys; i += attackers) {
                wrong += guarded.get(nobody(i)) ? 1U : 0U;
                if (i / attackers % 19 == 0) {
                    wrong += guarded.get(user(i % rows)) ? 0U : 1U;
                }
            }
        });
    }
    for (std::thread& one : threads) {
        one.join();
    }
    return wrong;
}

/// The filter is as full as it was made for: 1 % is what it errs by, not less.
guard_options full() {
    guard_options options;
    options.planned = rate{0.01};
    options.headroom = 0;
    return options;
}

template <class Cache, class Source>
void withstand(Cache cache, const Source& stored) {
    using counted = testing::counted_source<Source>;
    counted source(stored);
    guard<filter, Cache, counted> guarded(std::move(cache), source, full());
    EXPECT_EQ(attack(guarded), 0U);

    const guard_numbers first = guarded.numbers();
    const std::uint64_t for_absent = source.asked() - first.source_hits;
    EXPECT_EQ(for_absent, first.false_positives);
    EXPECT_LE(first.present_rate, 0.01);
    EXPECT_TRUE(testing::binomial_bounds(absent_keys, first.present_rate).contain(for_absent))
        << for_absent << " at " << first.present_rate;
    EXPECT_LE(static_cast<double>(for_absent), 0.011 * absent_keys);
    EXPECT_GT(for_absent, 0U);

    // Once more, the same keys: what passed the filter is known by now.
    const std::uint64_t before = source.asked();
    EXPECT_EQ(attack(guarded), 0U);
    const guard_numbers second = guarded.numbers();
    EXPECT_EQ(second.false_positives, first.false_positives);
    EXPECT_EQ(source.asked() - before, second.source_hits - first.source_hits);
    EXPECT_EQ(second.excepted, first.false_positives);
}

TEST(Attack, OnSqliteReachesItForOneInAHundredAbsentKeysAndOnlyOnce) {
    const testing::temporary_folder folder;
    store::sqlite source(folder / "users.db", {"users", "name", "text"});
    fill(source);
    withstand(store::no_cache{}, source);
}

TEST(PostgresAttack, ReachesItForOneInAHundredAbsentKeysAndOnlyOnce) {
    store::postgres source = testing::store_on("users");
    fill(source);
    withstand(store::no_cache{}, source);
}

TEST(PostgresAttack, BehindRedisReachesNeitherForMost) {
    testing::redis_server server;
    redis::options how;
    how.servers = {{"127.0.0.1", server.port()}};
    store::postgres source = testing::store_on("users_behind_redis");
    fill(source);
    withstand(store::redis_cache(how), source);
    // Redis was asked for what passed the filter, and no key twice that was found absent.
    const std::uint64_t misses = std::stoull(server.info("stats", "keyspace_misses"));
    EXPECT_LE(static_cast<double>(misses), 0.011 * absent_keys + rows);
    EXPECT_GT(std::stoull(server.info("stats", "keyspace_hits")), rows / 2);
}

} // namespace
} // namespace bloomery
