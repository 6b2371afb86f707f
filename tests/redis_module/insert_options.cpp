// The options of BF.INSERT and BF.RESERVE: what they make, and what is made without them.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// What a filter was made for: capacity, rate, expansion ("fixed" if it does not grow).
std::string made_for(module_server& at, const std::string& key) {
    const redis_value expansion = at.run({"BF.INFO", key, "EXPANSION"}).elements.at(0);
    return std::to_string(fact(at, key, "CAPACITY")) + ' ' +
           at.run({"BF.INFO", key, "ERROR"}).elements.at(0).text + ' ' +
           (expansion.is == redis_value::type::nil ? "fixed" : std::to_string(expansion.integer));
}

TEST(BloomOptions, OfInsert) {
    struct row {
        std::string options;
        std::string makes;
    };
    module_server at;
    for (const row& one : std::vector<row>{
             {"", "100 0.01 2"},
             {"CAPACITY 10", "10 0.01 2"},
             {"CAPACITY 2", "2 0.01 2"},
             {"CAPACITY 1", "3 0.01 2"}, // it grew for the second item
             {"ERROR 0.2", "100 0.2 2"},
             {"ERROR 1e-30", "100 1e-30 2"},
             {"ERROR 0.25", "100 0.25 2"},
             {"ERROR 0.26", "100 0.25 2"},
             {"ERROR 0.999999", "100 0.25 2"},
             {"EXPANSION 1", "100 0.01 1"},
             {"EXPANSION 32768", "100 0.01 32768"},
             {"EXPANSION 0", "100 0.01 fixed"},
             {"NONSCALING", "100 0.01 fixed"},
             {"NONSCALING EXPANSION 4", "100 0.01 fixed"},
             {"EXPANSION 4 NONSCALING", "100 0.01 fixed"},
             {"NONSCALING EXPANSION 0", "100 0.01 fixed"},
             {"CAPACITY 50 ERROR 0.001 EXPANSION 3", "50 0.001 3"},
             {"EXPANSION 3 CAPACITY 50 ERROR 0.001", "50 0.001 3"},
             {"NONSCALING ERROR 0.001 CAPACITY 50", "50 0.001 fixed"},
             {"VALIDATESCALETO 1000", "100 0.01 2"},
             {"capacity 50 Error 0.001 expansion 3 validatescaleto 100", "50 0.001 3"},
             {"nOnScAlInG", "100 0.01 fixed"},
             // The last one counts.
             {"CAPACITY 50 CAPACITY 60 ERROR 0.1 ERROR 0.2 EXPANSION 5 EXPANSION 6", "60 0.2 6"},
         }) {
        at.run({"DEL", "f"});
        const std::string asked = "BF.INSERT f " + one.options + " ITEMS a b a";
        EXPECT_EQ(at.resp2.ask(asked), "[:1 :1 :0]") << asked;
        EXPECT_EQ(made_for(at, "f"), one.makes) << asked;
        EXPECT_EQ(at.resp2.ask("BF.MEXISTS f a b c"), "[:1 :1 :0]") << asked;
    }
}

TEST(BloomOptions, OfReserve) {
    struct row {
        std::string options;
        std::string makes;
    };
    module_server at;
    for (const row& one : std::vector<row>{
             {"0.01 100", "100 0.01 2"},
             {"0.01 100 NONSCALING", "100 0.01 fixed"},
             {"0.01 100 EXPANSION 0", "100 0.01 fixed"},
             {"0.01 100 EXPANSION 0 NONSCALING", "100 0.01 fixed"},
             {"0.01 100 NONSCALING EXPANSION 0", "100 0.01 fixed"},
             {"0.01 100 EXPANSION 1", "100 0.01 1"},
             {"0.01 100 EXPANSION 32768", "100 0.01 32768"},
             {"0.7 1 expansion 7", "1 0.25 7"},
             {"0.01 100 nonScaling", "100 0.01 fixed"},
             {"1e-5 77 LAYOUT SPLIT", "77 1e-05 2"},
             {"1e-5 77 layout split expansion 9", "77 1e-05 9"},
             {"1e-5 77 EXPANSION 9 LAYOUT Split", "77 1e-05 9"},
             {"0.5 77 NONSCALING LAYOUT SPLIT", "77 0.25 fixed"},
         }) {
        at.run({"DEL", "f"});
        EXPECT_EQ(at.resp2.ask("BF.RESERVE f " + one.options), "+OK") << one.options;
        EXPECT_EQ(made_for(at, "f"), one.makes) << one.options;
    }
}

TEST(BloomOptions, KeysMayBeNamedAsTheyAre) {
    module_server at;
    for (const std::string key : {"EXPANSION", "NONSCALING", "LAYOUT", "expansion", "nonscaling",
                                  "ITEMS", "NOCREATE", "CAPACITY", "SPLIT"}) {
        EXPECT_EQ(at.resp2.ask("BF.RESERVE " + key + " 0.01 100"), "+OK");
        EXPECT_EQ(made_for(at, key), "100 0.01 2") << key;
        at.run({"DEL", key});
        EXPECT_EQ(at.resp2.ask("BF.RESERVE " + key + " 0.01 100 EXPANSION 4"), "+OK");
        EXPECT_EQ(made_for(at, key), "100 0.01 4") << key;
        at.run({"DEL", key});
        EXPECT_EQ(at.resp2.ask("BF.INSERT " + key + " NONSCALING ITEMS x"), "[:1]");
        EXPECT_EQ(made_for(at, key), "100 0.01 fixed") << key;
        EXPECT_EQ(at.resp2.ask("BF.INFO " + key + " ITEMS"), "[:1]");
    }
}

TEST(BloomOptions, ItemsMayBeNamedAsTheyAre) {
    module_server at;
    EXPECT_EQ(at.resp2.ask("BF.INSERT f ITEMS ITEMS NOCREATE CAPACITY ITEMS 0"),
              "[:1 :1 :1 :0 :1]");
    EXPECT_EQ(at.resp2.ask("BF.MEXISTS f ITEMS NOCREATE CAPACITY 0 NONSCALING"),
              "[:1 :1 :1 :1 :0]");
    EXPECT_EQ(at.resp2.ask("BF.MADD g ITEMS EXPANSION"), "[:1 :1]");
    EXPECT_EQ(made_for(at, "g"), "100 0.01 2");
}

TEST(BloomOptions, AFilterThatIsThereStaysWhatItIs) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.001 50 EXPANSION 3"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.INSERT f CAPACITY 20 ERROR 0.2 NONSCALING ITEMS a"), "[:1]");
    EXPECT_EQ(at.resp2.ask("BF.INSERT f NOCREATE ITEMS a b"), "[:0 :1]");
    EXPECT_EQ(at.resp2.ask("BF.INSERT f EXPANSION 7 VALIDATESCALETO 9223372036854775807 ITEMS c"),
              "[:1]");
    EXPECT_EQ(made_for(at, "f"), "50 0.001 3");
    EXPECT_EQ(at.resp2.ask("BF.CARD f"), ":3");
}

TEST(BloomOptions, AFullFilterThatDoesNotGrow) {
    module_server at;
    const std::string full = "-ERR non scaling filter is full";
    for (const std::string made_by :
         {"BF.RESERVE f 1e-5 3 NONSCALING", "BF.RESERVE f 1e-5 3 EXPANSION 0",
          "BF.RESERVE f 1e-5 3 NONSCALING LAYOUT SPLIT"}) {
        expect_replies(
            at, {
                    {made_by, "+OK"},
                    {"BF.MADD f a b", "[:1 :1]", "[#t #t]"},
                    // Up to the first that finds no room, which is told; no more is tried.
                    {"BF.MADD f a c b d a e", "[:0 :1 :0 " + full + "]", "[#f #t #f " + full + "]"},
                    {"BF.MADD f a b c", "[:0 :0 :0]", "[#f #f #f]"},
                    {"BF.INSERT f ITEMS c z a", "[:0 " + full + "]", "[#f " + full + "]"},
                    {"BF.MADD f z a", "[" + full + "]"},
                    {"BF.ADD f z", full},
                    {"BF.ADD f a", ":0", "#f"},
                    {"BF.MEXISTS f a b c d z", "[:1 :1 :1 :0 :0]", "[#t #t #t #f #f]"},
                    {"BF.CARD f", ":3"},
                });
    }
    expect_replies(at, {
                           {"BF.INSERT n NONSCALING EXPANSION 4 CAPACITY 1 ITEMS x y z",
                            "[:1 " + full + "]", "[#t " + full + "]"},
                           {"BF.INFO n EXPANSION", "[nil]", "{+Expansion rate nil}"},
                           {"BF.CARD n", ":1"},
                       });
}

TEST(BloomOptions, AFullFilterStopsInsideALongList) {
    module_server at;
    // Items are added in runs of 256: it is full inside one, with the last of one, after one.
    for (const std::size_t capacity : {300U, 255U, 256U}) {
        for (const std::string layout : {"", " LAYOUT SPLIT"}) {
            at.run({"DEL", "f"});
            ASSERT_EQ(at.resp2.ask("BF.RESERVE f 1e-9 " + std::to_string(capacity) + " NONSCALING" +
                                   layout),
                      "+OK");
            const std::string reply = at.resp2.ask(and_numbers({"BF.MADD", "f"}, 0, 1000));
            std::string expected = "[";
            for (std::size_t i = 0; i < capacity; ++i) expected += ":1 ";
            EXPECT_EQ(reply, expected + "-ERR non scaling filter is full]") << capacity << layout;
            EXPECT_EQ(fact(at, "f", "ITEMS"), static_cast<std::int64_t>(capacity));
        }
    }
}

} // namespace
} // namespace bloomery::testing
