// A filter that does not fit into maxmemory is refused, rather than that others are evicted for it.
#include "exchanges.hpp"
#include "headers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20U;

/// Commands that make a filter of more than ten megabytes.
std::vector<std::vector<std::string>> large_requests() {
    return {{"BF.RESERVE", "f", "0.01", "10000000"},
            {"BF.RESERVE", "f", "0.01", "10000000", "LAYOUT", "SPLIT"},
            {"BF.INSERT", "f", "CAPACITY", "10000000", "ITEMS", "a"},
            {"BF.LOADCHUNK", "f", "1", costly_bloom_header(1, 12 * megabyte)},
            {"CF.RESERVE", "f", "10000000"},
            {"CF.INSERT", "f", "CAPACITY", "10000000", "ITEMS", "a"},
            {"CF.LOADCHUNK", "f", "1", cuckoo_header({.buckets = 8 * megabyte})}};
}

void expect_refused(module_server& at, const std::vector<std::string>& asked) {
    SCOPED_TRACE(asked[0]);
    const std::string told = at.resp2.ask(asked);
    EXPECT_TRUE(told.starts_with("-ERR the filter takes 1")) << told;
    EXPECT_TRUE(told.ends_with(": raise maxmemory, or set bf-check-maxmemory to no")) << told;
    EXPECT_EQ(at.resp2.ask("EXISTS f"), ":0");
}

TEST(ModuleMaxMemory, RefusesWhatDoesNotFit) {
    module_server at;
    at.run({"CONFIG", "SET", "maxmemory", "10mb"});
    for (const auto& asked : large_requests()) expect_refused(at, asked);
    EXPECT_EQ(at.resp2.ask("BF.RESERVE f 0.01 1000000"), "+OK") << "there is room for that";
    at.run({"DEL", "f"});
    at.run({"CONFIG", "SET", "maxmemory", "100mb"});
    for (const auto& asked : large_requests()) {
        EXPECT_NE(at.resp2.ask(asked).front(), '-') << asked[0];
        at.run({"DEL", "f"});
    }
}

TEST(ModuleMaxMemory, MayEvictAQuarterOfACache) {
    module_server at;
    at.run({"CONFIG", "SET", "maxmemory", "40mb"});
    at.run({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    for (int i = 0; i < 60; ++i) {
        at.run({"SET", "k" + std::to_string(i), std::string(megabyte, 'x')});
    }
    const auto before = at.run({"DBSIZE"}).integer;
    ASSERT_LT(before, 60) << "the cache is full";
    for (const auto& asked : large_requests()) expect_refused(at, asked);
    EXPECT_GE(at.run({"DBSIZE"}).integer, before - 2) << "replies take memory, too";
    EXPECT_EQ(at.resp2.ask("BF.RESERVE f 0.01 2000000"), "+OK");
    EXPECT_GT(at.run({"DBSIZE"}).integer, before - 6);
}

TEST(ModuleMaxMemory, TheCheckCanBeTurnedOff) {
    module_server at;
    at.run({"CONFIG", "SET", "maxmemory", "10mb"});
    EXPECT_EQ(config_get(at, "bf-check-maxmemory"), "yes");
    ASSERT_EQ(config_set(at, "bf-check-maxmemory", "no"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.RESERVE f 0.01 10000000"), "+OK");
    module_server other({"maxmemory 10mb"}, "bf-check-maxmemory no");
    EXPECT_EQ(other.resp2.ask("BF.RESERVE f 0.01 10000000"), "+OK");
}

} // namespace
} // namespace bloomery::testing
