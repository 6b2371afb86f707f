// The servers that the other tests use: they start, fail and come back as told.
#include "redis_cluster.hpp"
#include "redis_server.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

TEST(Server, KeepsItsKeysOverACrash) {
    redis_server server({.lines = {"appendonly yes", "appendfsync always"}});
    EXPECT_EQ(server.run({"SET", "key", std::string("a\0b", 3)}).text, "OK");
    server.kill9();
    EXPECT_FALSE(server.is_running());
    EXPECT_THROW(server.command({"PING"}), std::runtime_error);
    server.start();
    EXPECT_EQ(server.run({"GET", "key"}).text, std::string("a\0b", 3));
}

TEST(Server, AnswersInTheFormsOfTheProtocol) {
    redis_server server;
    EXPECT_EQ(server.command({"INCRBY", "n", "41"}).integer, 41);
    EXPECT_EQ(server.command({"GET", "none"}).is, redis_value::type::nil);
    EXPECT_TRUE(server.command({"LPUSH", "n", "x"}).is_error());
    server.run({"RPUSH", "list", "a", "b"});
    EXPECT_EQ(server.command({"LRANGE", "list", "0", "-1"}).texts(),
              (std::vector<std::string>{"a", "b"}));
}

TEST(Server, AsksForItsPassword) {
    redis_server server({.lines = {}, .password = "secret"});
    EXPECT_EQ(server.command({"PING"}).text, "PONG");
    EXPECT_TRUE(server.command({"AUTH", "other"}).is_error());
}

TEST(Server, PausesAndGoesOn) {
    redis_server server;
    server.pause();
    server.resume();
    EXPECT_EQ(server.command({"PING"}).text, "PONG");
    server.pause(); // and ends all the same
}

TEST(Server, ChoosesPortsThatNoOutgoingConnectionHas) {
    for (int i = 0; i < 20; ++i) {
        EXPECT_GE(free_port(true), 11'000);
        EXPECT_LE(free_port(true) + 10'000, 30'999);
    }
}

TEST(ClusterServersLong, MoveSlotsAndFailOver) {
    redis_cluster cluster;
    EXPECT_EQ(cluster.masters(), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(cluster.replica_of(1), 4U);

    // "foo" lies in slot 12182.
    constexpr std::uint16_t slot = 12'182;
    ASSERT_EQ(cluster.master_of(slot), 2U);
    cluster.node(2).run({"SET", "foo", "1"});
    cluster.node(2).run({"SET", "{foo}other", "2"});
    cluster.migrate_slot(slot, 2, 0);
    EXPECT_EQ(cluster.master_of(slot), 0U);
    EXPECT_EQ(cluster.node(0).run({"GET", "{foo}other"}).text, "2");
    EXPECT_TRUE(cluster.node(2).command({"GET", "foo"}).text.starts_with("MOVED 12182 "));

    cluster.node(0).run({"SET", "foo", "3"});
    EXPECT_EQ(cluster.node(0).run({"WAIT", "1", "5000"}).integer, 1);
    cluster.kill9(0);
    wait_until("its replica has taken over", 30s,
               [&] { return std::ranges::count(cluster.masters(1), std::size_t{3}) == 1; });
    cluster.restart(0);
    cluster.wait_until_ok();
    cluster.wait_until_replicated();
    EXPECT_EQ(cluster.replica_of(3), 0U);
    EXPECT_EQ(cluster.node(3).run({"GET", "foo"}).text, "3");
}

} // namespace
} // namespace bloomery::testing
