// The functions for whole filters: bloom_add, bloom_merge, bloom_intersect, bloom_count, bloom_fpp,
// bloom_info, bloom_to, bloom_from, and the tables.
#include <bloomery/bloomery.hpp>

#include "database.hpp"

namespace bloomery {
namespace {

using testing::counted;
using testing::database;

/// A filter of the integers from `first` on.
std::string range(const database& db, int first, int count) {
    return db.bytes(counted(count) + "SELECT bloom_agg(i + " + std::to_string(first) +
                    ", 4000) FROM counted");
}

TEST(New, IsTheFilterOfNoKeys) {
    database db;
    EXPECT_EQ(db.number("SELECT bloom_new(4000) = bloom_agg(NULL, 4000)"), 1);
    EXPECT_EQ(db.number("SELECT bloom_new(10, 0.1, 'seed=7') = bloom_agg(NULL, 10, 0.1, 'seed=7')"),
              1);
    EXPECT_EQ(db.bytes("SELECT bloom_info(bloom_new()) ->> 'kind'"), "scalable");
    EXPECT_EQ(db.refusal("SELECT bloom_new(-1)"),
              "bloom_new: n is a number of keys, an integer; it is NULL for a filter that grows");
}

TEST(Add, IsTheFilterWithTheKey) {
    database db;
    EXPECT_TRUE(db.bytes("SELECT bloom_add(?1, 2000)", range(db, 0, 2000)) == range(db, 0, 2001));
    EXPECT_EQ(db.value("SELECT bloom_add(?1, NULL)", range(db, 0, 10)), std::nullopt);
    EXPECT_EQ(db.value("SELECT bloom_add(NULL, 1)"), std::nullopt);
    EXPECT_NE(db.refusal("SELECT bloom_add(?1, 0.5)", range(db, 0, 10)).find("bloom_add: a REAL"),
              std::string::npos);
}

TEST(Merge, IsTheFilterOfTheUnion) {
    database db;
    EXPECT_TRUE(db.bytes("SELECT bloom_merge(?1, ?2)", range(db, 0, 2000), range(db, 1000, 2000)) ==
                range(db, 0, 3000));
    EXPECT_EQ(db.value("SELECT bloom_merge(?1, NULL)", range(db, 0, 10)), std::nullopt);
}

TEST(Merge, AFilterOfNoRowsChangesNothing) {
    database db;
    const std::string f = range(db, 0, 10);
    const std::string none = "(SELECT bloom_agg(1, 4000) FROM sqlite_schema)";
    EXPECT_TRUE(db.bytes("SELECT bloom_merge(?1, " + none + ")", f) == f);
    EXPECT_TRUE(db.bytes("SELECT bloom_merge(" + none + ", ?1)", f) == f);
    EXPECT_TRUE(db.bytes("SELECT bloom_union_agg(f) FROM (SELECT " + none +
                             " AS f UNION ALL SELECT ?1 UNION ALL SELECT " + none + ")",
                         f) == f);
}

TEST(Merge, RefusesFiltersThatDiffer) {
    database db;
    const std::string small = db.bytes("SELECT bloom_agg(1, 10)");
    const std::string said = db.refusal("SELECT bloom_merge(?1, ?2)", small, range(db, 0, 10));
    EXPECT_EQ(said.substr(0, 13), "bloom_merge: ");
    EXPECT_NE(said.find("differ"), std::string::npos) << said;
}

TEST(Intersect, HasTheKeysOfBoth) {
    database db;
    const std::string both =
        db.bytes("SELECT bloom_intersect(?1, ?2)", range(db, 0, 2000), range(db, 1000, 2000));
    EXPECT_EQ(
        db.number(counted(1000) + "SELECT sum(bloom_contains(?1, i + 1000)) FROM counted", both),
        1000);
    EXPECT_LT(db.number(counted(1000) + "SELECT sum(bloom_contains(?1, i)) FROM counted", both),
              30);
}

TEST(Count, IsCloseToTheNumberOfKeys) {
    database db;
    const std::string f = range(db, 0, 3000);
    EXPECT_NEAR(db.real("SELECT bloom_count(?1)", f), 3000, 50);
    EXPECT_EQ(db.bytes("SELECT typeof(bloom_count(?1))", f), "integer");
    EXPECT_EQ(db.value("SELECT bloom_count(NULL)"), std::nullopt);
}

TEST(Count, IsNullIfEveryBitIsSet) {
    database db;
    const std::string full = db.bytes(counted(20000) + "SELECT bloom_agg(i, 10) FROM counted");
    EXPECT_EQ(db.value("SELECT bloom_count(?1)", full), std::nullopt);
    EXPECT_EQ(db.real("SELECT bloom_fpp(?1)", full), 1);
}

TEST(Fpp, IsTheRateNowOrAtANumber) {
    database db;
    const std::string f = range(db, 0, 2000);
    EXPECT_LT(db.real("SELECT bloom_fpp(?1)", f), 0.001);
    EXPECT_NEAR(db.real("SELECT bloom_fpp(?1, 4000)", f), 0.01, 0.001);
    EXPECT_EQ(db.real("SELECT bloom_fpp(?1, 0)", f), 0);
    EXPECT_EQ(db.refusal("SELECT bloom_fpp(?1, -1)", f),
              "bloom_fpp: n is a number of keys: an integer, not negative");
}

TEST(Info, IsJsonThatNests) {
    database db;
    const std::string f = range(db, 0, 2000);
    EXPECT_EQ(db.bytes("SELECT bloom_info(?1) ->> '$.layout'", f), "split-8x64");
    EXPECT_EQ(db.bytes("SELECT json_type(json_object('f', bloom_info(?1)), '$.f')", f), "object");
}

TEST(Formats, AreReadAndWritten) {
    database db;
    const std::string java("\x01\x01\x00\x00\x00\x01\x40\x00\x00\x00\x00\x00\x02\x01", 14);
    const std::string f = db.bytes("SELECT bloom_from(?1, 'guava')", java);
    EXPECT_TRUE(db.bytes("SELECT bloom_from(?1)", java) == f); // it is recognised
    EXPECT_TRUE(db.bytes("SELECT bloom_to(?1, 'guava')", f) == java);
    EXPECT_TRUE(db.bytes("SELECT bloom_to(?1, 'native')", f) == f);
    EXPECT_TRUE(db.bytes("SELECT bloom_from(?1)", f) == f);
}

TEST(Formats, EveryOneThatCanBeMadeComesBack) {
    database db;
    const testing::statement all =
        db.prepare("SELECT name FROM bloom_formats WHERE makeable AND writable AND needs = ''");
    int tried = 0;
    while (db.step(all)) {
        const std::string name = database::column(all, 0).value();
        if (name.starts_with("additive") || name.starts_with("hash-code") || name == "setbit") {
            continue; // they have 64 MiB and more
        }
        std::string made;
        std::string foreign;
        try {
            made = db.bytes("SELECT bloom_agg('a', 100, 0.01, 'format=" + name + "')");
            foreign = db.bytes("SELECT bloom_to(?1, '" + name + "')", made);
        } catch (const testing::sql_error&) {
            continue; // it needs more than a number of keys, or cannot become native
        }
        const std::string read = db.bytes("SELECT bloom_from(?1, '" + name + "')", foreign);
        EXPECT_EQ(db.number("SELECT bloom_contains(?1, 'a')", read), 1) << name;
        EXPECT_EQ(db.number("SELECT bloom_contains(?1, 'b')", read), 0) << name;
        EXPECT_TRUE(db.bytes("SELECT bloom_to(?1, '" + name + "')", read) == foreign) << name;
        ++tried;
    }
    EXPECT_GE(tried, 8);
}

TEST(Formats, JsonMayBeText) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg('a', 100, 0.01, 'format=go')");
    const std::string read =
        db.bytes("SELECT bloom_from(CAST(bloom_to(?1, 'go-json') AS TEXT), 'go-json')", f);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 'a')", read), 1);
}

TEST(Formats, SayWhatIsWrong) {
    database db;
    const std::string f = range(db, 0, 10);
    EXPECT_NE(db.refusal("SELECT bloom_to(?1, 'guaav')", f).find("guaav"), std::string::npos);
    EXPECT_NE(db.refusal("SELECT bloom_to(?1, 'guava')", f).find("bloom_to: "), std::string::npos);
    EXPECT_NE(db.refusal("SELECT bloom_from(x'01', 'guava')").find("bloom_from: "),
              std::string::npos);
    EXPECT_EQ(db.refusal("SELECT bloom_from(1, 'guava')"),
              "bloom_from: a filter of another system is a BLOB or a TEXT");
    EXPECT_EQ(db.refusal("SELECT bloom_to(?1, 7)", f), "bloom_to: the format must be a text");
}

TEST(Plan, IsWhatTheLibraryWouldMake) {
    database db;
    EXPECT_EQ(db.bytes("SELECT layout FROM bloom_plan(1000000, 0.01)"), "split-8x64");
    EXPECT_EQ(db.number("SELECT bytes FROM bloom_plan(1000000, 0.01)"),
              db.number("SELECT bloom_info(bloom_agg(1, 1000000, 0.01)) ->> 'bytes'"));
    EXPECT_EQ(db.bytes("SELECT layout || bits FROM bloom_plan(1000000)"),
              db.bytes("SELECT layout || bits FROM bloom_plan(1000000, 0.01)"));
    EXPECT_EQ(db.bytes("SELECT n || ' ' || p FROM bloom_plan(1000, 0.5)"), "1000 0.5");
    EXPECT_LE(db.real("SELECT expected_fpp FROM bloom_plan(1000000, 0.001)"), 0.001);
}

TEST(Plan, TakesColumnsOfOtherTables) {
    database db;
    EXPECT_EQ(db.number("SELECT count(*) FROM (SELECT 10 AS n UNION SELECT 1000) t, "
                        "bloom_plan(t.n, 0.01) WHERE bloom_plan.n = t.n"),
              2);
    EXPECT_EQ(db.number("SELECT count(*) FROM bloom_plan(NULL)"), 0);
}

TEST(Plan, SaysWhatIsMissing) {
    database db;
    EXPECT_EQ(db.refusal("SELECT * FROM bloom_plan"),
              "bloom_plan: give the number of keys: bloom_plan(1000000, 0.01)");
    EXPECT_EQ(db.refusal("SELECT * FROM bloom_plan(0)"),
              "bloom_plan: n is a number of keys, at least 1");
    EXPECT_EQ(db.refusal("SELECT * FROM bloom_plan(10, 2)"),
              "bloom_plan: p is a false-positive rate between 0 and 1, such as 0.01");
}

} // namespace
} // namespace bloomery
