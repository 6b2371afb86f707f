// Which server has which slot of a cluster, and how redirections are interpreted.
#include <bloomery/error.hpp>

#include "../../src/redis/cluster.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

using redis::endpoint;
using redis::redirection;
using redis::redirection_of;
using redis::reply;
using redis::slot_map;

reply number(std::int64_t value) { return {reply::type::integer, value}; }
reply text(std::string value) { return {reply::type::text, 0, std::move(value)}; }
reply array(std::vector<reply> of) { return {reply::type::array, 0, {}, std::move(of)}; }
reply server(std::string host, std::int64_t port) {
    return array({text(std::move(host)), number(port), text("id")});
}

const endpoint asked{"10.0.0.9", 7009, {}};

TEST(SlotMap, IsWhatClusterSlotsTells) {
    const slot_map map(array({array({number(0), number(99), server("a", 1), server("b", 2)}),
                              array({number(100), number(100), server("c", 3)}),
                              array({number(200), number(16383), server("a", 1)})}),
                       asked);
    EXPECT_EQ(map.master_of(0), (endpoint{"a", 1, {}}));
    EXPECT_EQ(map.master_of(99), (endpoint{"a", 1, {}}));
    EXPECT_EQ(map.master_of(100), (endpoint{"c", 3, {}}));
    EXPECT_EQ(map.master_of(101), std::nullopt) << "nobody has it";
    EXPECT_EQ(map.master_of(16383), (endpoint{"a", 1, {}}));
    EXPECT_EQ(map.masters(), (std::vector<endpoint>{{"a", 1, {}}, {"c", 3, {}}}));
    EXPECT_EQ(map.servers(), (std::vector<endpoint>{{"a", 1, {}}, {"b", 2, {}}, {"c", 3, {}}}));
}

TEST(SlotMap, TakesTheHostOfWhomItAskedWhereNoneIsNamed) {
    for (const reply& host : {text(""), text("?"), reply{}}) {
        const slot_map map(
            array({array({number(0), number(1), array({host, number(7001), text("id")})})}), asked);
        EXPECT_EQ(map.master_of(1), (endpoint{"10.0.0.9", 7001, {}}));
    }
}

TEST(SlotMap, FollowsASlotThatMoved) {
    slot_map map(array({array({number(0), number(16383), server("a", 1)})}), asked);
    map.move(5, {"b", 2, {}});
    EXPECT_EQ(map.master_of(5), (endpoint{"b", 2, {}}));
    EXPECT_EQ(map.master_of(6), (endpoint{"a", 1, {}}));
    EXPECT_EQ(map.masters().size(), 2U);
}

TEST(SlotMap, IsRefusedWhereTheAnswerIsNone) {
    const reply good = server("a", 1);
    for (const reply& bad : {text("no"), array({number(1)}), array({array({number(0), number(1)})}),
                             array({array({number(-1), number(1), good})}),
                             array({array({number(0), number(16384), good})}),
                             array({array({number(2), number(1), good})}),
                             array({array({text("0"), number(1), good})}),
                             array({array({number(0), number(1), text("a")})}),
                             array({array({number(0), number(1), server("a", 0)})}),
                             array({array({number(0), number(1), server("a", 65536)})})}) {
        EXPECT_THROW(slot_map(bad, asked), bad_data);
    }
}

TEST(Redirection, NamesWhoHasTheSlot) {
    const redirection moved = redirection_of("MOVED 3999 127.0.0.1:6381", asked);
    EXPECT_EQ(moved.what, redirection::kind::moved);
    EXPECT_EQ(moved.slot, 3999);
    EXPECT_EQ(moved.to, (endpoint{"127.0.0.1", 6381, {}}));
    const redirection ask = redirection_of("ASK 7 ::1:6381", asked);
    EXPECT_EQ(ask.what, redirection::kind::ask);
    EXPECT_EQ(ask.to, (endpoint{"::1", 6381, {}}));
    EXPECT_EQ(redirection_of("MOVED 1 :6381", asked).to, (endpoint{"10.0.0.9", 6381, {}}));
    EXPECT_EQ(redirection_of("MOVED 1 h:6381 more", asked).to, (endpoint{"h", 6381, {}}));
}

TEST(Redirection, AsksToWait) {
    for (const char* error : {"TRYAGAIN Multiple keys request during rehashing of slot",
                              "CLUSTERDOWN The cluster is down", "LOADING Redis is loading",
                              "MASTERDOWN Link with MASTER is down", "READONLY You can't write"}) {
        EXPECT_EQ(redirection_of(error, asked).what, redirection::kind::later) << error;
    }
}

TEST(Redirection, IsNoneOfOtherErrors) {
    for (const char* error :
         {"", "MOVED", "MOVED ", "MOVED 1", "MOVED x h:1", "MOVED 16384 h:1", "MOVED 1 h",
          "MOVED 1 h:", "MOVED 1 h:0", "MOVED 1 h:65536", "MOVED 1h:1", "ERR MOVED 1 h:1",
          "WRONGTYPE Operation against a key", "MOVEDX 1 h:1"}) {
        EXPECT_EQ(redirection_of(error, asked).what, redirection::kind::none) << error;
    }
}

} // namespace
} // namespace bloomery::testing
