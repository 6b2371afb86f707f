// WATCH, and with it the caches of clients: what changes a filter invalidates them, and nothing
// else does.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// Whether a transaction that watches a key fails because of a command between.
bool breaks_watch(module_server& at, const std::string& key, const std::string& command) {
    at.resp2.ask("WATCH " + key);
    at.resp3.ask(command);
    at.resp2.ask("MULTI");
    at.resp2.ask("PING");
    const std::string executed = at.resp2.ask("EXEC");
    EXPECT_TRUE(executed == "[+PONG]" || executed == "nil" || executed == "*nil") << executed;
    return executed != "[+PONG]";
}

TEST(ModuleWatch, WhatChangesNothingIsNotNoticed) {
    module_server at;
    for (const std::string command : {"BF.MADD f a b", "BF.ADD g a", "CF.INSERT c ITEMS a b"}) {
        at.resp2.ask(command);
    }
    for (const exchange& one : std::vector<exchange>{{"f", "BF.ADD f a"},
                                                     {"f", "BF.MADD f a b a"},
                                                     {"f", "BF.INSERT f ITEMS b"},
                                                     {"f", "BF.EXISTS f a"},
                                                     {"f", "BF.MEXISTS f a z"},
                                                     {"f", "BF.RESERVE f 0.01 100"},
                                                     {"f", "BF.LOADCHUNK f 9999999 x"},
                                                     {"f", "BF.INTERSECT f c"},
                                                     {"f", "BF.MERGE f"},
                                                     {"g", "BF.MERGE f g"},
                                                     {"c", "CF.ADDNX c a"},
                                                     {"c", "CF.INSERTNX c ITEMS a b"},
                                                     {"c", "CF.DEL c z"},
                                                     {"c", "CF.COMPACT c"},
                                                     {"c", "CF.LOADCHUNK c 9999999 x"},
                                                     {"none", "CF.DEL none a"},
                                                     {"none", "BF.INSERT none NOCREATE ITEMS a"}}) {
        EXPECT_FALSE(breaks_watch(at, one.asked, one.resp2)) << one.resp2;
    }
}

TEST(ModuleWatch, EveryChangeIsNoticed) {
    module_server at;
    for (const exchange& one : std::vector<exchange>{{"f", "BF.RESERVE f 0.01 100"},
                                                     {"f", "BF.ADD f a"},
                                                     {"f", "BF.MADD f a b"},
                                                     {"f", "BF.INSERT f ITEMS b c"},
                                                     {"new", "BF.ADD new a"},
                                                     {"f", "BF.LOADCHUNK f 3 xy"},
                                                     {"m", "BF.MERGE m f new"},
                                                     {"m", "BF.MERGE m f"},
                                                     {"i", "BF.INTERSECT i f"},
                                                     {"f", "BF.CLEAR f"},
                                                     {"c", "CF.RESERVE c 4 BUCKETSIZE 1"},
                                                     {"c", "CF.ADD c a"},
                                                     {"c", "CF.ADDNX c b"},
                                                     {"c", "CF.INSERT c ITEMS a a a a a a"},
                                                     {"c", "CF.INSERTNX c ITEMS a e"},
                                                     {"c", "CF.LOADCHUNK c 3 x"},
                                                     {"c", "CF.DEL c a"},
                                                     {"c", "CF.DEL c a"},
                                                     {"d", "CF.ADD d a"}}) {
        EXPECT_TRUE(breaks_watch(at, one.asked, one.resp2)) << one.resp2;
    }
    // The count of deleted items starts anew, although nothing is added or removed.
    at.resp2.ask("CF.INSERT e ITEMS a b c");
    at.resp2.ask("CF.DEL e a");
    EXPECT_TRUE(breaks_watch(at, "e", "CF.COMPACT e"));
}

} // namespace
} // namespace bloomery::testing
