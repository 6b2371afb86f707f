// Every answer is that of the blob of its own row, whatever was decoded for an earlier row: a
// filter that is remembered for too long would deny keys that are in the next one.
#include "database.hpp"

#include <cstring>
#include <vector>

namespace bloomery {
namespace {

using testing::counted;
using testing::database;
using testing::statement;

std::string filter_of(const database& db, const std::string& key) {
    return db.bytes("SELECT bloom_agg(" + key + ", 1000, 1e-9)");
}

/// Two tables of two filters of one size, with the key 'a' in one and 'b' in the other.
void make_filters(const database& db) {
    db.run("CREATE TABLE filters(name TEXT PRIMARY KEY, f BLOB)");
    for (const char* const name : {"a", "b"}) {
        db.run(std::string("INSERT INTO filters SELECT '") + name + "', bloom_agg('" + name +
               "', 1000, 1e-9)");
    }
}

TEST(Fresh, FiltersAlternateAtTheSameAddress) {
    database db;
    const std::string filters[] = {filter_of(db, "'a'"), filter_of(db, "'b'")};
    ASSERT_EQ(filters[0].size(), filters[1].size());
    std::vector<char> place(filters[0].begin(), filters[0].end());
    const statement asked = db.prepare("SELECT bloom_contains(?1, 'a'), bloom_contains(?1, 'b')");
    for (int i = 0; i < 50; ++i) {
        std::memcpy(place.data(), filters[i % 2].data(), place.size());
        sqlite3_reset(asked.get());
        sqlite3_bind_blob64(asked.get(), 1, place.data(), place.size(), SQLITE_STATIC);
        ASSERT_TRUE(db.step(asked));
        EXPECT_EQ(sqlite3_column_int(asked.get(), i % 2), 1) << i;
        EXPECT_EQ(sqlite3_column_int(asked.get(), 1 - i % 2), 0) << i;
    }
}

TEST(Fresh, AFilterIsAColumn) {
    database db;
    make_filters(db);
    db.run("CREATE TABLE keys AS " + counted(200) +
           "SELECT CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END AS k FROM counted");
    const std::string joined = "FROM keys CROSS JOIN filters ";
    EXPECT_EQ(db.number("SELECT count(*) " + joined + "WHERE bloom_contains(f, k) <> (k = name)"),
              0);
    EXPECT_EQ(db.number("SELECT count(*) FROM filters CROSS JOIN keys "
                        "WHERE bloom_contains(f, k) <> (k = name)"),
              0);
    EXPECT_EQ(db.number("SELECT count(*) " + joined + "WHERE bloom_contains(f, k)"), 200);
}

TEST(Fresh, ASubqueryIsCorrelated) {
    database db;
    make_filters(db);
    db.run("CREATE TABLE keys AS " + counted(200) +
           "SELECT CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END AS k FROM counted");
    for (const char* const f : {"f", "bloom_open(f)"}) {
        const std::string own = std::string("(SELECT ") + f + " FROM filters WHERE name = k)";
        const std::string other = std::string("(SELECT ") + f + " FROM filters WHERE name <> k)";
        EXPECT_EQ(db.number("SELECT sum(bloom_contains(" + own + ", k)) FROM keys"), 200) << f;
        EXPECT_EQ(db.number("SELECT sum(bloom_contains(" + other + ", k)) FROM keys"), 0) << f;
        EXPECT_EQ(db.number("SELECT sum(bloom_contains(" + own + ", k) - bloom_contains(" + other +
                            ", k)) FROM keys"),
                  200)
            << f;
    }
}

TEST(Fresh, AFilterChangesBetweenRows) {
    database db;
    db.run("CREATE TABLE t(f BLOB); INSERT INTO t SELECT bloom_agg(NULL, 1000, 1e-9)");
    for (const char* const f : {"f", "bloom_open(f)"}) {
        const statement asked =
            db.prepare(std::string("SELECT bloom_contains((SELECT ") + f + " FROM t), ?1)");
        for (int i = 0; i < 100; ++i) {
            const std::string key = f + std::to_string(i);
            for (const int expected : {0, 1}) {
                sqlite3_reset(asked.get());
                sqlite3_bind_text(asked.get(), 1, key.c_str(), -1, SQLITE_TRANSIENT);
                ASSERT_TRUE(db.step(asked));
                EXPECT_EQ(sqlite3_column_int(asked.get(), 0), expected) << key;
                sqlite3_reset(asked.get());
                if (expected == 0) db.run("UPDATE t SET f = bloom_add(f, '" + key + "')");
            }
        }
    }
}

TEST(Fresh, ARunningQuerySeesUpdatesOfItsOwnConnection) {
    database db;
    make_filters(db);
    db.run("CREATE TABLE keys AS " + counted(20) + "SELECT 'k' || i AS k FROM counted");
    const statement asked = db.prepare(
        "SELECT k, bloom_contains((SELECT f FROM filters WHERE name = substr('a' || k, 1, 1)), k) "
        "FROM keys");
    // Before each step, the filter gets the key of the row that comes: a correlated subquery reads
    // it again.
    for (int i = 0; i < 20; ++i) {
        db.run("UPDATE filters SET f = bloom_add(f, 'k" + std::to_string(i) +
               "') WHERE name = 'a'");
        ASSERT_TRUE(db.step(asked));
        EXPECT_EQ(sqlite3_column_int(asked.get(), 1), 1) << i;
    }
}

TEST(Fresh, FiltersAreSortedGroupedAndMaterialised) {
    database db;
    make_filters(db);
    for (const std::string f : {"f", "bloom_open(f)"}) {
        const std::string from = " AS f FROM filters ORDER BY name DESC) ";
        EXPECT_EQ(db.bytes("WITH g AS MATERIALIZED (SELECT name, " + f + from +
                           "SELECT group_concat(name || bloom_contains(f, 'a')) FROM g"),
                  "b0,a1");
        EXPECT_EQ(db.bytes("SELECT group_concat(name || bloom_contains(f, 'b')) FROM (SELECT name, "
                           "max(" +
                           f + ") AS f FROM filters GROUP BY name)"),
                  "a0,b1");
        db.run("CREATE TEMP TABLE kept AS SELECT name, " + f + " AS f FROM filters");
        EXPECT_EQ(db.bytes("SELECT group_concat(name || bloom_contains(f, 'b')) FROM kept"),
                  "a0,b1");
        db.run("DROP TABLE kept");
    }
}

TEST(Fresh, ATriggerSeesTheFilterOfItsRow) {
    database db;
    db.run("CREATE TABLE t(k, f); CREATE TABLE log(k, answer);"
           "CREATE TRIGGER each AFTER INSERT ON t BEGIN "
           "  INSERT INTO log VALUES (NEW.k, bloom_contains(NEW.f, NEW.k)); END");
    make_filters(db);
    for (int i = 0; i < 10; ++i) db.run("INSERT INTO t SELECT name, f FROM filters");
    EXPECT_EQ(db.number("SELECT count(*) FROM log WHERE answer"), 20);
}

TEST(Fresh, AColumnThatEqualsAConstantIsTheConstant) {
    database db;
    make_filters(db);
    const std::string a = filter_of(db, "'a'");
    EXPECT_EQ(db.number("SELECT count(*) FROM filters WHERE f = ?1 AND bloom_contains(f, 'a')", a),
              1);
    EXPECT_EQ(db.number("SELECT count(*) FROM filters WHERE f = ?1 AND bloom_contains(f, 'b')", a),
              0);
}

TEST(Fresh, MoreFiltersThanAreRemembered) {
    database db;
    db.run("CREATE TABLE filters AS " + counted(200) +
           "SELECT i, bloom_agg(i, 100, 1e-9) AS f FROM counted GROUP BY i");
    EXPECT_EQ(db.number("SELECT count(*) FROM filters a JOIN filters b ON bloom_contains(a.f, b.i) "
                        "WHERE a.i <> b.i"),
              0);
    EXPECT_EQ(db.number("SELECT sum(bloom_contains(f, i)) FROM filters"), 200);
    EXPECT_EQ(db.number("SELECT sum(bloom_contains((SELECT bloom_open(f)), i)) FROM filters"), 200);
}

TEST(Fresh, ADamagedBlobIsRefusedAfterASoundOneAtTheSameAddress) {
    database db;
    const std::string sound = filter_of(db, "'a'");
    std::vector<char> place(sound.begin(), sound.end());
    const statement asked = db.prepare("SELECT bloom_contains((SELECT ?1), 'a')");
    const auto ask = [&] {
        sqlite3_reset(asked.get());
        sqlite3_bind_blob64(asked.get(), 1, place.data(), place.size(), SQLITE_STATIC);
        return sqlite3_step(asked.get());
    };
    ASSERT_EQ(ask(), SQLITE_ROW);
    std::memset(place.data() + 4096, 0, 64); // the bits alone: the answer stays that of the filter
    ASSERT_EQ(ask(), SQLITE_ROW);
    EXPECT_EQ(sqlite3_column_int(asked.get(), 0), 1);
    place.back() ^= 1; // a checksum
    EXPECT_EQ(ask(), SQLITE_ERROR);
}

} // namespace
} // namespace bloomery
