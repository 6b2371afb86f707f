// No command keeps a server from its other clients for long: what a header asks for, what items
// cost, and what whole filters cost is limited. Counts of work, not times: a busy machine changes
// nothing.
#include "exchanges.hpp"
#include "headers.hpp"
#include "pipeline.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

const std::string late = "-ERR this took longer than bf-time-limit allows: send the items without "
                         "an answer again";

/// Layers that deny almost every item, but only after many of its bits.
void load_costly_bloom(module_server& at, const std::string& key) {
    constexpr std::size_t layers = 2000;
    constexpr std::size_t bytes = 800;
    ASSERT_EQ(at.resp2.ask({"BF.LOADCHUNK", key, "1", costly_bloom_header(layers, bytes)}), "+OK");
    random_source random(7);
    pipeline to(at);
    for (std::size_t i = 0; i < layers; ++i) {
        std::string bits(bytes, '\xff');
        for (int n = 0; n < 100; ++n) bits[random.below(bytes)] = '\x7f'; // every 64th is clear
        to.send({"BF.LOADCHUNK", key, std::to_string(1 + (i + 1) * bytes), bits});
    }
    for (std::size_t i = 0; i < layers; ++i) ASSERT_EQ(to.next(), pipeline::reply::other);
}

TEST(ModuleTimeLimit, ItemsThatAreLateGetAnErrorAndMayBeSentAgain) {
    module_server at;
    load_costly_bloom(at, "f");
    ASSERT_EQ(config_set(at, "bf-time-limit", "1"), "+OK");
    const std::string told = at.resp2.ask(and_numbers({"BF.MEXISTS", "f"}, 0, 2000));
    EXPECT_GT(count_of(late, told), 100U);
    EXPECT_EQ(count_of(late, told) + count_of(":0", told) + count_of(":1", told), 2000U);
    EXPECT_TRUE(told.starts_with("[:")) << "the first ones are answered";
    const std::string added = at.resp3.ask(and_numbers({"BF.MADD", "f"}, 0, 2000));
    EXPECT_GT(count_of(late, added), 100U);
    EXPECT_TRUE(added.starts_with("[#")) << "the first ones are added";
    ASSERT_EQ(config_set(at, "bf-time-limit", "0"), "+OK");
    EXPECT_EQ(count_of(late, at.resp2.ask(and_numbers({"BF.MEXISTS", "f"}, 0, 1000))), 0U);
}

TEST(ModuleTimeLimit, DoesNotCountThePagesOfALargeNewFilter) {
    // Each item needs ten pages that were never written, which takes ten times as long as the rest.
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.001 200000000"), "+OK");
    ASSERT_EQ(config_set(at, "bf-time-limit", "1"), "+OK");
    const std::string told = at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, 5000));
    EXPECT_EQ(count_of(late, told), 0U);
    EXPECT_EQ(count_of(":1", told), 5000U);
}

TEST(ModuleTimeLimit, OfFullCuckooFiltersThatSearchLong) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("CF.RESERVE f 65536 BUCKETSIZE 1 MAXITERATIONS 65535 EXPANSION 0"),
              "+OK");
    const std::string full(65536, '\x01');
    ASSERT_EQ(at.resp2.ask({"CF.LOADCHUNK", "f", "65537", full}), "+OK");
    ASSERT_EQ(config_set(at, "bf-time-limit", "1"), "+OK");
    const std::string told = at.resp2.ask(and_numbers({"CF.INSERT", "f", "ITEMS"}, 0, 1000));
    EXPECT_GT(count_of(late, told), 100U);
    EXPECT_TRUE(told.starts_with("[:-1")) << "the first ones are tried";
    EXPECT_GT(count_of(late, at.resp3.ask(and_numbers({"CF.INSERT", "f", "ITEMS"}, 0, 1000))),
              100U);
}

TEST(ModuleTimeLimit, WhatWasAddedBeforeIsReplicated) {
    module_server at({"appendonly yes", "aof-use-rdb-preamble no"});
    load_costly_bloom(at, "f");
    ASSERT_EQ(config_set(at, "bf-time-limit", "1"), "+OK");
    const std::string added = at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, 2000));
    ASSERT_GT(count_of(late, added), 0U);
    ASSERT_GT(count_of(":1", added), 0U);
    const std::string before = at.run({"DEBUG", "DIGEST-VALUE", "f"}).texts().at(0);
    at.run({"DEBUG", "LOADAOF"});
    EXPECT_EQ(at.run({"DEBUG", "DIGEST-VALUE", "f"}).texts().at(0), before);
}

TEST(ModuleLayerLimit, OnGrowthHeadersDumpsAndUnions) {
    module_server at({"rdbcompression no"});
    ASSERT_EQ(config_set(at, "bf-max-expansions", "5"), "+OK");
    for (const std::string kind : {"", " LAYOUT SPLIT"}) {
        at.run({"DEL", "f", "g", "h", "one"});
        ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.01 10 EXPANSION 1" + kind), "+OK");
        const std::string told = at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, 100));
        EXPECT_GT(count_of("-ERR the filter has as many layers as bf-max-expansions allows", told),
                  40U);
        EXPECT_EQ(fact(at, "f", "FILTERS"), 5);
        const std::string header = at.run({"BF.SCANDUMP", "f", "0"}).elements.at(1).text;
        const std::string dump = at.run({"DUMP", "f"}).text;
        ASSERT_EQ(at.resp2.ask("BF.RESERVE one 0.01 1000" + kind), "+OK");
        const std::string too_many = "-ERR the filter would have 5 layers, more than "
                                     "bf-max-expansions allows";
        EXPECT_EQ(at.resp2.ask("BF.MERGE f one"),
                  "-ERR the filter would have 6 layers, more than bf-max-expansions allows");
        ASSERT_EQ(config_set(at, "bf-max-expansions", "4"), "+OK");
        EXPECT_EQ(at.resp2.ask({"BF.LOADCHUNK", "g", "1", header}), too_many);
        EXPECT_EQ(at.resp2.ask({"RESTORE", "h", "0", dump}), "-ERR Bad data format");
        // Those that are there stay and are asked; files are read.
        EXPECT_EQ(count_of(":1", at.resp2.ask(and_numbers({"BF.MEXISTS", "f"}, 0, 20))), 20U);
        at.run({"DEBUG", "RELOAD"});
        EXPECT_EQ(fact(at, "f", "FILTERS"), 5);
        ASSERT_EQ(config_set(at, "bf-max-expansions", "5"), "+OK");
        EXPECT_EQ(at.resp2.ask({"BF.LOADCHUNK", "g", "1", header}), "+OK");
        EXPECT_EQ(at.resp2.ask({"RESTORE", "h", "0", dump}), "+OK");
    }
}

TEST(ModuleLayerLimit, OnHeadersOfCuckooFilters) {
    module_server at;
    const auto load = [&](std::uint64_t filters) {
        at.run({"DEL", "c"});
        return at.resp2.ask(
            {"CF.LOADCHUNK", "c", "1", cuckoo_header({.buckets = 16384, .filters = filters})});
    };
    EXPECT_EQ(load(1024), "+OK");
    EXPECT_EQ(load(1025), "-ERR the filter has 1025 sub-filters: set cf-max-expansions to as many "
                          "to load it");
    ASSERT_EQ(config_set(at, "cf-max-expansions", "1025"), "+OK");
    EXPECT_EQ(load(1025), "+OK");
    EXPECT_TRUE(load(1026).starts_with("-ERR"));
}

TEST(ModuleMergeLimit, OnTheBytesOfAllFiltersTogether) {
    module_server at;
    for (const std::string key : {"a", "b"}) {
        ASSERT_EQ(at.resp2.ask("BF.RESERVE " + key + " 0.01 1000"), "+OK");
        add_numbers(at, key, 0, 100);
    }
    const std::size_t one = at.run({"BF.SCANDUMP", "a", "1"}).elements.at(1).text.size();
    ASSERT_EQ(config_set(at, "bf-merge-limit", std::to_string(2 * one - 1)), "+OK");
    const std::string refused = "-ERR the filters have " + std::to_string(2 * one) +
                                " bytes together, more than bf-merge-limit allows (" +
                                std::to_string(2 * one - 1) +
                                "): combining them would keep other clients waiting";
    for (const std::string asked :
         {"BF.MERGE a b", "BF.MERGE new a b", "BF.INTERSECT a b", "BF.INTERSECT new a b"}) {
        EXPECT_EQ(at.resp2.ask(asked), refused) << asked;
    }
    EXPECT_EQ(at.resp2.ask("EXISTS new"), ":0");
    EXPECT_EQ(at.resp2.ask("BF.MERGE a a"), "+OK") << "nothing is read";
    EXPECT_EQ(at.resp2.ask("BF.MERGE new a"), "+OK");
    for (const std::string& limit : {std::to_string(2 * one), std::string("0")}) {
        ASSERT_EQ(config_set(at, "bf-merge-limit", limit), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.MERGE a b"), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.INTERSECT a b"), "+OK");
    }
}

} // namespace
} // namespace bloomery::testing
