// A client of one server: many commands at once, large ones, and what goes wrong.
#include <bloomery/redis/client.hpp>

#include "via.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using redis::answer;
using redis::client;
using redis::reply;
using redis::request;
using clock = std::chrono::steady_clock;

TEST(Client, SendsTenThousandCommandsAtOnce) {
    redis_server server;
    client via = client_of(server);
    std::vector<request> all;
    all.reserve(10'000);
    for (int i = 0; i < 10'000; ++i) all.push_back(request::of("INCRBY", "n", i).writes());
    const std::vector<answer> answers = via.exchange(all);
    ASSERT_EQ(answers.size(), all.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        sum += static_cast<std::int64_t>(i);
        ASSERT_TRUE(answers[i].arrived);
        ASSERT_FALSE(answers[i].repeated);
        ASSERT_EQ(answers[i].reply.integer, sum) << i;
    }
}

TEST(Client, TakesNoRequestsAndGivesNoAnswers) {
    redis_server server;
    client via = client_of(server);
    EXPECT_TRUE(via.exchange({}).empty());
}

TEST(Client, ReadsEveryFormOfAnswer) {
    redis_server server;
    client via = client_of(server);
    const std::string value("a\0\r\nb", 5);
    EXPECT_EQ(via.run(request::of("SET", "k", value)).is, reply::type::status);
    const reply text = via.run(request::of("GET", "k"));
    EXPECT_EQ(text.is, reply::type::text);
    EXPECT_EQ(text.text, value);
    EXPECT_EQ(via.run(request::of("GET", "none")).is, reply::type::nil);
    EXPECT_EQ(via.run(request::of("STRLEN", "k")).integer, 5);
    EXPECT_EQ(via.run(request::of("DECRBY", "n", 7)).integer, -7);
    (void)via.run(request::of("RPUSH", "list", "", "x"));
    const reply list = via.run(request::of("LRANGE", "list", 0, -1));
    ASSERT_EQ(list.is, reply::type::array);
    ASSERT_EQ(list.elements.size(), 2U);
    EXPECT_EQ(list.elements[0].text, "");
    EXPECT_EQ(list.elements[1].text, "x");
    const reply nested = via.run(request(6, "list")
                                     .add("EVAL")
                                     .add("return {1, {'a', {}, false}, redis.call('GET', 'no')}")
                                     .add(1)
                                     .add("list")
                                     .add("x")
                                     .add("y"));
    ASSERT_EQ(nested.elements.size(), 3U);
    ASSERT_EQ(nested.elements[1].elements.size(), 3U);
    EXPECT_EQ(nested.elements[1].elements[0].text, "a");
    EXPECT_EQ(nested.elements[1].elements[1].is, reply::type::array);
    EXPECT_EQ(nested.elements[1].elements[2].is, reply::type::nil);
}

TEST(Client, GivesErrorsOfTheServerBack) {
    redis_server server;
    client via = client_of(server);
    (void)via.run(request::of("SET", "k", "text"));
    const std::vector<request> all{request::of("INCR", "k"), request::of("GET", "k")};
    const std::vector<answer> answers = via.exchange(all);
    EXPECT_TRUE(answers.at(0).arrived);
    EXPECT_TRUE(answers.at(0).reply.is_error());
    EXPECT_EQ(answers.at(1).reply.text, "text");
    EXPECT_THROW((void)via.run(all[0]), redis::refused);
    EXPECT_THROW((void)via.run(all), redis::refused);
    EXPECT_EQ(via.run(all[1]).text, "text") << "after an error the connection is in step";
}

TEST(Client, NeedsTheRightPassword) {
    redis_server server({.lines = {}, .password = "right"});
    EXPECT_EQ(client_of(server).run(request::of("SET", "k", "v")).text, "OK");
    redis::options how = options_for(server);
    how.password = "wrong";
    EXPECT_THROW(client{how}, redis::refused);
    how.password.clear();
    // At the first command at the latest.
    EXPECT_THROW((void)client(how).run(request::of("GET", "k")), redis::refused);
}

TEST(Client, IsAUserOfAnAcl) {
    const redis_server server(
        {.lines = {"user reader on >key ~* +get +ping +hello +client +select"}});
    redis::options how = options_for(server);
    how.user = "reader";
    how.password = "key";
    client via(how);
    EXPECT_EQ(via.run(request::of("GET", "k")).is, reply::type::nil);
    EXPECT_THROW((void)via.run(request::of("SET", "k", "v")), redis::refused);
    how.user = "nobody";
    EXPECT_THROW(client{how}, redis::refused);
}

TEST(Client, UsesItsDatabaseOnEveryConnection) {
    redis_server server;
    redis::options how = options_for(server);
    how.database = 3;
    client via(how);
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int j = 0; j < 50; ++j) {
                (void)via.run(request::of("SET", std::to_string(i * 50 + j), ""));
            }
        });
    }
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
    server.run({"SELECT", "3"});
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 200);
    how.database = 4711;
    EXPECT_THROW(client{how}, redis::refused);
}

TEST(Client, SpeaksThroughAUnixSocket) {
    redis_server server;
    redis::options how;
    how.servers = {{"", 0, server.socket().string()}};
    client via(how);
    EXPECT_EQ(via.run(request::of("SET", "k", "v")).text, "OK");
    EXPECT_EQ(server.run({"GET", "k"}).text, "v");
    ASSERT_EQ(via.masters().size(), 1U);
    EXPECT_EQ(via.masters()[0].text(), server.socket().string());
}

TEST(Client, TellsAtOnceWhenThereIsNoServer) {
    redis::options how;
    how.servers = {{"127.0.0.1", free_port(), {}}};
    const auto begin = clock::now();
    EXPECT_THROW(client{how}, redis::unreachable);
    how.servers = {{"", 0, "/nowhere/redis.sock"}};
    EXPECT_THROW(client{how}, redis::unreachable);
    EXPECT_LT(clock::now() - begin, 20s);
}

TEST(Client, TellsAfterItsPatienceWhenTheServerWentAway) {
    redis_server server;
    redis::options how = options_for(server);
    how.patience = 300ms;
    client via(how);
    server.kill9();
    const auto begin = clock::now();
    const std::vector<answer> answers =
        via.exchange(std::vector<request>{request::of("GET", "k"), request::of("GET", "l")});
    EXPECT_GE(clock::now() - begin, 250ms);
    EXPECT_LT(clock::now() - begin, 20s);
    ASSERT_EQ(answers.size(), 2U);
    for (const answer& one : answers) {
        EXPECT_FALSE(one.arrived);
        EXPECT_FALSE(one.failure.empty());
        EXPECT_FALSE(one.failure.ends_with('.')) << one.failure;
    }
    EXPECT_THROW((void)via.run(request::of("GET", "k")), redis::unreachable);
}

TEST(Client, WaitsNoLongerForASilentServerThanItWasTold) {
    redis_server server;
    redis::options how = options_for(server);
    how.answer_timeout = 200ms;
    how.connect_timeout = 200ms;
    how.patience = 500ms;
    client via(how);
    (void)via.run(request::of("SET", "k", "v"));
    server.pause();
    const auto begin = clock::now();
    EXPECT_THROW((void)via.run(request::of("GET", "k")), redis::unreachable);
    EXPECT_GE(clock::now() - begin, 150ms);
    EXPECT_LT(clock::now() - begin, 20s);
    server.resume();
    EXPECT_EQ(via.run(request::of("GET", "k")).text, "v") << "late answers belong to nobody";
}

TEST(Client, ConnectsAgainAfterARestart) {
    redis_server server({.lines = {"appendonly yes", "appendfsync always"}});
    client via = client_of(server);
    (void)via.run(request::of("SET", "k", "v"));
    server.stop();
    std::string got;
    std::thread asking([&] { got = via.run(request::of("GET", "k")).text; });
    server.start();
    asking.join();
    EXPECT_EQ(got, "v");
    server.kill9();
    server.start();
    EXPECT_EQ(via.run(request::of("GET", "k")).text, "v");
}

TEST(Client, IsSharedByThreads) {
    redis_server server;
    redis::options how = options_for(server);
    how.most_connections = 3;
    const client shared(how);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            client via = shared;
            const std::string key = "own:" + std::to_string(i);
            for (int j = 1; j <= 200; ++j) {
                const std::vector<request> both{request::of("INCR", "all").writes(),
                                                request::of("INCR", key).writes()};
                if (via.run(both).at(1).integer != j) ++wrong;
            }
        });
    }
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(server.run({"GET", "all"}).text, "1600");
    const std::string clients = server.run({"CLIENT", "LIST"}).text;
    EXPECT_LE(std::count(clients.begin(), clients.end(), '\n'), 3 + 1) << "and ours\n" << clients;
}

constexpr std::size_t large = std::size_t{1} << 20U;

TEST(ClientLong, SendsAndReadsLargeValuesAtOnce) {
    redis_server server;
    client via = client_of(server);
    std::vector<request> sets;
    std::vector<request> gets;
    for (int i = 0; i < 64; ++i) {
        const std::string key = std::to_string(i);
        sets.push_back(
            request::of("SET", key, std::string(large, static_cast<char>('0' + i))).writes());
        gets.push_back(request::of("GET", key));
    }
    for (const answer& one : via.exchange(sets)) ASSERT_TRUE(one.arrived) << one.failure;
    const std::vector<answer> answers = via.exchange(gets);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].arrived) << answers[i].failure;
        ASSERT_EQ(answers[i].reply.text.size(), large);
        EXPECT_EQ(answers[i].reply.text.find_first_not_of(static_cast<char>('0' + i)),
                  std::string::npos);
    }
}

TEST(ClientLong, SendsWhileLargeAnswersCome) {
    redis_server server;
    client via = client_of(server);
    const std::string value(large, 'x');
    std::vector<request> all;
    for (int i = 0; i < 32; ++i) {
        all.push_back(request::of("SET", "k", value).writes());
        all.push_back(request::of("GET", "k"));
    }
    const std::vector<answer> answers = via.exchange(all);
    for (std::size_t i = 1; i < answers.size(); i += 2) {
        ASSERT_TRUE(answers[i].arrived) << answers[i].failure;
        EXPECT_EQ(answers[i].reply.text.size(), large);
    }
}

} // namespace
} // namespace bloomery::testing
