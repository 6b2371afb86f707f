// BF.MERGE, BF.INTERSECT and BF.CLEAR.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {
namespace {

/// The kinds of filters, as the end of BF.RESERVE.
const std::vector<std::string> kinds{"", "LAYOUT SPLIT"};

void reserve(module_server& at, std::initializer_list<std::string_view> words) {
    std::string asked = "BF.RESERVE";
    for (const std::string_view word : words) asked.append(" ").append(word);
    ASSERT_EQ(at.resp2.ask(asked), "+OK") << asked;
}

std::string whole_digest_of(module_server& at, const std::string& key) {
    return at.run({"DEBUG", "DIGEST-VALUE", key}).texts().at(0);
}

TEST(BloomMerge, UnitesLikeFiltersInPlace) {
    module_server at;
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        for (const std::string key : {"a", "b", "both"}) reserve(at, {key, "0.001 2000", kind});
        add_numbers(at, "a", 0, 800);
        add_numbers(at, "b", 500, 1300);
        add_numbers(at, "both", 0, 1300);
        EXPECT_EQ(at.resp2.ask("BF.MERGE a b"), "+OK");
        EXPECT_EQ(fact(at, "a", "FILTERS"), 1);
        // The bits of a union are those of all items together; how many those were is estimated.
        EXPECT_EQ(at.resp2.ask("BF.SCANDUMP a 1"), at.resp2.ask("BF.SCANDUMP both 1")) << kind;
        EXPECT_NEAR(static_cast<double>(fact(at, "a", "ITEMS")), 1300, 65) << kind;
        EXPECT_EQ(at.run({"BF.CARD", "b"}).integer, fact(at, "b", "ITEMS"));
        EXPECT_EQ(count_numbers(at, "a", 0, 1300), 1300U);
    }
}

TEST(BloomMerge, TakesOthersInAsLayers) {
    module_server at;
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        reserve(at, {"a", "0.001 1000 EXPANSION 4", kind});
        reserve(at, {"b", "0.01 50", kind});
        add_numbers(at, "a", 0, 100);
        add_numbers(at, "b", 1000, 1100);
        ASSERT_EQ(fact(at, "b", "FILTERS"), 2);
        EXPECT_EQ(at.resp2.ask("BF.MERGE a b"), "+OK");
        EXPECT_EQ(fact(at, "a", "FILTERS"), 3);
        EXPECT_EQ(fact(at, "a", "CAPACITY"), 1000 + 50 + 100);
        EXPECT_EQ(fact(at, "a", "ITEMS"), 100 + fact(at, "b", "ITEMS"));
        EXPECT_EQ(count_numbers(at, "a", 1000, 1100), 100U);
        // It is what it was otherwise, and grows as it would have.
        EXPECT_EQ(at.resp2.ask("BF.INFO a ERROR"), "[\"0.001\"]");
        EXPECT_EQ(fact(at, "a", "EXPANSION"), 4);
        add_numbers(at, "a", 2000, 3000);
        EXPECT_EQ(fact(at, "a", "FILTERS"), 4);
        EXPECT_EQ(fact(at, "a", "CAPACITY"), 1000 + 50 + 100 + 4000);
        EXPECT_EQ(count_numbers(at, "a", 0, 100), 100U);
        EXPECT_EQ(count_numbers(at, "a", 1000, 1100), 100U);
        EXPECT_EQ(count_numbers(at, "a", 2000, 3000), 1000U);
    }
}

TEST(BloomMerge, LikeFiltersThatAreTooFullTogether) {
    module_server at;
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        for (const std::string key : {"a", "b"}) reserve(at, {key, "0.001 1000", kind});
        add_numbers(at, "a", 0, 900);
        add_numbers(at, "b", 1000, 1900);
        EXPECT_EQ(at.resp2.ask("BF.MERGE a b"), "+OK");
        // In one layer they would break the rate.
        EXPECT_EQ(fact(at, "a", "FILTERS"), 2);
        EXPECT_EQ(count_numbers(at, "a", 0, 900), 900U);
        EXPECT_EQ(count_numbers(at, "a", 1000, 1900), 900U);
        EXPECT_LE(count_numbers(at, "a", 1'000'000, 1'010'000), 35U); // 0.1 % and six deviations
    }
}

TEST(BloomMerge, AgainChangesNothing) {
    module_server at;
    for (const std::string& kind : kinds) {
        for (std::size_t seed = 0; seed < 20; ++seed) {
            at.run({"FLUSHALL"});
            for (const std::string key : {"a", "b"}) reserve(at, {key, "0.01 100", kind});
            reserve(at, {"c", "0.01 70 EXPANSION 1", kind});
            add_numbers(at, "a", 1000 * seed, 1000 * seed + 100); // full
            add_numbers(at, "c", 1000 * seed, 1000 * seed + 300); // grown
            ASSERT_EQ(at.resp2.ask("BF.MERGE b a c"), "+OK");
            const std::string once = whole_digest_of(at, "b");
            for (const std::string again : {"a", "c", "a c a", "b", "b a b"}) {
                EXPECT_EQ(at.resp2.ask("BF.MERGE b " + again), "+OK");
                EXPECT_EQ(whole_digest_of(at, "b"), once) << kind << ' ' << seed << ": " << again;
            }
        }
    }
}

TEST(BloomMerge, IntoAKeyThatIsNotThere) {
    module_server at;
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        reserve(at, {"a", "0.01 100 EXPANSION 5", kind});
        reserve(at, {"b", "0.01 40", kind});
        add_numbers(at, "a", 0, 50);
        add_numbers(at, "b", 100, 130);
        EXPECT_EQ(at.resp2.ask("BF.MERGE copy a"), "+OK");
        EXPECT_EQ(whole_digest_of(at, "copy"), whole_digest_of(at, "a")) << kind;
        EXPECT_EQ(at.resp2.ask("BF.MERGE all a b a"), "+OK");
        EXPECT_EQ(fact(at, "all", "EXPANSION"), 5) << "the first one is the beginning";
        EXPECT_EQ(at.resp2.ask("BF.INFO all ERROR"), "[\"0.01\"]");
        EXPECT_EQ(fact(at, "all", "FILTERS"), 2);
        EXPECT_EQ(count_numbers(at, "all", 0, 50), 50U);
        EXPECT_EQ(count_numbers(at, "all", 100, 130), 30U);
        EXPECT_EQ(at.resp2.ask("TYPE all"), at.resp2.ask("TYPE a"));
    }
}

TEST(BloomMerge, LosesNothingHoweverOftenAndOfWhatever) {
    module_server at;
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        const std::vector<std::string> reserved{"0.01 10", "0.01 10 NONSCALING", "0.1 7",
                                                "0.001 100 EXPANSION 1", "0.01 10 EXPANSION 4"};
        std::vector<std::string> ask{"BF.MERGE", "all"};
        for (std::size_t i = 0; i < reserved.size(); ++i) {
            const std::string key = std::to_string(i);
            reserve(at, {key, reserved[i], kind});
            add_numbers(at, key, 100 * i, 100 * i + 10);
            if (i != 1) add_numbers(at, key, 100 * i, 100 * i + 60);
            ask.push_back(key);
        }
        EXPECT_EQ(at.resp2.ask(ask), "+OK");
        for (std::size_t i = 0; i < reserved.size(); ++i) {
            const std::string key = std::to_string(i);
            const std::size_t count = i == 1 ? 10 : 60;
            EXPECT_EQ(count_numbers(at, "all", 100 * i, 100 * i + count), count) << kind << i;
            EXPECT_EQ(at.resp2.ask("BF.MERGE " + key + " all"), "+OK");
            EXPECT_EQ(count_numbers(at, key, 400, 460), 60U) << kind << i;
        }
        // A server that reads its own file back finds the same.
        const std::string before = at.run({"DEBUG", "DIGEST"}).text;
        at.run({"DEBUG", "RELOAD"});
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before);
    }
}

TEST(BloomMerge, WhatFailsChangesNothing) {
    module_server at;
    reserve(at, {"f", "0.01 100"});
    reserve(at, {"g", "0.01 50"});
    reserve(at, {"s", "0.01 100 LAYOUT SPLIT"});
    for (const std::string key : {"f", "g", "s"}) add_numbers(at, key, 0, 20);
    at.run({"SET", "text", "x"});
    const std::string before = at.run({"DEBUG", "DIGEST"}).text;
    const std::string unlike =
        "-ERR the filters have different layouts or hashes and cannot be combined";
    for (const exchange& one : std::vector<exchange>{{"f s", unlike},
                                                     {"s f", unlike},
                                                     {"f g s", unlike},
                                                     {"n f s", unlike},
                                                     {"s s f", unlike},
                                                     {"f missing", "-ERR not found"},
                                                     {"f g missing", "-ERR not found"},
                                                     {"n missing", "-ERR not found"},
                                                     {"n n", "-ERR not found"},
                                                     {"f g text", wrong_type},
                                                     {"text f", wrong_type}}) {
        EXPECT_EQ(at.resp2.ask("BF.MERGE " + one.asked), one.resp2) << one.asked;
        EXPECT_EQ(at.resp3.ask("BF.INTERSECT " + one.asked).front(), '-') << one.asked;
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before) << one.asked;
    }
}

TEST(BloomMerge, KeepsWhenAKeyEnds) {
    module_server at;
    for (const std::string key : {"f", "g", "h"}) reserve(at, {key, "0.01 100"});
    at.run({"EXPIRE", "f", "100000"});
    for (const std::string asked : {"BF.MERGE f g", "BF.MERGE f g h", "BF.INTERSECT f g",
                                    "BF.INTERSECT f g h", "BF.CLEAR f"}) {
        EXPECT_EQ(at.resp2.ask(asked), "+OK");
        EXPECT_GT(at.run({"TTL", "f"}).integer, 0) << asked;
    }
}

TEST(BloomIntersect, KeepsWhatAllHave) {
    module_server at;
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        for (const std::string key : {"a", "b", "c"}) reserve(at, {key, "0.001 2000", kind});
        add_numbers(at, "a", 0, 1500);
        add_numbers(at, "b", 500, 2000);
        add_numbers(at, "c", 900, 1500);
        EXPECT_EQ(at.resp2.ask("BF.INTERSECT all a b c"), "+OK");
        EXPECT_EQ(count_numbers(at, "all", 900, 1500), 600U);
        EXPECT_LT(count_numbers(at, "all", 0, 900), 300U) << kind;
        EXPECT_LE(fact(at, "all", "ITEMS"), fact(at, "c", "ITEMS"));
        EXPECT_GE(fact(at, "all", "ITEMS"), 550);
        EXPECT_EQ(at.resp2.ask("BF.INTERSECT a b"), "+OK"); // a is one of them
        EXPECT_EQ(count_numbers(at, "a", 500, 1500), 1000U);
        EXPECT_EQ(at.resp2.ask("BF.INTERSECT a c"), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.SCANDUMP a 1"), at.resp2.ask("BF.SCANDUMP all 1"));
        const std::string before = whole_digest_of(at, "a");
        EXPECT_EQ(at.resp2.ask("BF.INTERSECT a a"), "+OK");
        EXPECT_EQ(whole_digest_of(at, "a"), before);
    }
}

TEST(BloomIntersect, OnlyLikeFiltersThatNeverGrew) {
    module_server at;
    const std::string refused =
        "-ERR only filters of the same size that never grew can be intersected";
    for (const std::string& kind : kinds) {
        at.run({"FLUSHALL"});
        for (const std::string key : {"a", "grown"}) reserve(at, {key, "0.01 100", kind});
        reserve(at, {"larger", "0.01 200", kind});
        reserve(at, {"stricter", "1e-6 100", kind});
        add_numbers(at, "grown", 0, 150);
        const std::string before = at.run({"DEBUG", "DIGEST"}).text;
        for (const std::string asked : {"a larger", "larger a", "a stricter", "a grown", "grown a",
                                        "new a larger", "a a larger"}) {
            EXPECT_EQ(at.resp2.ask("BF.INTERSECT " + asked), refused) << kind << ' ' << asked;
        }
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before);
    }
}

TEST(BloomClear, LeavesTheFilterAsItWasMade) {
    module_server at;
    for (const std::string& kind : kinds) {
        for (const std::string reserved : {"0.01 10", "0.01 10 EXPANSION 1", "0.02 40 EXPANSION 7",
                                           "0.01 1000 NONSCALING", "0.01 1000000"}) {
            at.run({"FLUSHALL"});
            reserve(at, {"fresh", reserved, kind});
            reserve(at, {"f", reserved, kind});
            reserve(at, {"other", "0.2 133", kind});
            reserve(at, {"empty", "0.2 133", kind});
            add_numbers(at, "other", 0, 20);
            for (int round = 0; round < 2; ++round) { // not merged, and merged
                add_numbers(at, "f", 0, 500);
                if (round == 1) at.run({"BF.MERGE", "f", "other"});
                EXPECT_EQ(at.resp2.ask("BF.CLEAR f"), "+OK");
                EXPECT_EQ(whole_digest_of(at, "f"), whole_digest_of(at, "fresh"))
                    << reserved << kind << round;
                EXPECT_EQ(fact(at, "f", "SIZE"), fact(at, "fresh", "SIZE"));
            }
            // Also where it never grew, and where nothing is in it.
            for (const std::string with : {"other", "empty"}) {
                ASSERT_EQ(at.resp2.ask("BF.MERGE f " + with), "+OK");
                EXPECT_EQ(fact(at, "f", "FILTERS"), 2);
                EXPECT_EQ(at.resp2.ask("BF.CLEAR f"), "+OK");
                EXPECT_EQ(whole_digest_of(at, "f"), whole_digest_of(at, "fresh"))
                    << reserved << kind;
            }
            EXPECT_EQ(count_numbers(at, "f", 0, 500), 0U);
        }
    }
}

TEST(BloomClear, AlsoBitsThatNobodyCounted) {
    module_server at;
    for (const std::string key : {"f", "fresh"}) reserve(at, {key, "0.01 100"});
    ASSERT_EQ(at.resp2.ask("BF.LOADCHUNK f 2 x"), "+OK");
    ASSERT_EQ(at.resp2.ask("BF.CARD f"), ":0");
    EXPECT_EQ(at.resp2.ask("BF.CLEAR f"), "+OK");
    EXPECT_EQ(whole_digest_of(at, "f"), whole_digest_of(at, "fresh"));
}

} // namespace
} // namespace bloomery::testing
