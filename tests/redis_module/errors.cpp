// Every error message of BF.*: clients depend on them. RedisBloom also sends some without a code.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// Nothing but keys that are not filters, and one filter.
void prepare(module_server& at) {
    at.run({"FLUSHALL"});
    at.run({"SET", "text", "x"});
    at.run({"RPUSH", "list", "x"});
    at.run({"CF.ADD", "cuckoo", "x"});
    at.run({"BF.RESERVE", "f", "0.1", "10"});
}

/// The same in both protocols, and each leaves everything as it was.
void expect_errors(const std::vector<exchange>& all) {
    module_server at;
    prepare(at);
    const std::string before = at.run({"DEBUG", "DIGEST"}).text;
    for (const exchange& one : all) {
        EXPECT_EQ(at.resp2.ask(one.asked), one.resp2) << one.asked;
        EXPECT_EQ(at.resp3.ask(one.asked), one.resp2) << one.asked;
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before) << one.asked;
    }
}

TEST(BloomErrors, Reserve) {
    const std::string rate = "-ERR error rate must be in the range (0.000000, 1.000000)";
    const std::string capacity = "-ERR capacity must be in the range [1, 1073741824]";
    const std::string expansion = "-ERR expansion must be in the range [0, 32768]";
    expect_errors({
        {"BF.RESERVE f 0.1 10", "-ERR item exists"},
        {"BF.RESERVE f 0.1 10 NONSCALING LAYOUT SPLIT", "-ERR item exists"},
        {"BF.RESERVE n x 10", "-ERR bad error rate"},
        {"BF.RESERVE n 0.1x 10", "-ERR bad error rate"},
        {"BF.RESERVE n nan 10", "-ERR bad error rate"},
        {"BF.RESERVE n 1e-400 10", "-ERR bad error rate"},
        {"BF.RESERVE n 0 10", rate},
        {"BF.RESERVE n 0.0 10", rate},
        {"BF.RESERVE n 1 10", rate},
        {"BF.RESERVE n -0.1 10", rate},
        {"BF.RESERVE n 7.7 10", rate},
        {"BF.RESERVE n inf 10", rate},
        {"BF.RESERVE n 0.1 x", "-ERR bad capacity"},
        {"BF.RESERVE n 0.1 1.5", "-ERR bad capacity"},
        {"BF.RESERVE n 0.1 010", "-ERR bad capacity"},
        {"BF.RESERVE n 0.1 18446744073709551616", "-ERR bad capacity"},
        {"BF.RESERVE n 0.1 0", capacity},
        {"BF.RESERVE n 0.1 -1", capacity},
        {"BF.RESERVE n 0.1 1073741825", capacity},
        {"BF.RESERVE n 0.1 9223372036854775807", capacity},
        {"BF.RESERVE n 0.1 10 EXPANSION", "-ERR no expansion"},
        {"BF.RESERVE n 0.1 10 NONSCALING EXPANSION", "-ERR no expansion"},
        {"BF.RESERVE n 0.1 10 EXPANSION x", "-ERR bad expansion"},
        {"BF.RESERVE n 0.1 10 EXPANSION NONSCALING", "-ERR bad expansion"},
        {"BF.RESERVE n 0.1 10 EXPANSION -1", expansion},
        {"BF.RESERVE n 0.1 10 EXPANSION 32769", expansion},
        {"BF.RESERVE n 0.1 10 NONSCALING EXPANSION 1", "-Nonscaling filters cannot expand"},
        {"BF.RESERVE n 0.1 10 EXPANSION 2 NONSCALING", "-Nonscaling filters cannot expand"},
        {"BF.RESERVE n 0.1 10 LAYOUT", "-ERR the layout must be SPLIT"},
        {"BF.RESERVE n 0.1 10 LAYOUT CLASSIC", "-ERR the layout must be SPLIT"},
        {"BF.RESERVE n 0.1 10 SOMETHING", "-ERR unknown argument received"},
        {"BF.RESERVE n 0.1 10 NONSCALE", "-ERR unknown argument received"},
        {"BF.RESERVE n 0.1 10 EXPANSION 2 SPLIT", "-ERR unknown argument received"},
        // Half of the least rate is none.
        {"BF.RESERVE n 5e-324 1", "-ERR could not create filter"},
        // One cache line has not so many bits.
        {"BF.RESERVE n 1e-300 10 LAYOUT SPLIT", "-ERR could not create filter"},
        // What is asked for is read before the key is looked at.
        {"BF.RESERVE text x 10", "-ERR bad error rate"},
    });
}

TEST(BloomErrors, Insert) {
    expect_errors({
        {"BF.INSERT n NOCREATE ITEMS a", "-ERR not found"},
        {"BF.INSERT n CAPACITY 10 NOCREATE ERROR 0.1 ITEMS a", "-ERR not found"},
        {"BF.INSERT n CAPACITY x ITEMS a", "-Bad capacity"},
        {"BF.INSERT n CAPACITY 0 ITEMS a", "-Bad capacity"},
        {"BF.INSERT n CAPACITY -1 ITEMS a", "-Bad capacity"},
        {"BF.INSERT n CAPACITY 1073741825 ITEMS a", "-Bad capacity"},
        {"BF.INSERT n CAPACITY ITEMS a", "-Bad capacity"},
        {"BF.INSERT n ERROR x ITEMS a", "-Bad error rate"},
        {"BF.INSERT n ERROR 0 ITEMS a", "-Bad error rate"},
        {"BF.INSERT n ERROR 1 ITEMS a", "-Bad error rate"},
        {"BF.INSERT n ERROR nan ITEMS a", "-Bad error rate"},
        {"BF.INSERT n EXPANSION x ITEMS a", "-Bad expansion"},
        {"BF.INSERT n EXPANSION -1 ITEMS a", "-Bad expansion"},
        {"BF.INSERT n EXPANSION 32769 ITEMS a", "-Bad expansion"},
        {"BF.INSERT n VALIDATESCALETO 0 ITEMS a", "-ERR bad VALIDATESCALETO"},
        {"BF.INSERT n VALIDATESCALETO x ITEMS a", "-ERR bad VALIDATESCALETO"},
        {"BF.INSERT n NONSCALING VALIDATESCALETO 9 ITEMS a",
         "-ERR cannot use NONSCALING and VALIDATESCALETO options together"},
        {"BF.INSERT n VALIDATESCALETO 9 NONSCALING ITEMS a",
         "-ERR cannot use NONSCALING and VALIDATESCALETO options together"},
        {"BF.INSERT n CAPACITY 1 EXPANSION 1 VALIDATESCALETO 2000 ITEMS a",
         "-ERR provided VALIDATESCALETO causes false positive to degrade to 0"},
        {"BF.INSERT n SOMETHING ITEMS a", "-Unknown argument received"},
        {"BF.INSERT n ERR 0.1 ITEMS a", "-Unknown argument received"},
        {"BF.INSERT n ITEM a", "-Unknown argument received"},
        {"BF.INSERT n LAYOUT SPLIT ITEMS a", "-Unknown argument received"},
        {"BF.INSERT n ERROR 5e-324 ITEMS a", "-ERR could not create filter"},
        // Also for a filter that is there already.
        {"BF.INSERT f CAPACITY 0 ITEMS a", "-Bad capacity"},
        {"BF.INSERT f SOMETHING ITEMS a", "-Unknown argument received"},
    });
}

TEST(BloomErrors, NothingThere) {
    expect_errors({
        {"BF.INFO n", "-ERR not found"},
        {"BF.INFO n SOMETHING", "-ERR not found"},
        {"BF.DEBUG n", "-ERR not found"},
        {"BF.SCANDUMP n 0", "-ERR not found"},
        {"BF.SCANDUMP n x", "-ERR not found"},
        {"BF.LOADCHUNK n 2 x", "-ERR not found"},
        {"BF.LOADCHUNK n 0 x", "-ERR not found"},
        {"BF.MERGE n n", "-ERR not found"},
        {"BF.MERGE f n", "-ERR not found"},
        {"BF.MERGE n f n", "-ERR not found"},
        {"BF.INTERSECT n n", "-ERR not found"},
        {"BF.INTERSECT f n", "-ERR not found"},
        {"BF.CLEAR n", "-ERR not found"},
        {"BF.INFO f SOMETHING", "-Invalid information value"},
        {"BF.INFO f CAPACIT", "-Invalid information value"},
    });
}

TEST(BloomErrors, Pieces) {
    expect_errors({
        {"BF.SCANDUMP f x", "-Second argument must be numeric"},
        {"BF.SCANDUMP f 1.5", "-Second argument must be numeric"},
        {"BF.LOADCHUNK f x y", "-ERR Second argument must be numeric"},
        {"BF.LOADCHUNK n x y", "-ERR Second argument must be numeric"},
        {"BF.LOADCHUNK n 1 x", "-ERR received bad data"},
        {"BF.LOADCHUNK f 0 x", "-ERR received bad data"},
        {"BF.LOADCHUNK f -5 x", "-ERR received bad data"},
        {"BF.LOADCHUNK f 2 xxx", "-ERR received bad data"},
        {"BF.LOADCHUNK f 1 x", "-ERR invalid offset - no link found"},
        {"BF.LOADCHUNK f 2 xx", "-ERR invalid offset - no link found"},
        {"BF.LOADCHUNK f 10 x", "-ERR invalid offset - no link found"},
        {"BF.LOADCHUNK f 9223372036854775807 x", "-ERR invalid offset - no link found"},
        {"BF.LOADCHUNK f 10 123456789", "-ERR invalid chunk - Too big for current filter"},
        {"BF.LOADCHUNK f 11 123456789", "-ERR invalid chunk - Too big for current filter"},
    });
}

TEST(BloomErrors, WrongTypes) {
    module_server at;
    for (const std::string key : {"text", "list", "cuckoo"}) {
        for (const std::string& asked :
             std::vector<std::string>{"BF.RESERVE " + key + " 0.1 10",
                                      "BF.ADD " + key + " a",
                                      "BF.MADD " + key + " a b",
                                      "BF.INSERT " + key + " ITEMS a",
                                      "BF.INSERT " + key + " NOCREATE ITEMS a",
                                      "BF.CARD " + key,
                                      "BF.INFO " + key,
                                      "BF.INFO " + key + " SIZE",
                                      "BF.INFO " + key + " SOMETHING",
                                      "BF.DEBUG " + key,
                                      "BF.SCANDUMP " + key + " 0",
                                      "BF.SCANDUMP " + key + " x",
                                      "BF.LOADCHUNK " + key + " 1 x",
                                      "BF.LOADCHUNK " + key + " 2 x",
                                      "BF.MERGE " + key + " f",
                                      "BF.MERGE f " + key,
                                      "BF.MERGE n f " + key,
                                      "BF.INTERSECT " + key + " f",
                                      "BF.INTERSECT f " + key,
                                      "BF.CLEAR " + key}) {
            prepare(at);
            const std::string before = at.run({"DEBUG", "DIGEST"}).text;
            EXPECT_EQ(at.resp2.ask(asked), wrong_type) << asked;
            EXPECT_EQ(at.resp3.ask(asked), wrong_type) << asked;
            EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, before) << asked;
        }
        // RedisBloom treats what is not a filter as an empty one here.
        EXPECT_EQ(at.resp2.ask("BF.EXISTS " + key + " x"), ":0");
        EXPECT_EQ(at.resp3.ask("BF.EXISTS " + key + " x"), "#f");
        EXPECT_EQ(at.resp2.ask("BF.MEXISTS " + key + " x y"), "[:0 :0]");
        EXPECT_EQ(at.resp3.ask("BF.MEXISTS " + key + " x y"), "[#f #f]");
    }
}

TEST(BloomErrors, Arities) {
    // The arity that COMMAND INFO shows, and numbers of words that are too few or too many.
    struct arity {
        int shown;
        std::vector<std::string> wrong;
    };
    const std::map<std::string, arity> all{
        {"bf.reserve", {-4, {"", "f", "f 0.1", "f 0.1 10 EXPANSION 2 LAYOUT SPLIT EXPANSION 2"}}},
        {"bf.add", {3, {"", "f", "f a b"}}},
        {"bf.madd", {-3, {"", "f"}}},
        {"bf.insert",
         {-4,
          {"", "f", "f ITEMS", "f CAPACITY 10", "f NOCREATE NONSCALING", "f CAPACITY 10 ITEMS",
           "f NOCREATE CAPACITY", "f NOCREATE ERROR", "f NOCREATE EXPANSION",
           "f NOCREATE VALIDATESCALETO"}}},
        {"bf.exists", {3, {"", "f", "f a b"}}},
        {"bf.mexists", {-3, {"", "f"}}},
        {"bf.card", {2, {"", "f g"}}},
        {"bf.info", {-2, {"", "f SIZE ITEMS"}}},
        {"bf.debug", {2, {"", "f g"}}},
        {"bf.scandump", {3, {"", "f", "f 0 x"}}},
        {"bf.loadchunk", {4, {"", "f", "f 1", "f 1 x y"}}},
        {"bf.merge", {-3, {"", "f"}}},
        {"bf.intersect", {-3, {"", "f"}}},
        {"bf.clear", {2, {"", "f g"}}},
    };
    module_server at;
    prepare(at);
    for (const auto& [name, of] : all) {
        const redis_value info = at.run({"COMMAND", "INFO", name}).elements.at(0);
        EXPECT_EQ(info.elements.at(0).text, name);
        EXPECT_EQ(info.elements.at(1).integer, of.shown) << name;
        for (const std::string& words : of.wrong) {
            std::string asked = name;
            asked.append(" ").append(words);
            EXPECT_EQ(at.resp2.ask(asked), wrong_arity_of(name)) << words;
            EXPECT_EQ(at.resp3.ask(asked), wrong_arity_of(name)) << words;
        }
    }
    EXPECT_EQ(at.run({"BF.CARD", "f"}).integer, 0);
}

TEST(BloomErrors, NoCommandIsLeftOut) {
    module_server at;
    std::size_t ours = 0;
    for (const redis_value& one :
         at.run({"COMMAND", "LIST", "FILTERBY", "PATTERN", "bf.*"}).elements) {
        EXPECT_EQ(one.text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
        ++ours;
    }
    EXPECT_EQ(ours, 14U); // a new one needs rows in the tables above
}

TEST(BloomErrors, AFilterThatCannotGrow) {
    module_server at;
    // A header that RedisBloom takes too: it grows, but by nothing.
    at.run({"BF.RESERVE", "f", "0.01", "3"});
    std::string header = at.run({"BF.SCANDUMP", "f", "0"}).elements.at(1).text;
    ASSERT_EQ(header.at(16), 2);
    header[16] = 0;
    at.run({"BF.LOADCHUNK", "g", "1", header});
    const std::string problem = "-ERR problem inserting into filter";
    // It goes on with the others.
    EXPECT_EQ(at.resp2.ask("BF.MADD g a b c d a e b"),
              "[:1 :1 :1 " + problem + " :0 " + problem + " :0]");
    EXPECT_EQ(at.resp3.ask("BF.ADD g z"), problem);
    EXPECT_EQ(at.resp3.ask("BF.INSERT g ITEMS a z"), "[#f " + problem + "]");
    EXPECT_EQ(at.resp2.ask("BF.CARD g"), ":3");
}

TEST(BloomErrors, AServerWithoutMemory) {
    module_server at;
    at.run({"BF.MADD", "f", "a", "b"});
    at.run({"CONFIG", "SET", "maxmemory", "1"});
    const std::string oom = "-OOM command not allowed when used memory > 'maxmemory'.";
    for (const char* const asked :
         {"BF.RESERVE g 0.1 10", "BF.ADD f c", "BF.MADD f c", "BF.INSERT f ITEMS c",
          "BF.LOADCHUNK f 2 x", "BF.MERGE g f", "BF.INTERSECT g f"}) {
        EXPECT_EQ(at.resp2.ask(asked), oom) << asked;
    }
    // What takes none is done.
    EXPECT_EQ(at.resp2.ask("BF.EXISTS f a"), ":1");
    EXPECT_EQ(at.resp2.ask("BF.CLEAR f"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.CARD f"), ":0");
}

} // namespace
} // namespace bloomery::testing
