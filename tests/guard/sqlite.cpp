// A table of SQLite as a source: keys of every type, threads, what is refused.
#include <bloomery/guard/sqlite.hpp>

#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "visited.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using store::sql_keys;
using store::sql_table;
using store::sqlite;
using store::sqlite_options;
using store::store_error;
using store::unavailable;

const sql_table items{"items", "id", "body"};
const std::vector<std::string> sqlite_odd_texts{
    "",       "a",       "A", "'", "\"; DROP TABLE items", "07",  " 7", "7.0",
    "\u00e9", "e\u0301", "%", "_", "\xF0\x9F\x8C\xB8",     "a\nb"};

/// Another program that uses the database.
class other_program {
public:
    explicit other_program(const std::filesystem::path& file) {
        sqlite3* opened = nullptr;
        EXPECT_EQ(sqlite3_open(file.c_str(), &opened), SQLITE_OK);
        handle_.reset(opened);
    }
    void run(const std::string& sql) {
        char* why = nullptr;
        const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, &why);
        EXPECT_EQ(code, SQLITE_OK) << sql << ": " << (why != nullptr ? why : "");
        sqlite3_free(why);
    }

private:
    struct close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    std::unique_ptr<sqlite3, close> handle_;
};

TEST(Sqlite, KeepsWhatIsPutAndForgetsWhatIsErased) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items);
    EXPECT_EQ(store.get("k"), std::nullopt);
    EXPECT_TRUE(store.put("k", "one"));
    EXPECT_FALSE(store.put("k", "two"));
    EXPECT_EQ(store.get("k"), "two");
    EXPECT_EQ(store.count(), 1U);
    EXPECT_TRUE(store.erase("k"));
    EXPECT_FALSE(store.erase("k"));
    EXPECT_EQ(store.get("k"), std::nullopt);
    EXPECT_EQ(store.count(), 0U);
    EXPECT_EQ(store.name(),
              "sqlite " + std::filesystem::canonical(folder / "a.db").string() + " items.id");
}

TEST(Sqlite, HoldsOddTextsAndAnyBytesAsValues) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items);
    const std::string all_bytes = "\0\xff\n\0"s;
    for (const std::string& key : sqlite_odd_texts)
        EXPECT_TRUE(store.put(key, key + all_bytes)) << key;
    for (const std::string& key : sqlite_odd_texts)
        EXPECT_EQ(store.get(key), key + all_bytes) << key;
    texts sorted = sqlite_odd_texts;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(keys_of(store), sorted);
    const std::string large(1U << 20U, 'x');
    EXPECT_TRUE(store.put(large, large));
    EXPECT_EQ(store.get(large), large);
    for (const std::string& key : sqlite_odd_texts) EXPECT_TRUE(store.erase(key)) << key;
    EXPECT_EQ(keys_of(store), texts{large});
}

TEST(Sqlite, DeniesWhatTextCannotBeAndRefusesToPutIt) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items);
    for (const std::string& key : {"a\0b"s, "\xff"s, "\xed\xa0\x80"s}) {
        EXPECT_EQ(store.get(key), std::nullopt);
        EXPECT_FALSE(store.erase(key));
        EXPECT_THROW(store.put(key, "v"), store_error);
    }
    EXPECT_EQ(store.count(), 0U);
}

TEST(Sqlite, HoldsAnyBytesInAColumnOfBytes) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items, {.keys = sql_keys::bytes});
    texts all = sqlite_odd_texts;
    all.insert(all.end(), {"a\0b"s, "\0"s, "\xff\xfe"s});
    for (const std::string& key : all) EXPECT_TRUE(store.put(key, key)) << key;
    for (const std::string& key : all) EXPECT_EQ(store.get(key), key) << key;
    std::sort(all.begin(), all.end());
    EXPECT_EQ(keys_of(store), all);
}

TEST(Sqlite, KnowsANumberByItsTextAlone) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items, {.keys = sql_keys::integers});
    const texts numbers{"-9223372036854775808", "0", "7", "9223372036854775807"};
    for (const std::string& key : numbers) EXPECT_TRUE(store.put(key, "v" + key));
    for (const std::string& key : numbers) EXPECT_EQ(store.get(key), "v" + key);
    EXPECT_EQ(keys_of(store), numbers);
    for (const char* const key :
         {"007", "+7", " 7", "7 ", "7.0", "abc", "", "-0", "7e0", "9223372036854775808"}) {
        EXPECT_EQ(store.get(key), std::nullopt) << key;
        EXPECT_FALSE(store.erase(key)) << key;
        EXPECT_THROW(store.put(key, "v"), store_error) << key;
    }
    EXPECT_EQ(store.count(), 4U);
}

TEST(Sqlite, FindsKeysInColumnsOfEveryKind) {
    const temporary_folder folder;
    other_program other(folder / "a.db");
    other.run("CREATE TABLE any_type (id PRIMARY KEY, body); "
              "INSERT INTO any_type VALUES (7, 1.5), ('seven', NULL), (x'00ff', x'ff00'); "
              "CREATE TABLE numeric_type (id UUID PRIMARY KEY, body TEXT); "
              "INSERT INTO numeric_type VALUES ('ab-cd', 'x'), (1.50, 'y'), (12, 'z'); "
              "CREATE TABLE no_case (id TEXT PRIMARY KEY COLLATE NOCASE, body TEXT); "
              "INSERT INTO no_case VALUES ('abc', 'x');"
              "CREATE TABLE strict_type (id ANY PRIMARY KEY, body ANY) STRICT;"
              "INSERT INTO strict_type VALUES (7, 8), ('x', 'y')");
    const sqlite_options as_is{.create = false};
    sqlite any(folder / "a.db", {"any_type", "id", "body"}, as_is);
    EXPECT_EQ(any.get("7"), "1.5");
    EXPECT_EQ(any.get("seven"), "");
    EXPECT_EQ(any.get("\0\xff"s), "\xff\0"s);
    EXPECT_FALSE(any.put("7", "8"));
    EXPECT_FALSE(any.put("seven", "8"));
    EXPECT_EQ(any.count(), 3U);
    EXPECT_TRUE(any.erase("7"));
    sqlite numeric(folder / "a.db", {"numeric_type", "id", "body"}, as_is);
    EXPECT_EQ(numeric.get("ab-cd"), "x");
    EXPECT_EQ(numeric.get("1.5"), "y");
    EXPECT_EQ(numeric.get("1.50"), std::nullopt);
    EXPECT_EQ(numeric.get("012"), std::nullopt);
    EXPECT_THROW(numeric.put("2.50", "v"), store_error);
    EXPECT_EQ(numeric.count(), 3U);
    sqlite no_case(folder / "a.db", {"no_case", "id", "body"}, as_is);
    EXPECT_EQ(no_case.get("ABC"), std::nullopt);
    EXPECT_THROW(no_case.put("ABC", "v"), store_error);
    EXPECT_FALSE(no_case.erase("ABC"));
    EXPECT_EQ(no_case.get("abc"), "x");
    sqlite strict(folder / "a.db", {"strict_type", "id", "body"}, as_is);
    EXPECT_EQ(strict.get("7"), "8");
    EXPECT_EQ(strict.get("x"), "y");
}

TEST(Sqlite, ReadsADatabaseOfAnotherEncoding) {
    const temporary_folder folder;
    other_program other(folder / "a.db");
    other.run("PRAGMA encoding = 'UTF-16'; CREATE TABLE items (id TEXT PRIMARY KEY, body TEXT); "
              "INSERT INTO items VALUES ('\u00e9', '\u00e8')");
    sqlite store(folder / "a.db", items);
    EXPECT_EQ(store.get("\u00e9"), "\u00e8");
    EXPECT_FALSE(store.put("\u00e9", "x"));
    EXPECT_EQ(keys_of(store), texts{"\u00e9"});
}

TEST(Sqlite, TakesOddNamesAndTablesWithoutValues) {
    const temporary_folder folder;
    const sql_table odd{"main.it\"ems; x", "the \"key\"", "select"};
    sqlite store(folder / "a.db", odd);
    EXPECT_TRUE(store.put("k", "v"));
    EXPECT_EQ(store.get("k"), "v");
    sqlite keys_alone(folder / "a.db", {"keys_alone", "id"});
    EXPECT_TRUE(keys_alone.put("k", "this is lost"));
    EXPECT_FALSE(keys_alone.put("k", "this too"));
    EXPECT_EQ(keys_alone.get("k"), "");
    EXPECT_TRUE(keys_alone.erase("k"));
}

TEST(Sqlite, AnswersManyInTheirOrder) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items);
    texts names;
    for (int i = 0; i < 20'000; ++i) names.push_back("key" + std::to_string(i));
    std::vector<store::entry> rows;
    for (std::size_t i = 0; i < names.size(); i += 2) rows.push_back({names[i], names[i]});
    store.load(rows);
    std::vector<std::string_view> asked(names.rbegin(), names.rend());
    asked.insert(asked.end(), {names[2], "\xff", names[2]});
    const auto values = store.get_many(asked);
    ASSERT_EQ(values.size(), asked.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t of = names.size() - 1 - i;
        const auto expected = of % 2 == 0 ? std::optional(names[of]) : std::nullopt;
        ASSERT_EQ(values[i], expected);
    }
    EXPECT_EQ(values[20'000], names[2]);
    EXPECT_EQ(values[20'001], std::nullopt);
    EXPECT_EQ(values[20'002], names[2]);
    EXPECT_TRUE(store.get_many({}).empty());
}

TEST(Sqlite, LoadsAllRowsOrNone) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items);
    const std::vector<store::entry> good{{"a", "1"}, {"b", std::nullopt}};
    store.load(good);
    EXPECT_EQ(store.get("b"), "");
    const std::vector<store::entry> twice{{"c", "1"}, {"a", "1"}};
    EXPECT_THROW(store.load(twice), store_error);
    EXPECT_EQ(store.get("c"), std::nullopt);
    EXPECT_EQ(store.count(), 2U);
}

TEST(Sqlite, TellsOneOfManyThreadsThatItsKeyIsNew) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items, {.busy_timeout = 60s, .most_connections = 3});
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> made = 0;
        std::atomic<int> erased = 0;
        const std::string key = "key" + std::to_string(round);
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] { made += store.put(key, "v") ? 1 : 0; });
        }
        for (std::thread& each : threads) each.join();
        threads.clear();
        EXPECT_EQ(made, 1);
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] { erased += store.erase(key) ? 1 : 0; });
        }
        for (std::thread& each : threads) each.join();
        EXPECT_EQ(erased, 1);
    }
}

TEST(Sqlite, WritesWhileItIsScanned) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items, {.busy_timeout = 60s});
    texts names;
    for (int i = 0; i < 10'000; ++i) names.push_back("key" + std::to_string(i));
    std::vector<store::entry> rows;
    for (const std::string& each : names) rows.push_back({each, "v"});
    store.load(rows);
    std::size_t seen = 0;
    int batches = 0;
    store.scan([&](store::keys some) {
        seen += some.size();
        EXPECT_LE(some.size(), 4096U);
        EXPECT_TRUE(store.put("new" + std::to_string(batches++), "v"));
    });
    EXPECT_EQ(seen, names.size());
    EXPECT_GE(batches, 3);
    EXPECT_EQ(store.count(), names.size() + static_cast<std::size_t>(batches));
    struct enough {};
    EXPECT_THROW(store.scan([](store::keys) { throw enough{}; }), enough);
}

TEST(Sqlite, NamesWhatIsMissing) {
    const temporary_folder folder;
    const sqlite_options as_is{.create = false};
    const auto opened = [&](const std::string& file, const sql_table& where, sqlite_options how) {
        return refusal<store_error>([&] { const sqlite store(folder / file, where, how); });
    };
    EXPECT_NE(opened("none.db", items, as_is).find("none.db"), std::string::npos);
    EXPECT_NE(opened("none.db", items, {.read_only = true}).find("none.db"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "none.db"));
    {
        const sqlite made(folder / "a.db", items);
    }
    EXPECT_NE(opened("a.db", {"no_table", "id"}, as_is).find("no_table"), std::string::npos);
    EXPECT_NE(opened("a.db", {"items", "no_key"}, {}).find("no_key"), std::string::npos);
    EXPECT_NE(opened("a.db", {"items", "id", "no_value"}, {}).find("no_value"), std::string::npos);
    std::ofstream(folder / "text.db") << std::string(5000, 'x');
    EXPECT_NE(opened("text.db", items, as_is).find("is not an SQLite database"), std::string::npos);
    EXPECT_THROW(sqlite(":memory:", items), bad_argument);
    EXPECT_THROW(sqlite(folder / "a.db", {"", "id"}), bad_argument);
    EXPECT_THROW(sqlite(folder / "no folder" / "a.db", items), unavailable);
}

TEST(Sqlite, ChangesNothingThatIsOpenedForReading) {
    const temporary_folder folder;
    {
        sqlite(folder / "a.db", items).put("k", "v");
    }
    sqlite store(folder / "a.db", items, {.read_only = true});
    EXPECT_EQ(store.get("k"), "v");
    EXPECT_THROW(store.put("k", "w"), store_error);
    EXPECT_EQ(store.get("k"), "v");
}

TEST(Sqlite, SaysThatALockedDatabaseIsUnavailable) {
    const temporary_folder folder;
    sqlite store(folder / "a.db", items, {.busy_timeout = 50ms});
    store.put("k", "v");
    other_program other(folder / "a.db");
    other.run("BEGIN IMMEDIATE");
    EXPECT_THROW(store.put("k", "w"), unavailable);
    EXPECT_EQ(store.get("k"), "v") << "reading goes on";
    other.run("ROLLBACK");
    EXPECT_FALSE(store.put("k", "w"));
}

} // namespace
} // namespace bloomery::testing
