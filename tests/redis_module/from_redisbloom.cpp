// Commands from a RedisBloom, through its append-only file or as our master, have the same effect
// as there; and every state that we accept can be loaded again.
#include "append_only.hpp"
#include "module_server.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// Adds a command to the end of a server's append-only file, as another server might have.
void append(const std::filesystem::path& folder, const std::vector<std::string>& command) {
    for (const auto& file : std::filesystem::directory_iterator(folder / "appendonlydir")) {
        if (file.path().filename().string().find(".incr.") == std::string::npos) continue;
        std::ofstream bytes(file.path(), std::ios::binary | std::ios::app);
        bytes << '*' << command.size() << "\r\n";
        for (const std::string& word : command) {
            bytes << '$' << word.size() << "\r\n" << word << "\r\n";
        }
    }
}

TEST(FromRedisBloom, WordsThatItUnderstoodByALetter) {
    redis_server at(with_module(written_at_once));
    const std::filesystem::path folder = at.run({"CONFIG", "GET", "dir"}).texts().at(1);
    at.run({"SET", "x", "y"});
    at.stop();
    append(folder, {"BF.INSERT", "a", "cap", "5000", "er", "0.001", "exp", "4", "i", "item"});
    append(folder, {"BF.INSERT", "b", "non", "item", "item"});
    append(folder, {"BF.RESERVE", "c", "0.001", "7000", "WHATEVER"});
    append(folder, {"CF.INSERT", "d", "cap", "5000", "i", "item"});
    append(folder, {"CF.RESERVE", "e", "5000", "WHATEVER", "1"});
    at.start();
    EXPECT_EQ(at.run({"BF.EXISTS", "a", "item"}).integer, 1);
    EXPECT_EQ(at.run({"BF.INFO", "a", "CAPACITY"}).elements.at(0).integer, 5000);
    EXPECT_EQ(at.run({"BF.INFO", "a", "EXPANSION"}).elements.at(0).integer, 4);
    EXPECT_EQ(at.run({"BF.INFO", "b", "EXPANSION"}).elements.at(0).is, redis_value::type::nil);
    EXPECT_EQ(at.run({"BF.INFO", "c", "CAPACITY"}).elements.at(0).integer, 7000);
    EXPECT_EQ(at.run({"CF.EXISTS", "d", "item"}).integer, 1);
    EXPECT_EQ(at.run({"CF.INFO", "e"}).elements.at(3).integer, 4096);
    // A client has to say it in full.
    EXPECT_TRUE(at.command({"BF.INSERT", "f", "i", "item"}).is_error());
    EXPECT_TRUE(at.command({"BF.RESERVE", "g", "0.1", "10", "WHATEVER"}).is_error());
    EXPECT_TRUE(at.command({"CF.RESERVE", "g", "10", "WHATEVER", "1"}).is_error());
}

TEST(ToRedisBloom, WordsOfOursAreNotPassedOn) {
    redis_server at(with_module(written_at_once));
    at.run({"BF.ADD", "a", "first"});
    const std::size_t before = append_only_text(at).size();
    at.run({"BF.INSERT", "a", "VALIDATESCALETO", "1000", "ITEMS", "second"});
    EXPECT_EQ(append_only_text(at).find("VALIDATESCALETO"), std::string::npos);
    EXPECT_EQ(commands_in(append_only_text(at), before).back(),
              (std::vector<std::string>{"BF.MADD", "a", "second"}));
}

// Counts that would wrap around make files that nobody loads.
TEST(LoadedCounts, AreFarFromTheEndOfTheirNumbers) {
    module_server at;
    at.resp2.ask("BF.RESERVE a 0.01 10");
    at.resp2.ask("BF.RESERVE n 0.01 10 LAYOUT SPLIT");
    for (const std::string key : {"a", "n"}) {
        std::string header = at.run({"BF.SCANDUMP", key, "0"}).elements.at(1).text;
        const std::string most(8, '\xff');
        if (key == "a") header.replace(0, 8, most).replace(20 + 16, 8, most);
        if (key == "n") header.replace(header.size() - 8, 8, most);
        EXPECT_EQ(at.resp2.ask({"BF.LOADCHUNK", "x", "1", header}), "-ERR received bad data")
            << key;
    }
}

// The split layouts have a fixed number of bits for each item, so that rates that are halved for
// ever would take all memory.
TEST(SplitLayout, GrowsByManySmallLayers) {
    module_server at;
    at.resp2.ask("BF.RESERVE s 0.01 1 EXPANSION 1 LAYOUT SPLIT");
    for (int i = 0; i < 500; ++i) {
        const std::string added = at.resp2.ask("BF.ADD s item" + std::to_string(i));
        ASSERT_TRUE(added == ":1" || added == ":0") << added;
    }
    EXPECT_LT(at.run({"BF.INFO", "s", "SIZE"}).elements.at(0).integer, 300'000);
    for (int i = 0; i < 500; ++i) {
        EXPECT_EQ(at.resp2.ask("BF.EXISTS s item" + std::to_string(i)), ":1");
    }
}

TEST(MemoryLimit, AsAnArgumentHasUnitsToo) {
    module_server at({}, "bf-memory-usage-limit 128kb");
    EXPECT_EQ(at.resp2.ask("CONFIG GET bf*memory-usage-limit"),
              "[\"bf.bf-memory-usage-limit\" \"131072\"]");
    EXPECT_THROW(module_server({}, "bf-memory-usage-limit 128xb"), std::runtime_error);
}

} // namespace
} // namespace bloomery::testing
