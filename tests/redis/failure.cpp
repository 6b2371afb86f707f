// What is guaranteed for keys whose insert failed.
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "cutting_proxy.hpp"
#include "via.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using redis::answer;
using redis::client;
using redis::redis_filter;
using redis::request;

constexpr std::size_t many = 400'000;

/// Kills the server when it has some of the keys, in the middle of a call that takes several round
/// trips.
class killer {
public:
    explicit killer(redis_server& whom)
        : thread_([&whom] {
              (void)comes_true(60s, [&] {
                  return whom.command({"BITCOUNT", "seen:{seen:0}"}).integer > 200'000;
              });
              whom.kill9();
          }) {}
    killer(const killer&) = delete;
    killer& operator=(const killer&) = delete;
    ~killer() { thread_.join(); }

private:
    std::thread thread_;
};

redis_filter impatient_filter(redis_server& server) {
    redis::options how = options_for(server);
    how.patience = 300ms;
    return redis_filter::create(client(how), "seen", items{many}, rate{1e-4}, bytes{1 << 18U});
}

/// Those of the keys whose bit is set.
std::vector<std::string> chosen(const std::vector<std::string>& keys, const bitmap& by) {
    std::vector<std::string> some;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (by[i]) some.push_back(keys[i]);
    }
    return some;
}

void expect_stored(redis_server& server, const std::vector<std::string>& keys) {
    server.start();
    bitmap maybe;
    redis_filter::open(client_of(server), "seen").may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.count(), keys.size());
}

TEST(Failure, OfTheServerLeavesWhatItHasStored) {
    redis_server server({.lines = {"appendonly yes", "appendfsync always"}});
    redis_filter made = impatient_filter(server);
    const std::vector<std::string> keys = keys_of("in", many);
    bitmap stored;
    {
        const killer then(server);
        try {
            made.insert_many(keys);
            FAIL() << "all keys were inserted before the server died";
        } catch (const redis::partly_stored& told) {
            stored = told.stored();
        }
    }
    ASSERT_EQ(stored.bit_count(), many);
    EXPECT_GT(stored.count(), 0U);
    EXPECT_LT(stored.count(), many);
    expect_stored(server, chosen(keys, stored));
}

TEST(Failure, OfTheServerLeavesNoKeyUntold) {
    redis_server server({.lines = {"appendonly yes", "appendfsync always"}});
    redis_filter made = impatient_filter(server);
    const std::vector<std::string> keys = keys_of("in", many);
    bitmap stored, fresh, doubtful;
    {
        const killer then(server);
        try {
            made.try_insert_many(keys, fresh, doubtful);
            FAIL() << "all keys were inserted before the server died";
        } catch (const redis::partly_stored& told) {
            stored = told.stored();
        }
    }
    ASSERT_EQ(fresh.bit_count(), many);
    ASSERT_EQ(doubtful.bit_count(), many);
    for (std::size_t i = 0; i < many; ++i) {
        ASSERT_TRUE(stored[i] || doubtful[i]) << i;
        ASSERT_FALSE(fresh[i] && (doubtful[i] || !stored[i])) << i;
    }
    EXPECT_GT(fresh.count(), 0U);
    expect_stored(server, chosen(keys, stored));
}

TEST(Failure, AtOneKeyIsUnreachable) {
    redis_server server;
    redis_filter made = impatient_filter(server);
    server.kill9();
    EXPECT_THROW(made.insert("a"), redis::unreachable);
    EXPECT_THROW((void)made.may_contain("a"), redis::unreachable);
    EXPECT_THROW(made.insert_many(keys_of("in", 10)), redis::partly_stored);
}

// Every second key is in before; the way breaks somewhere in the answers.
TEST(Failure, OfTheWayIsOvercomeAndDoubtIsTold) {
    redis_server server;
    cutting_proxy proxy(server.port());
    redis::options how = options_for(server);
    how.servers[0].port = proxy.port();
    auto straight =
        redis_filter::create(client_of(server), "seen", items{100'000}, rate{1e-6}, bytes{16'384});
    redis_filter through = redis_filter::open(client(how), "seen");
    constexpr std::size_t n = 3000;
    int cuts = 0;
    std::size_t doubts = 0;
    for (const std::int64_t after : {0, 1, 7, 500, 5'000, 15'000}) {
        SCOPED_TRACE(after);
        const std::vector<std::string> keys = keys_of("cut" + std::to_string(after), n);
        std::vector<std::string> old;
        for (std::size_t i = 0; i < n; i += 2) old.push_back(keys[i]);
        straight.insert_many(old);
        proxy.cut_after(after);
        bitmap fresh, doubtful;
        through.try_insert_many(keys, fresh, doubtful);
        EXPECT_EQ(proxy.cuts(), ++cuts);
        std::size_t untold = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (i % 2 == 0) {
                EXPECT_FALSE(fresh[i]) << keys[i];
            } else {
                EXPECT_FALSE(fresh[i] && doubtful[i]) << keys[i];
                untold += fresh[i] || doubtful[i] ? 0U : 1U;
            }
        }
        EXPECT_LE(untold, 2U) << "false positives, at a rate of 1e-6";
        doubts += doubtful.count();
        bitmap maybe;
        straight.may_contain_many(keys, maybe);
        EXPECT_EQ(maybe.count(), n);
        through.may_contain_many(keys, maybe);
        EXPECT_EQ(maybe.count(), n);
    }
    EXPECT_GT(doubts, 0U);
}

TEST(Failure, OfTheWayBetweenTwoCallsIsNotSeen) {
    redis_server server;
    auto made = redis_filter::create(client_of(server), "seen", items{1000}, rate{1e-6});
    for (int i = 0; i < 5; ++i) {
        server.run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
        bitmap fresh, doubtful;
        made.try_insert_many(keys_of(std::to_string(i), 10), fresh, doubtful);
        EXPECT_EQ(fresh.count() + doubtful.count(), 10U);
        made.insert("b" + std::to_string(i));
    }
}

TEST(Failure, IsNoReasonToDoTwiceWhatIsToBeDoneOnce) {
    redis_server server;
    cutting_proxy proxy(server.port());
    redis::options how = options_for(server);
    how.servers[0].port = proxy.port();
    client via(how);
    proxy.cut_after(0);
    const answer once =
        via.exchange(std::vector<request>{request::of("INCR", "once").writes().only_once()}).at(0);
    EXPECT_FALSE(once.arrived);
    EXPECT_FALSE(once.failure.empty());
    EXPECT_EQ(server.run({"GET", "once"}).text, "1");
    proxy.cut_after(0);
    const answer twice =
        via.exchange(std::vector<request>{request::of("INCR", "twice").writes()}).at(0);
    EXPECT_TRUE(twice.arrived);
    EXPECT_TRUE(twice.repeated);
    EXPECT_EQ(twice.reply.integer, 2);
}

/// A master and its replica.
struct pair {
    pair() {
        replica.run({"REPLICAOF", "127.0.0.1", std::to_string(master.port())});
        // The master counts it from its first acknowledgement on, up to a second after the link.
        wait_until("the replica follows", 20s, [this] {
            if (replica.info("replication", "master_link_status") != "up") return false;
            master.run({"SET", "probe", ""});
            return master.run({"WAIT", "1", "50"}).integer == 1;
        });
    }
    [[nodiscard]] bool agree() {
        return replica.command({"GET", "seen:{seen:0}"}).text ==
               master.command({"GET", "seen:{seen:0}"}).text;
    }
    redis_server master;
    redis_server replica;
};

redis::options impatient(const redis_server& server) {
    redis::options how = options_for(server);
    how.answer_timeout = 200ms;
    how.patience = 400ms;
    return how;
}

TEST(Replicas, HaveAKeyWhenItsInsertReturns) {
    pair servers;
    auto made =
        redis_filter::create(client(impatient(servers.master)), "seen", items{1000}, rate{0.01});
    made.wait_for_replicas(1);
    made.insert_many(keys_of("in", 100));
    EXPECT_TRUE(servers.agree());
    servers.replica.pause();
    EXPECT_THROW(made.insert("late"), redis::unreachable);
    try {
        made.insert_many(keys_of("later", 10));
        ADD_FAILURE() << "no replica has it";
    } catch (const redis::partly_stored& told) {
        EXPECT_EQ(told.stored().count(), 0U);
    }
    servers.replica.resume();
    made.insert("late");
    EXPECT_TRUE(servers.agree());
}

// Redis sends a replica nothing for bits that are set already, but whoever sets them again waits
// for what came before all the same.
TEST(Replicas, HaveAKeyThatAnotherInsertedBefore) {
    pair servers;
    auto made = redis_filter::create(client_of(servers.master), "seen", items{1000}, rate{0.01});
    auto careful = redis_filter::open(client(impatient(servers.master)), "seen");
    careful.wait_for_replicas(1);
    careful.insert("first");
    servers.replica.pause();
    EXPECT_TRUE(made.try_insert("key"));
    EXPECT_THROW(careful.insert("key"), redis::unreachable);
    servers.replica.resume();
    EXPECT_FALSE(careful.try_insert("key"));
    EXPECT_TRUE(servers.agree());
}

} // namespace
} // namespace bloomery::testing
