// What COMMAND reports about BF.*, and how ACL uses it.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// The pairs of a flat array, such as a map is in RESP2.
std::map<std::string, redis_value> map_of(const redis_value& flat) {
    std::map<std::string, redis_value> made;
    for (std::size_t i = 0; i + 1 < flat.elements.size(); i += 2) {
        made[flat.elements[i].text] = flat.elements[i + 1];
    }
    return made;
}

/// How COMMAND DOCS writes an argument, in short: NAME or TOKEN NAME, [] optional, ... repeated.
std::string argument_text(const redis_value& from) {
    auto facts = map_of(from);
    std::string text = facts["name"].text + ':' + facts["type"].text;
    if (!facts["token"].text.empty()) text.insert(0, facts["token"].text + ' ');
    const auto flags = facts["flags"].texts();
    if (std::ranges::find(flags, "multiple") != flags.end()) text += "...";
    if (std::ranges::find(flags, "optional") != flags.end()) text = '[' + text + ']';
    return text;
}

TEST(BloomDocs, OfEachCommand) {
    const std::map<std::string, std::vector<std::string>> arguments{
        {"bf.reserve",
         {"key:key", "error_rate:double", "capacity:integer", "[EXPANSION expansion:integer]",
          "[NONSCALING nonscaling:pure-token]", "[LAYOUT layout:string]"}},
        {"bf.add", {"key:key", "item:string"}},
        {"bf.madd", {"key:key", "item:string..."}},
        {"bf.insert",
         {"key:key", "[CAPACITY capacity:integer]", "[ERROR error:double]",
          "[EXPANSION expansion:integer]", "[VALIDATESCALETO validatescaleto:integer]",
          "[NOCREATE nocreate:pure-token]", "[NONSCALING nonscaling:pure-token]",
          "ITEMS items:string..."}},
        {"bf.exists", {"key:key", "item:string"}},
        {"bf.mexists", {"key:key", "item:string..."}},
        {"bf.card", {"key:key"}},
        {"bf.info", {"key:key", "[field:string]"}},
        {"bf.debug", {"key:key"}},
        {"bf.scandump", {"key:key", "iterator:integer"}},
        {"bf.loadchunk", {"key:key", "iterator:integer", "data:string"}},
        {"bf.merge", {"key:key", "source:key..."}},
        {"bf.intersect", {"key:key", "source:key..."}},
        {"bf.clear", {"key:key"}},
    };
    module_server at;
    std::set<std::string> summaries;
    for (const auto& [name, wanted] : arguments) {
        const redis_value told = at.run({"COMMAND", "DOCS", name});
        ASSERT_EQ(told.elements.size(), 2U) << name;
        EXPECT_EQ(told.elements[0].text, name);
        auto facts = map_of(told.elements[1]);
        EXPECT_GT(facts["summary"].text.size(), 20U) << name;
        EXPECT_TRUE(summaries.insert(facts["summary"].text).second) << "of another: " << name;
        EXPECT_TRUE(facts["complexity"].text.starts_with("O(")) << name;
        EXPECT_EQ(std::ranges::count(facts["since"].text, '.'), 2) << name;
        EXPECT_EQ(facts["group"].text, "module");
        EXPECT_EQ(facts["module"].text, "bf");
        std::vector<std::string> all;
        for (const redis_value& one : facts["arguments"].elements) {
            all.push_back(argument_text(one));
        }
        EXPECT_EQ(all, wanted) << name;
    }
}

TEST(BloomDocs, FlagsAndKeys) {
    struct row {
        std::set<std::string> flags;
        std::vector<std::set<std::string>> keys; ///< what is done to each range of keys
    };
    const std::set<std::string> read{"readonly", "fast", "module"};
    const std::set<std::string> write{"write", "denyoom", "module"};
    const std::vector<std::set<std::string>> asks{{"RO", "access"}};
    const std::vector<std::set<std::string>> puts{{"RW", "insert"}};
    const std::vector<std::set<std::string>> puts_and_tells{{"RW", "insert", "access"}};
    const std::vector<std::set<std::string>> joins{{"RW", "insert"}, {"RO", "access"}};
    const std::map<std::string, row> all{
        {"bf.reserve", {write, puts}},
        {"bf.add", {write, puts_and_tells}},
        {"bf.madd", {write, puts_and_tells}},
        {"bf.insert", {write, puts_and_tells}},
        {"bf.exists", {read, asks}},
        {"bf.mexists", {read, asks}},
        {"bf.card", {read, asks}},
        {"bf.info", {read, asks}},
        {"bf.debug", {read, asks}},
        {"bf.scandump", {read, asks}},
        {"bf.loadchunk", {write, puts}},
        {"bf.merge", {write, joins}},
        {"bf.intersect", {write, joins}},
        {"bf.clear", {{"write", "module"}, {{"RW", "delete"}}}},
    };
    module_server at;
    const auto set_of = [](const redis_value& texts) {
        const auto list = texts.texts();
        return std::set<std::string>(list.begin(), list.end());
    };
    for (const auto& [name, wanted] : all) {
        const redis_value info = at.run({"COMMAND", "INFO", name}).elements.at(0);
        EXPECT_EQ(set_of(info.elements.at(2)), wanted.flags) << name;
        EXPECT_EQ(info.elements.at(3).integer, 1) << name;
        EXPECT_EQ(info.elements.at(4).integer, wanted.keys.size() > 1 ? -1 : 1) << name;
        EXPECT_EQ(info.elements.at(5).integer, 1) << name;
        std::vector<std::set<std::string>> keys;
        for (const redis_value& one : info.elements.at(8).elements) {
            keys.push_back(set_of(map_of(one)["flags"]));
        }
        EXPECT_EQ(keys, wanted.keys) << name;
    }
}

TEST(BloomDocs, KeysOfACommand) {
    module_server at;
    for (const exchange& one : std::vector<exchange>{
             {"BF.ADD a b", "[\"a\"]"},
             {"BF.MADD a b c", "[\"a\"]"},
             {"BF.RESERVE a 0.1 10 EXPANSION 2", "[\"a\"]"},
             {"BF.INSERT a ITEMS b c", "[\"a\"]"},
             {"BF.LOADCHUNK a 1 x", "[\"a\"]"},
             {"BF.MERGE a b c", "[\"a\" \"b\" \"c\"]"},
             {"BF.INTERSECT a b", "[\"a\" \"b\"]"},
             {"BF.CLEAR a", "[\"a\"]"},
         }) {
        EXPECT_EQ(at.resp2.ask("COMMAND GETKEYS " + one.asked), one.resp2) << one.asked;
    }
}

/// A user with rules of its own, and a connection of hers.
struct user {
    user(module_server& at, const std::string& rules)
        : connection((at.run({"ACL", "SETUSER", "ann", "reset"}), set(at, rules), at.socket())) {
        EXPECT_EQ(connection.ask("AUTH ann secret"), "+OK");
    }
    static void set(module_server& at, const std::string& rules) {
        EXPECT_EQ(at.resp2.ask("ACL SETUSER ann on >secret " + rules), "+OK") << rules;
    }
    /// Whether she may not: "key", "command", or nothing.
    std::string refused(const std::string& asked) {
        const std::string reply = connection.ask(asked);
        if (!reply.starts_with("-NOPERM")) return "";
        return reply.find("key") != std::string::npos ? "key" : "command";
    }
    resp_client connection;
};

TEST(BloomAcl, WhoMayReadMayAskAndNotAdd) {
    module_server at;
    at.run({"BF.ADD", "f", "a"});
    user ann(at, "%R~* +bf.exists");
    EXPECT_EQ(ann.connection.ask("BF.EXISTS f a"), ":1");
    EXPECT_EQ(ann.refused("BF.ADD f b"), "command");
    EXPECT_EQ(ann.refused("BF.MEXISTS f b"), "command");
    user::set(at, "+@all");
    for (const std::string asked : {"BF.EXISTS f a", "BF.MEXISTS f a", "BF.CARD f", "BF.INFO f",
                                    "BF.DEBUG f", "BF.SCANDUMP f 0"}) {
        EXPECT_EQ(ann.refused(asked), "") << asked;
    }
    for (const std::string asked :
         {"BF.RESERVE f 0.1 10", "BF.ADD f b", "BF.MADD f b", "BF.INSERT f ITEMS b",
          "BF.LOADCHUNK f 1 x", "BF.MERGE f f", "BF.INTERSECT f f", "BF.CLEAR f"}) {
        EXPECT_EQ(ann.refused(asked), "key") << asked;
    }
    EXPECT_EQ(at.resp2.ask("BF.CARD f"), ":1");
}

TEST(BloomAcl, WhoMayWriteIsNotToldWhatIsIn) {
    module_server at;
    at.run({"BF.ADD", "f", "a"});
    user ann(at, "%W~* +@all");
    for (const std::string asked : {"BF.RESERVE new 0.1 10", "BF.LOADCHUNK f 2 x", "BF.CLEAR f"}) {
        EXPECT_EQ(ann.refused(asked), "") << asked;
    }
    for (const std::string asked :
         {"BF.ADD f b", "BF.MADD f b", "BF.INSERT f ITEMS b", "BF.EXISTS f a", "BF.MEXISTS f a",
          "BF.CARD f", "BF.INFO f", "BF.DEBUG f", "BF.SCANDUMP f 0", "BF.MERGE new f"}) {
        EXPECT_EQ(ann.refused(asked), "key") << asked;
    }
}

TEST(BloomAcl, SourcesAreReadAndTheFirstKeyIsWritten) {
    module_server at;
    for (const char* const key : {"to", "from:1", "from:2", "else"}) at.run({"BF.ADD", key, key});
    user ann(at, "%W~to %R~from:* +@all");
    for (const std::string verb : {"BF.MERGE ", "BF.INTERSECT "}) {
        EXPECT_EQ(ann.refused(verb + "to from:1"), "");
        EXPECT_EQ(ann.refused(verb + "to from:1 from:2"), "");
        EXPECT_EQ(ann.refused(verb + "to else"), "key");
        EXPECT_EQ(ann.refused(verb + "to from:1 else"), "key");
        EXPECT_EQ(ann.refused(verb + "from:1 from:2"), "key");
        EXPECT_EQ(ann.refused(verb + "else from:1"), "key");
    }
}

TEST(BloomAcl, CategoriesWhereModulesMayHaveThem) {
    module_server at;
    const auto categories = at.run({"ACL", "CAT"}).texts();
    if (std::ranges::find(categories, "bloom") == categories.end()) {
        GTEST_SKIP() << "this server has none for modules";
    }
    EXPECT_EQ(at.run({"COMMAND", "LIST", "FILTERBY", "ACLCAT", "bloom"}).elements.size(), 14U);
    user ann(at, "~* +@bloom");
    EXPECT_EQ(ann.refused("BF.ADD f a"), "");
    EXPECT_EQ(ann.refused("CF.ADD g a"), "command");
    user::set(at, "-@write");
    EXPECT_EQ(ann.refused("BF.ADD f a"), "command");
    EXPECT_EQ(ann.refused("BF.EXISTS f a"), "");
}

} // namespace
} // namespace bloomery::testing
