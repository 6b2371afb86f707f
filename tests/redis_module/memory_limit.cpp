// bf-memory-usage-limit and VALIDATESCALETO: how large a filter may become. The limit applies to
// the bits: everything else has the same size for every filter.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

const std::string over = "-ERR operation exceeds bloom object memory limit";

std::string limit(module_server& at, const std::string& bytes) {
    return config_set(at, "bf-memory-usage-limit", bytes);
}

TEST(BloomMemoryLimit, OnNewFilters) {
    struct row {
        std::string asked;
        std::string bytes; ///< that it takes, in its only layer
    };
    module_server at;
    for (const row& one : std::vector<row>{{"BF.RESERVE f 0.01 600", "832"},
                                           {"BF.RESERVE f 0.01 100 NONSCALING", "120"},
                                           {"BF.RESERVE f 0.01 100 LAYOUT SPLIT", "192"},
                                           {"BF.ADD f a", "144"},
                                           {"BF.MADD f a b", "144"},
                                           {"BF.INSERT f CAPACITY 600 ITEMS a", "832"}}) {
        at.run({"FLUSHALL"});
        ASSERT_EQ(limit(at, std::to_string(std::stoi(one.bytes) - 1)), "+OK");
        EXPECT_EQ(at.resp2.ask(one.asked), over) << one.asked;
        EXPECT_EQ(at.resp3.ask(one.asked), over) << one.asked;
        EXPECT_EQ(at.resp2.ask("EXISTS f"), ":0");
        ASSERT_EQ(limit(at, one.bytes), "+OK");
        EXPECT_NE(at.resp2.ask(one.asked).front(), '-') << one.asked;
        EXPECT_EQ(at.resp2.ask("EXISTS f"), ":1");
    }
}

TEST(BloomMemoryLimit, OnGrowth) {
    module_server at;
    for (const std::string kind : {"", " LAYOUT SPLIT"}) {
        at.run({"FLUSHALL"});
        // The layers are of 144 and 312 bytes, or of 192 and 384.
        const std::string enough = kind.empty() ? "456" : "576";
        ASSERT_EQ(limit(at, std::to_string(std::stoi(enough) - 1)), "+OK");
        ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.01 100" + kind), "+OK");
        const std::string reply = at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, 400));
        EXPECT_EQ(count_of(":1", reply), 100U);
        EXPECT_EQ(count_of(over, reply) + count_of(":0", reply), 300U) << "it goes on";
        EXPECT_GT(count_of(over, reply), 290U);
        EXPECT_EQ(fact(at, "f", "FILTERS"), 1);
        EXPECT_EQ(fact(at, "f", "ITEMS"), 100);
        // What is in is told so, before and after one that is refused.
        EXPECT_EQ(at.resp2.ask("BF.MADD f 1 stranger 2"), "[:0 " + over + " :0]");
        EXPECT_EQ(at.resp3.ask("BF.INSERT f ITEMS stranger 1"), "[" + over + " #f]");
        EXPECT_EQ(at.resp2.ask("BF.ADD f stranger"), over);
        EXPECT_EQ(at.resp2.ask("BF.EXISTS f stranger"), ":0");
        ASSERT_EQ(limit(at, enough), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.ADD f stranger"), ":1");
        EXPECT_EQ(fact(at, "f", "FILTERS"), 2);
        ASSERT_EQ(limit(at, "0"), "+OK");
        EXPECT_EQ(count_of("-", at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, 4000))), 0U);
    }
}

TEST(BloomMemoryLimit, OnLoadedHeaders) {
    module_server at;
    for (const std::string kind : {"", " LAYOUT SPLIT"}) {
        at.run({"FLUSHALL"});
        ASSERT_EQ(limit(at, "0"), "+OK");
        ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.01 1000" + kind), "+OK");
        const std::string header = at.run({"BF.SCANDUMP", "f", "0"}).elements.at(1).text;
        const std::size_t bytes = at.run({"BF.SCANDUMP", "f", "1"}).elements.at(1).text.size();
        ASSERT_EQ(limit(at, std::to_string(bytes - 1)), "+OK");
        EXPECT_EQ(at.resp2.ask({"BF.LOADCHUNK", "g", "1", header}), over);
        EXPECT_EQ(at.resp2.ask("EXISTS g"), ":0");
        ASSERT_EQ(limit(at, std::to_string(bytes)), "+OK");
        EXPECT_EQ(at.resp2.ask({"BF.LOADCHUNK", "g", "1", header}), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.LOADCHUNK g 3 ab"), "+OK");
    }
}

TEST(BloomMemoryLimit, OnWhatIsMerged) {
    module_server at;
    for (const std::string kind : {"", " LAYOUT SPLIT"}) {
        at.run({"FLUSHALL"});
        ASSERT_EQ(limit(at, "0"), "+OK");
        ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.01 100" + kind), "+OK");
        ASSERT_EQ(at.resp2.ask("BF.RESERVE like 0.01 100" + kind), "+OK");
        ASSERT_EQ(at.resp2.ask("BF.RESERVE other 0.01 1000" + kind), "+OK");
        for (const std::string key : {"f", "like", "other"}) add_numbers(at, key, 0, 50);
        const std::size_t small = at.run({"BF.SCANDUMP", "f", "1"}).elements.at(1).text.size();
        const std::size_t large = at.run({"BF.SCANDUMP", "other", "1"}).elements.at(1).text.size();
        const std::string before = at.run({"DEBUG", "DIGEST"}).text;
        ASSERT_EQ(limit(at, std::to_string(small + large - 1)), "+OK");
        for (const std::string asked : {"f other", "f like other", "new f other", "other f"}) {
            EXPECT_EQ(at.resp2.ask("BF.MERGE " + asked), over) << asked;
        }
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before);
        EXPECT_EQ(at.resp2.ask("BF.MERGE f like"), "+OK") << "that takes no more";
        ASSERT_EQ(limit(at, std::to_string(small + large)), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.MERGE f like other"), "+OK");
        // Nothing new is made of what is too large itself.
        EXPECT_EQ(at.resp2.ask("BF.MERGE copy f"), "+OK");
        ASSERT_EQ(limit(at, std::to_string(large - 1)), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.MERGE other-copy other"), over);
        EXPECT_EQ(at.resp2.ask("BF.INTERSECT other-copy other"), over);
        EXPECT_EQ(at.resp2.ask("EXISTS other-copy"), ":0");
    }
}

TEST(BloomMemoryLimit, NotOnWhatIsThere) {
    module_server at;
    at.run({"BF.RESERVE", "f", "0.01", "1000"});
    ASSERT_EQ(limit(at, "1"), "+OK");
    EXPECT_EQ(add_numbers(at, "f", 0, 500), 500U);
    EXPECT_EQ(count_numbers(at, "f", 0, 500), 500U);
    const std::string before = at.run({"DEBUG", "DIGEST"}).text;
    at.run({"DEBUG", "RELOAD"});
    EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before);
    EXPECT_EQ(at.resp2.ask("BF.CLEAR f"), "+OK");
    EXPECT_EQ(add_numbers(at, "f", 0, 500), 500U);
}

TEST(BloomValidateScale, OnlyWhatCanGrowSoFarIsMade) {
    const std::string refused =
        "-ERR provided VALIDATESCALETO causes bloom object to exceed memory limit";
    module_server at;
    // Layers for 100, 200 and 400 items are of 144, 312 and 696 bytes.
    struct row {
        std::string bytes;
        std::string fits, does_not;
    };
    for (const row& one : std::vector<row>{{"144", "100", "101"},
                                           {"455", "100", "101"},
                                           {"456", "300", "301"},
                                           {"1151", "300", "301"},
                                           {"1152", "700", "701"}}) {
        SCOPED_TRACE(one.bytes);
        ASSERT_EQ(limit(at, one.bytes), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.INSERT f VALIDATESCALETO " + one.does_not + " ITEMS a"),
                  refused);
        EXPECT_EQ(at.resp2.ask("EXISTS f"), ":0");
        EXPECT_EQ(at.resp2.ask("BF.INSERT f VALIDATESCALETO " + one.fits + " ITEMS 0"), "[:1]");
        // What was promised is kept.
        const std::size_t items = std::stoul(one.fits);
        EXPECT_EQ(count_of("-", at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, items))), 0U);
        at.run({"DEL", "f"});
    }
}

TEST(BloomValidateScale, WithoutALimit) {
    module_server at;
    EXPECT_EQ(at.resp2.ask("BF.INSERT f VALIDATESCALETO 1 ITEMS a"), "[:1]");
    EXPECT_EQ(at.resp2.ask("BF.INSERT g validatescaleto 1000000000000 ITEMS a"), "[:1]");
    EXPECT_EQ(fact(at, "g", "CAPACITY"), 100);
    // The rate of a layer is half of that of the one below: some time it is none.
    EXPECT_EQ(at.resp2.ask("BF.INSERT h CAPACITY 1 EXPANSION 1 VALIDATESCALETO 1000 ITEMS a"),
              "[:1]");
    EXPECT_EQ(at.resp2.ask("BF.INSERT i CAPACITY 1 EXPANSION 1 VALIDATESCALETO 1100 ITEMS a"),
              "-ERR provided VALIDATESCALETO causes false positive to degrade to 0");
    EXPECT_EQ(at.resp2.ask("BF.INSERT j VALIDATESCALETO 9223372036854775807 ITEMS a"),
              "-ERR could not create filter");
    EXPECT_EQ(at.resp2.ask("EXISTS i j"), ":0");
    // A filter that is there was made already.
    EXPECT_EQ(at.resp2.ask("BF.INSERT f VALIDATESCALETO 9223372036854775807 ITEMS b"), "[:1]");
}

} // namespace
} // namespace bloomery::testing
