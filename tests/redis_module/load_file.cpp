// Filters that were made elsewhere become keys, whole or not at all.
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/module.hpp>

#include "module_server.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace bloomery::testing {
namespace {

redis::client client_of(const redis_server& at) {
    return redis::client(redis::parse_url("unix://" + at.socket().string()));
}

filter with_keys(std::uint64_t capacity, int count) {
    filter made(items{capacity}, rate{0.01});
    for (int i = 0; i < count; ++i) made.insert("key" + std::to_string(i));
    return made;
}

TEST(LoadIntoModule, MakesAKeyThatAnswersAsTheFilterDoes) {
    module_server at;
    const filter made = with_keys(10'000, 5000);
    redis::load_into_module(client_of(at), "loaded", any_filter(made));
    for (int i = 0; i < 10'000; i += 7) {
        const std::string key = "key" + std::to_string(i);
        EXPECT_EQ(at.resp2.ask("BF.EXISTS loaded " + key), made.may_contain(key) ? ":1" : ":0");
    }
    EXPECT_EQ(at.resp2.ask("DBSIZE"), ":1");
    EXPECT_EQ(at.resp2.ask("TTL loaded"), ":-1");
}

// What was acknowledged may be gone when a server comes back from an older file. A filter with a
// hole would deny keys that are in.
TEST(LoadIntoModule, RefusesAServerThatWasRestartedMeanwhile) {
    redis_server at(with_module());
    const any_filter made(with_keys(16'000'000, 100)); // 20 MB: several batches of pieces
    int calls = 0;
    const auto restart_once = [&](std::uint64_t, std::uint64_t) {
        if (calls++ != 0) return;
        at.run({"SAVE"});
        at.kill9();
        at.start();
    };
    EXPECT_THROW(redis::load_into_module(client_of(at), "loaded", made, {}, restart_once),
                 redis::redis_error);
    EXPECT_GT(calls, 1); // it went on, and was refused at the end
    EXPECT_EQ(at.run({"EXISTS", "loaded"}).integer, 0);
    EXPECT_EQ(at.run({"DBSIZE"}).integer, 0);
    redis::load_into_module(client_of(at), "loaded", made);
    EXPECT_EQ(at.run({"BF.EXISTS", "loaded", "key99"}).integer, 1);
}

TEST(LoadIntoModule, ReplacesOnlyWhenTold) {
    module_server at;
    const any_filter made(with_keys(100, 10));
    at.resp2.ask("SET loaded x");
    EXPECT_THROW(redis::load_into_module(client_of(at), "loaded", made), redis::already_exists);
    EXPECT_EQ(at.resp2.ask("GET loaded"), "\"x\"");
    redis::load_into_module(client_of(at), "loaded", made, {.replace = true});
    EXPECT_EQ(at.resp2.ask("BF.EXISTS loaded key1"), ":1");
}

} // namespace
} // namespace bloomery::testing
