// What each command BF.* replies, in both protocols.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bloomery::testing {
namespace {

TEST(BloomReplies, OfItems) {
    module_server at;
    expect_replies(at, {
                           {"BF.RESERVE f 0.01 100", "+OK"},
                           {"BF.ADD f a", ":1", "#t"},
                           {"BF.ADD f a", ":0", "#f"},
                           {"BF.ADD made-by-add a", ":1", "#t"},
                           {"BF.MADD f a b c b", "[:0 :1 :1 :0]", "[#f #t #t #f]"},
                           {"BF.MADD made-by-madd a", "[:1]", "[#t]"},
                           {"BF.INSERT f ITEMS c d", "[:0 :1]", "[#f #t]"},
                           {"BF.INSERT made-by-insert ITEMS a a", "[:1 :0]", "[#t #f]"},
                           {"BF.EXISTS f a", ":1", "#t"},
                           {"BF.EXISTS f nobody", ":0", "#f"},
                           {"BF.EXISTS nothing a", ":0", "#f"},
                           {"BF.MEXISTS f a nobody d", "[:1 :0 :1]", "[#t #f #t]"},
                           {"BF.MEXISTS nothing a b", "[:0 :0]", "[#f #f]"},
                           {"BF.CARD f", ":4"},
                           {"BF.CARD nothing", ":0"},
                           {"EXISTS nothing", ":0"},
                       });
}

TEST(BloomReplies, OfInfo) {
    module_server at;
    const std::string all =
        "+Capacity :100 +Size :296 +Number of filters :1 +Number of items inserted :2 "
        "+Expansion rate :2";
    const std::string fixed =
        "+Capacity :100 +Size :216 +Number of filters :1 +Number of items inserted :0 "
        "+Expansion rate nil";
    expect_replies(at, {
                           {"BF.RESERVE f 0.001 100", "+OK"},
                           {"BF.MADD f a b", "[:1 :1]", "[#t #t]"},
                           {"BF.INFO f", "[" + all + "]", "{" + all + "}"},
                           {"BF.INFO f CAPACITY", "[:100]", "{+Capacity :100}"},
                           {"BF.INFO f SIZE", "[:296]", "{+Size :296}"},
                           {"BF.INFO f FILTERS", "[:1]", "{+Number of filters :1}"},
                           {"BF.INFO f ITEMS", "[:2]", "{+Number of items inserted :2}"},
                           {"BF.INFO f EXPANSION", "[:2]", "{+Expansion rate :2}"},
                           {"BF.INFO f ERROR", "[\"0.001\"]", "{+Error rate \"0.001\"}"},
                           {"BF.INFO f LAYOUT", "[\"redisbloom\"]", "{+Layout \"redisbloom\"}"},
                           {"BF.INFO f cApAcItY", "[:100]", "{+Capacity :100}"},
                           {"BF.RESERVE fixed 0.01 100 NONSCALING", "+OK"},
                           {"BF.INFO fixed", "[" + fixed + "]", "{" + fixed + "}"},
                           {"BF.INFO fixed EXPANSION", "[nil]", "{+Expansion rate nil}"},
                           {"BF.INFO fixed ERROR", "[\"0.01\"]", "{+Error rate \"0.01\"}"},
                           {"BF.RESERVE s 0.001 100 LAYOUT SPLIT", "+OK"},
                           {"BF.INFO s CAPACITY", "[:100]", "{+Capacity :100}"},
                           {"BF.INFO s ERROR", "[\"0.001\"]", "{+Error rate \"0.001\"}"},
                           {"BF.INFO s LAYOUT", "[\"split-8x64\"]", "{+Layout \"split-8x64\"}"},
                       });
}

TEST(BloomReplies, OfDumps) {
    module_server at;
    std::string zeros;
    for (int i = 0; i < 144; ++i) zeros += "\\x00";
    // Items, layers, options, growth; bytes, bits, items, rate, bits per item, hashes, capacity, 0.
    const std::string header =
        R"(\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00\x02\x00\x00\x00)"
        R"(\x90\x00\x00\x00\x00\x00\x00\x00\x80\x04\x00\x00\x00\x00\x00\x00)"
        R"(\x00\x00\x00\x00\x00\x00\x00\x00{\x14\xaeG\xe1zt?\xe9\x86/\xb25\x0e&@)"
        R"(\x08\x00\x00\x00d\x00\x00\x00\x00\x00\x00\x00\x00)";
    expect_replies(
        at, {
                {"BF.RESERVE f 0.01 100", "+OK"},
                {"BF.SCANDUMP f 0", "[:1 \"" + header + "\"]"},
                {"BF.SCANDUMP f 1", "[:145 \"" + zeros + "\"]"},
                {"BF.SCANDUMP f 144", "[:145 \"\\x00\"]"},
                {"BF.SCANDUMP f 145", "[:0 \"\"]"},
                {"BF.SCANDUMP f 9223372036854775807", "[:0 \"\"]"},
                {"BF.SCANDUMP f -1", "[:0 \"\"]"},
                {"BF.LOADCHUNK f 4 abc", "+OK"},
                {"BF.LOADCHUNK f 145 z", "+OK"},
                {"BF.SCANDUMP f 144", "[:145 \"z\"]"},
                {"BF.SCANDUMP f 1", "[:145 \"abc" + zeros.substr(0, zeros.size() - 16) + "z\"]"},
                {"BF.DEBUG f", "[\"size:0\" \"bytes:144 bits:1152 hashes:8 hashwidth:64 "
                               "capacity:100 size:0 ratio:0.005\"]"},
            });
}

TEST(BloomReplies, OfWholeFilters) {
    module_server at;
    expect_replies(at, {
                           {"BF.MADD f a b", "[:1 :1]", "[#t #t]"},
                           {"BF.MADD g b c", "[:1 :1]", "[#t #t]"},
                           {"BF.MERGE all f g", "+OK"},
                           {"BF.MEXISTS all a b c", "[:1 :1 :1]", "[#t #t #t]"},
                           {"BF.INTERSECT both f g", "+OK"},
                           {"BF.MEXISTS both a b c", "[:0 :1 :0]", "[#f #t #f]"},
                           {"BF.CLEAR f", "+OK"},
                           {"BF.CARD f", ":0"},
                           {"BF.MEXISTS f a b", "[:0 :0]", "[#f #f]"},
                       });
}

TEST(BloomReplies, ItemsAreAnyBytes) {
    module_server at;
    const std::string zero("\0", 1);
    const std::string text("a\0b", 3);
    EXPECT_EQ(at.resp2.ask({"BF.MADD", "f", "", zero, text, "a", "\xff\r\n"}), "[:1 :1 :1 :1 :1]");
    EXPECT_EQ(at.resp3.ask({"BF.MEXISTS", "f", "", zero, text, "a", "\xff\r\n", "a\r\n"}),
              "[#t #t #t #t #t #f]");
    const std::string key("f\0g", 3);
    EXPECT_EQ(at.resp2.ask({"BF.ADD", key, "a"}), ":1");
    EXPECT_EQ(at.resp2.ask({"BF.CARD", key}), ":1");
    EXPECT_EQ(at.resp2.ask({"BF.ADD", "", std::string(1 << 20, 'x')}), ":1");
    EXPECT_EQ(at.resp2.ask({"BF.ADD", "", std::string(1 << 20, 'x')}), ":0");
}

TEST(BloomReplies, OfMoreItemsThanAreAddedAtOnce) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE f 1e-9 100"), "+OK");
    EXPECT_EQ(add_numbers(at, "f", 0, 3000), 3000U);
    // Some are in already, in any place of a run.
    const std::string again = at.resp2.ask(and_numbers({"BF.MADD", "f"}, 2900, 3100));
    std::string expected = "[:0";
    for (int i = 1; i < 200; ++i) expected += i < 100 ? " :0" : " :1";
    EXPECT_EQ(again, expected + "]");
    EXPECT_EQ(at.resp2.ask("BF.CARD f"), ":3100");
    EXPECT_EQ(count_numbers(at, "f", 0, 3100), 3100U);
    EXPECT_EQ(count_of("#t", at.resp3.ask(and_numbers({"BF.MEXISTS", "f"}, 3000, 3200))), 100U);
}

TEST(BloomReplies, InATransactionAndAScript) {
    module_server at;
    EXPECT_EQ(at.resp2.ask("MULTI"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.ADD f a"), "+QUEUED");
    EXPECT_EQ(at.resp2.ask("BF.MEXISTS f a b"), "+QUEUED");
    EXPECT_EQ(at.resp2.ask("BF.RESERVE f 0.1 10"), "+QUEUED");
    EXPECT_EQ(at.resp2.ask("EXEC"), "[:1 [:1 :0] -ERR item exists]");
    EXPECT_EQ(at.resp2.ask({"EVAL", "return redis.call('BF.MADD', KEYS[1], 'a', 'b')", "1", "f"}),
              "[:0 :1]");
}

} // namespace
} // namespace bloomery::testing
