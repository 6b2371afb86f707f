// The marks of an SQLite source.
#include <bloomery/guard/sqlite.hpp>

#include "temporary_folder.hpp"
#include "visited.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

namespace bloomery::testing {
namespace {

using store::sql_keys;
using store::sql_table;
using store::sqlite;

const sql_table sqlite_marks_items{"items", "id", "body"};

void sqlite_marks_run(const std::filesystem::path& file, const std::string& sql) {
    sqlite3* opened = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &opened), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close_v2(opened);
}

TEST(SqliteMarks, TellWhatWasAdded) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", sqlite_marks_items);
    const std::string empty = store.mark();
    EXPECT_EQ(since(store, empty), texts{});
    store.put("a", "1");
    store.put("b", "1");
    EXPECT_EQ(since(store, empty), (texts{"a", "b"}));
    const std::string two = store.mark();
    EXPECT_EQ(since(store, two), texts{});
    store.put("a", "2");
    EXPECT_EQ(since(store, two), texts{});
    store.put("c", "1");
    EXPECT_EQ(since(store, two), texts{"c"});
}

TEST(SqliteMarks, AreOfNoUseAfterARemoval) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", sqlite_marks_items);
    for (const char* const key : {"a", "b", "c"}) store.put(key, "1");
    const std::string three = store.mark();
    store.erase("a");
    EXPECT_EQ(since(store, three), texts{"unknown"});
    store.put("d", "1");
    EXPECT_EQ(since(store, three), texts{"unknown"});
}

TEST(SqliteMarks, CountWhereThereAreNoRowNumbers) {
    const temporary_folder folder;
    sqlite_marks_run(folder / "a.db",
                     "CREATE TABLE bare (id TEXT PRIMARY KEY, body) WITHOUT ROWID; "
                     "CREATE VIEW seen AS SELECT id, body FROM bare");
    sqlite numbers(folder / "a.db", sqlite_marks_items, {.keys = sql_keys::integers});
    sqlite bare(folder / "a.db", {"bare", "id", "body"}, {.create = false});
    sqlite seen(folder / "a.db", {"seen", "id", "body"}, {.create = false});
    const std::string of_numbers = numbers.mark();
    const std::string of_bare = bare.mark();
    const std::string of_seen = seen.mark();
    EXPECT_EQ(of_numbers, "count 0");
    EXPECT_EQ(since(numbers, of_numbers), texts{});
    EXPECT_EQ(since(bare, of_bare), texts{});
    EXPECT_EQ(since(seen, of_seen), texts{});
    numbers.put("7", "1");
    bare.put("7", "1");
    EXPECT_EQ(seen.get("7"), "1");
    EXPECT_EQ(since(numbers, of_numbers), texts{"unknown"});
    EXPECT_EQ(since(bare, of_bare), texts{"unknown"});
    EXPECT_EQ(since(seen, of_seen), texts{"unknown"});
}

TEST(SqliteMarks, CanBeToldFromOtherText) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", sqlite_marks_items);
    store.put("a", "1");
    EXPECT_EQ(store.mark(), "rowid 1 count 1");
    for (const char* const mark : {"", "count 1", "rowid 1", "rowid 1 count", "rowid 1 count 1 ",
                                   "rowid x count 1", "rowid 1count 1", "xid 12"}) {
        EXPECT_EQ(since(store, mark), texts{"unknown"}) << mark;
    }
}

TEST(SqliteMarks, UseTheRowNumberWhateverItIsCalled) {
    const temporary_folder folder;
    sqlite_marks_run(folder / "a.db",
                     "CREATE TABLE odd (rowid TEXT PRIMARY KEY, oid TEXT); "
                     "CREATE TABLE numbered (n INTEGER PRIMARY KEY, id TEXT UNIQUE)");
    sqlite odd(folder / "a.db", {"odd", "rowid", "oid"}, {.create = false});
    odd.put("z", "1");
    const std::string one = odd.mark();
    EXPECT_EQ(one, "rowid 1 count 1");
    odd.put("a", "1");
    EXPECT_EQ(since(odd, one), texts{"a"});
    sqlite numbered(folder / "a.db", {"numbered", "id"}, {.create = false});
    sqlite_marks_run(folder / "a.db", "INSERT INTO numbered VALUES (100, 'a')");
    const std::string hundred = numbered.mark();
    sqlite_marks_run(folder / "a.db", "INSERT INTO numbered VALUES (50, 'b')");
    EXPECT_EQ(since(numbered, hundred), texts{"unknown"}) << "a number that was chosen";
}

} // namespace
} // namespace bloomery::testing
