// What replicas and the append-only file receive for a command, word for word.
#include "append_only.hpp"
#include "module_server.hpp"
#include "sample_filters.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// A server, and what it wrote since one last asked.
class recorded : public module_server {
public:
    explicit recorded(const std::string& arguments = {})
        : module_server(written_at_once, arguments) {
        run({"SET", "x", "not a filter"}); // which selects the database
        read_ = append_only_text(*this).size();
    }

    /// One text a command; of transactions only what is in them.
    words written() {
        const std::string text = append_only_text(*this);
        words all;
        for (const words& command : commands_in(text, read_)) {
            std::string line;
            for (const std::string& word : command) line += (line.empty() ? "" : " ") + word;
            if (line != "MULTI" && line != "EXEC") all.push_back(line);
        }
        read_ = text.size();
        return all;
    }
    /// What it writes of one command.
    words written_of(const std::string& command) {
        reply = resp2.ask(command);
        return written();
    }

    std::string reply;

private:
    std::size_t read_ = 0;
};

TEST(ModulePropagation, ANewFilterComesWithAllThatSettingsDecided) {
    recorded at("bf-error-rate 0.125 bf-initial-size 7 bf-expansion-factor 4");
    EXPECT_EQ(at.written_of("BF.ADD a x"),
              words{"BF.INSERT a CAPACITY 7 ERROR 0.125 EXPANSION 4 ITEMS x"});
    EXPECT_EQ(at.written_of("BF.MADD b x y x"),
              words{"BF.INSERT b CAPACITY 7 ERROR 0.125 EXPANSION 4 ITEMS x y x"});
    EXPECT_EQ(at.written_of("BF.INSERT c CAPACITY 20 ITEMS x"),
              words{"BF.INSERT c CAPACITY 20 ERROR 0.125 EXPANSION 4 ITEMS x"});
    EXPECT_EQ(at.written_of("BF.INSERT d ERROR 0.001 EXPANSION 1 ITEMS x"),
              words{"BF.INSERT d CAPACITY 7 ERROR 0.001 EXPANSION 1 ITEMS x"});
    EXPECT_EQ(at.written_of("BF.INSERT e NONSCALING ITEMS x"),
              words{"BF.INSERT e CAPACITY 7 ERROR 0.125 EXPANSION 2 NONSCALING ITEMS x"});
    EXPECT_EQ(at.written_of("BF.RESERVE f 0.3 50"), words{"BF.RESERVE f 0.25 50 EXPANSION 4"});
    EXPECT_EQ(at.written_of("BF.RESERVE g 0.1 50 NONSCALING"),
              words{"BF.RESERVE g 0.1 50 NONSCALING"});
    EXPECT_EQ(at.written_of("BF.RESERVE h 0.1 50 LAYOUT SPLIT"),
              words{"BF.RESERVE h 0.1 50 EXPANSION 4 LAYOUT SPLIT"});
    EXPECT_EQ(at.written_of("BF.RESERVE i 0.1 50 NONSCALING LAYOUT SPLIT"),
              words{"BF.RESERVE i 0.1 50 NONSCALING LAYOUT SPLIT"});
}

TEST(ModulePropagation, ANewCuckooFilterDoesToo) {
    recorded at("cf-initial-size 64 cf-bucket-size 4 cf-max-iterations 9 cf-expansion-factor 2");
    const std::string rest = " BUCKETSIZE 4 MAXITERATIONS 9 EXPANSION 2";
    EXPECT_EQ(at.written_of("CF.RESERVE a 100"), words{"CF.RESERVE a 100" + rest});
    EXPECT_EQ(at.written_of("CF.ADD b x"), (words{"CF.RESERVE b 64" + rest, "CF.ADD b x"}));
    EXPECT_EQ(at.written_of("CF.ADDNX c x"), (words{"CF.RESERVE c 64" + rest, "CF.ADDNX c x"}));
    EXPECT_EQ(at.written_of("CF.INSERT d CAPACITY 80 ITEMS x y"),
              (words{"CF.RESERVE d 80" + rest, "CF.INSERT d CAPACITY 80 ITEMS x y"}));
    EXPECT_EQ(at.written_of("CF.INSERTNX e ITEMS x x"),
              (words{"CF.RESERVE e 64" + rest, "CF.INSERTNX e ITEMS x x"}));
}

TEST(ModulePropagation, WhatChangesAFilterIsSentAsItCame) {
    recorded at;
    at.run({"BF.RESERVE", "b", "0.01", "100"});
    at.run({"BF.MADD", "other", "1", "2"});
    at.run({"CF.ADD", "c", "x"});
    (void)at.written();
    for (const std::string command :
         {"BF.ADD b x", "BF.MADD b x y", "BF.INSERT b NOCREATE ITEMS z", "BF.MERGE b other",
          "BF.CLEAR b", "CF.ADD c x", "CF.INSERT c ITEMS x y", "CF.INSERTNX c ITEMS z z",
          "CF.DEL c x", "CF.COMPACT c"}) {
        EXPECT_EQ(at.written_of(command), words{command}) << at.reply;
    }
}

TEST(ModulePropagation, NothingIsSentWhenNothingChanged) {
    recorded at;
    at.run({"BF.RESERVE", "b", "0.01", "2", "NONSCALING"});
    at.run({"BF.MADD", "b", "x", "y"});
    at.run({"BF.RESERVE", "split", "0.01", "100", "LAYOUT", "SPLIT"});
    at.run({"BF.ADD", "split", "x"});
    at.run({"BF.RESERVE", "empty", "0.01", "100"});
    at.run({"CF.RESERVE", "c", "8", "EXPANSION", "0"});
    at.run({"CF.INSERT", "c", "ITEMS", "x", "y"});
    at.run({"CF.COMPACT", "c"});
    (void)at.written();
    for (const char* const command :
         {// already in
          "BF.ADD b x", "BF.MADD b x y x", "BF.INSERT b ITEMS x", "BF.ADD split x", "CF.ADDNX c x",
          "CF.INSERTNX c ITEMS x y",
          // asked
          "BF.EXISTS b x", "BF.MEXISTS b x z", "BF.CARD b", "BF.INFO b", "BF.DEBUG b",
          "BF.SCANDUMP b 0", "BF.SCANDUMP b 1", "CF.EXISTS c x", "CF.MEXISTS c x z", "CF.COUNT c x",
          "CF.INFO c", "CF.DEBUG c", "CF.SCANDUMP c 0",
          // refused
          "BF.ADD b z", "BF.MADD b x z", "BF.INSERT none NOCREATE ITEMS x", "BF.RESERVE b 0.1 9",
          "BF.RESERVE none 7 7", "BF.ADD x y", "CF.ADD x y", "BF.MERGE none none",
          "BF.MERGE b split", "BF.INTERSECT b empty", "BF.LOADCHUNK b 1 xyz",
          "BF.LOADCHUNK none 1 xyz", "BF.LOADCHUNK b 100 xyz", "CF.RESERVE c 100",
          "CF.LOADCHUNK c 1 xyz", "CF.LOADCHUNK none 1 xyz", "CF.LOADCHUNK c 100 xyz",
          "CF.INSERT none NOCREATE ITEMS x", "BF.CLEAR none", "CF.COMPACT none", "CF.DEL none x",
          "BF.CLEAR c", "CF.DEL b x",
          // nothing to do
          "BF.CLEAR empty", "BF.MERGE b b", "CF.DEL c z", "CF.COMPACT c"}) {
        EXPECT_EQ(at.written_of(command), words{}) << command << ": " << at.reply;
    }
    EXPECT_EQ(at.run({"EXISTS", "none"}).integer, 0);
}

TEST(ModulePropagation, OfItemsThatAreRefusedInPartTheOthersAreSent) {
    recorded at;
    at.run({"BF.RESERVE", "b", "0.01", "3", "NONSCALING"});
    (void)at.written();
    EXPECT_EQ(at.written_of("BF.MADD b 1 2 1 3 4 5"), words{"BF.MADD b 1 2 3"});
    EXPECT_EQ(at.reply, "[:1 :1 :0 :1 -ERR non scaling filter is full]");
    EXPECT_EQ(at.written_of("BF.INSERT n CAPACITY 2 NONSCALING ITEMS 1 2 1 3"),
              words{"BF.INSERT n CAPACITY 2 ERROR 0.01 EXPANSION 2 NONSCALING ITEMS 1 2"});
    // Two buckets of two slots: there are four places for one item, and some for another.
    at.run({"CF.RESERVE", "c", "4", "EXPANSION", "0"});
    (void)at.written();
    EXPECT_EQ(at.written_of("CF.INSERT c ITEMS 1 1 1 1 1 2"), words{"CF.INSERT c ITEMS 1 1 1 1"});
    EXPECT_EQ(at.reply, "[:1 :1 :1 :1 :-1 :-1]");
    EXPECT_EQ(at.written_of("CF.INSERTNX c ITEMS 1 2 3"), words{});
    EXPECT_EQ(at.reply, "[:0 :-1 :-1]");
    EXPECT_EQ(at.written_of("CF.ADD c 4"), words{});
    EXPECT_EQ(at.reply, "-Filter is full");
}

TEST(ModulePropagation, WhatALimitRefusesIsNotSent) {
    recorded at("bf-memory-usage-limit 400");
    at.run({"BF.RESERVE", "b", "0.01", "10"});
    (void)at.written();
    const words items = numbered("i", 500);
    const redis_value told = at.run(with_items({"BF.MADD", "b"}, items));
    ASSERT_EQ(told.elements.size(), items.size());
    ASSERT_TRUE(told.elements.back().is_error()) << "it is small enough for all";
    std::string fresh = "BF.MADD b";
    std::size_t count = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (told.elements[i].is_error() || told.elements[i].integer == 0) continue;
        fresh += ' ' + items[i];
        ++count;
    }
    EXPECT_GT(count, 20U);
    EXPECT_EQ(at.written(), words{fresh});
    EXPECT_EQ(at.written_of("BF.RESERVE large 0.01 100000"), words{});
    EXPECT_EQ(at.reply.substr(0, 4), "-ERR");
}

} // namespace
} // namespace bloomery::testing
