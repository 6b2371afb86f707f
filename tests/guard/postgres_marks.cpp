// The marks of a PostgreSQL source.
#include "postgres_help.hpp"
#include "visited.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using store::postgres;

const texts unknown{"unknown"};

TEST(PostgresMarks, TellWhatWasAddedAndChangedAndNoMore) {
    postgres store = store_on("marked");
    for (const char* const key : {"a", "b", "c"}) store.put(key, "1");
    const std::string mark = store.mark();
    EXPECT_EQ(since(store, mark), texts{});
    store.put("d", "1");
    store.put("b", "2");
    store.erase("a");
    EXPECT_EQ(since(store, mark), (texts{"b", "d"}));
    EXPECT_EQ(since(store, store.mark()), texts{});
}

TEST(PostgresMarks, TellWhatWasOnItsWay) {
    postgres store = store_on("on_its_way");
    store.put("old", "1");
    other_client early;
    other_client nested;
    other_client two_phases;
    early.run("BEGIN; INSERT INTO on_its_way VALUES ('early', '')");
    nested.run("BEGIN; SELECT txid_current(); SAVEPOINT s");
    two_phases.run("BEGIN; INSERT INTO on_its_way VALUES ('prepared', '')");
    two_phases.run("PREPARE TRANSACTION 'p'");
    const std::string mark = store.mark();
    EXPECT_EQ(since(store, mark), texts{});
    early.run("INSERT INTO on_its_way VALUES ('later', ''); COMMIT");
    nested.run("INSERT INTO on_its_way VALUES ('inner', ''); RELEASE s; SAVEPOINT t; "
               "INSERT INTO on_its_way VALUES ('undone', ''); ROLLBACK TO t; COMMIT");
    two_phases.run("COMMIT PREPARED 'p'");
    const texts all = since(store, mark);
    EXPECT_EQ(all, (texts{"early", "inner", "later", "prepared"}));
}

TEST(PostgresMarks, DoNotMindTransactionsThatAreOpen) {
    postgres store = store_on("with_open_ones");
    const std::string mark = store.mark();
    // The counter of transactions runs ahead of those that are over.
    std::vector<other_client> open(20);
    for (other_client& each : open) each.run("BEGIN; SELECT txid_current()");
    store.put("a", "1");
    for (other_client& each : open) each.run("COMMIT");
    open.clear();
    std::vector<other_client> more(20);
    for (other_client& each : more) each.run("BEGIN; SELECT txid_current()");
    EXPECT_EQ(since(store, mark), texts{"a"});
}

TEST(PostgresMarks, OutliveFreezingRewritingAndARestart) {
    cli::local_postgres own({.settings = {"fsync = off"}});
    postgres store(own.url(), {"frozen", "id", "body"}, {.create = true});
    store.put("old", "1");
    const std::string mark = store.mark();
    store.put("new", "1");
    other_client(own.url()).run("VACUUM FREEZE frozen");
    EXPECT_EQ(since(store, mark), texts{"new"});
    other_client(own.url()).run("VACUUM FULL frozen");
    EXPECT_EQ(since(store, mark), texts{"new"});
    own.stop();
    own.start();
    EXPECT_EQ(since(store, mark), texts{"new"});
    own.kill9();
    own.start();
    EXPECT_EQ(since(store, mark), texts{"new"});
    EXPECT_EQ(keys_of(store), (texts{"new", "old"}));
}

TEST(PostgresMarks, AreOfNoUseForAnotherTableServerOrTimeline) {
    postgres store = store_on("other_place");
    store.put("a", "1");
    const std::string mark = store.mark();
    const std::string place = mark.substr(mark.find(" table"));
    for (const std::string& other :
         {std::string(), std::string("none"), std::string("xid "), "xid" + place, "xid x" + place,
          mark + " ", mark + "0", "xid 99999999999999999999" + place,
          "xid 18446744073709551615" + place, mark.substr(0, mark.find(" table"))}) {
        EXPECT_EQ(since(store, other), unknown) << other;
    }
    for (const char* const part : {" timeline 0", " system ", " table "}) {
        std::string other = mark;
        other.insert(other.find(part) + std::string(part).size(), "9");
        EXPECT_EQ(since(store, other), unknown) << other;
    }
    EXPECT_EQ(since(store, "xid 3" + place), texts{"a"});
    // Another table of the same name comes with rows that are older than the mark.
    other_client().run("CREATE TABLE swapped (LIKE other_place INCLUDING ALL); "
                       "INSERT INTO swapped VALUES ('b', '')");
    const std::string later = store.mark();
    other_client().run("BEGIN; ALTER TABLE other_place RENAME TO away; "
                       "ALTER TABLE swapped RENAME TO other_place; COMMIT");
    EXPECT_EQ(keys_of(store), texts{"b"});
    EXPECT_EQ(since(store, later), unknown);
}

TEST(PostgresMarks, AreNotGivenWhereRowsMayComeFromElsewhere) {
    other_client().run(
        "CREATE TABLE plain (id text PRIMARY KEY, body bytea); "
        "CREATE VIEW seen AS SELECT * FROM plain; "
        "CREATE TABLE parted (id text PRIMARY KEY, body bytea) PARTITION BY LIST (id); "
        "CREATE TABLE part PARTITION OF parted DEFAULT; "
        "CREATE TABLE parent (id text PRIMARY KEY, body bytea); "
        "CREATE TABLE child () INHERITS (parent)");
    for (const char* const table : {"seen", "parted", "parent"}) {
        postgres store(shared_postgres().url(), {table, "id", "body"});
        EXPECT_EQ(store.mark(), "none") << table;
        EXPECT_EQ(since(store, store.mark()), unknown) << table;
        EXPECT_EQ(keys_of(store), texts{}) << table;
    }
    postgres parted(shared_postgres().url(), {"parted", "id", "body"});
    EXPECT_TRUE(parted.put("a", "1"));
    EXPECT_FALSE(parted.put("a", "2"));
    EXPECT_EQ(parted.get("a"), "2");
    EXPECT_TRUE(parted.erase("a"));
}

/// Takes a server's counter of transactions ahead, by its own tool, less than half of the circle.
/// Before, everything that is there is frozen; the server must believe that it knows what became of
/// the transactions between.
void jump(cli::local_postgres& server, std::uint64_t to) {
    other_client(server.url()).run("UPDATE pg_database SET datallowconn = true");
    for (const char* const database : {"postgres", "template1", "template0"}) {
        const std::string url = server.url();
        other_client(url.substr(0, url.rfind('/') + 1) + database).run("VACUUM FREEZE");
    }
    server.stop();
    const std::filesystem::path data = server.folder() / "data";
    server.run("pg_resetwal", {"-x", std::to_string(to), data.string()});
    constexpr std::uint64_t transactions = 1U << 20U; // of a file, two bits each
    std::ostringstream name;
    name << std::uppercase << std::hex << std::setw(4) << std::setfill('0') << to / transactions;
    const std::filesystem::path file = data / "pg_xact" / name.str();
    std::ofstream(file) << std::string(transactions / 4, '\0');
    std::filesystem::permissions(file, std::filesystem::perms(0666)); // whoever runs the server
    server.start();
}

TEST(PostgresMarks, AreRightWhereTheNumbersOfTransactionsBeginAgain) {
    cli::local_postgres own({.settings = {"fsync = off"}});
    postgres store(own.url(), {"wrapped", "id", "body"}, {.create = true});
    store.put("first", "1");
    const std::string ancient = store.mark();
    jump(own, 1'900'000'000);
    EXPECT_EQ(since(store, ancient), texts{});
    store.put("second", "1");
    EXPECT_EQ(since(store, ancient), texts{"second"});
    jump(own, 3'700'000'000);
    EXPECT_EQ(since(store, ancient), unknown) << "more than half of the circle";
    jump(own, 4'294'967'290);
    const std::string before = store.mark();
    texts expected;
    for (int i = 10; i < 40; ++i) expected.push_back("third" + std::to_string(i));
    for (const std::string& each : expected) store.put(each, "1");
    EXPECT_GT(std::stoull(store.mark().substr(4)), 4'294'967'296U);
    // Rows that were frozen long ago may come too: of their transaction a part is left.
    const texts found = since(store, before);
    EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
}

} // namespace
} // namespace bloomery::testing
