// bloom_agg and bloom_union_agg: the bytes are those of the library for the same keys.
#include <bloomery/bloomery.hpp>

#include "database.hpp"

namespace bloomery {
namespace {

using testing::counted;
using testing::database;

std::string encoded(const any_filter& of) {
    std::string bytes;
    format::encode_native(of, [&](byte_view part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size()); // NOLINT
    });
    return bytes;
}

TEST(Agg, OfIntegersIsTheFileOfTheLibrary) {
    database db;
    filter expected(items{5000}, rate{0.001});
    for (std::int64_t i = -2000; i < 3000; ++i) expected.insert(i);
    EXPECT_TRUE(db.bytes(counted(5000) + "SELECT bloom_agg(i - 2000, 5000, 0.001) FROM counted") ==
                encoded(expected));
}

TEST(Agg, OfTextAndBlobsIsTheFileOfTheLibrary) {
    database db;
    filter expected(items{5000}, rate{0.01});
    for (int i = 0; i < 5000; ++i) expected.insert("key-" + std::to_string(i));
    EXPECT_TRUE(db.bytes(counted(5000) + "SELECT bloom_agg('key-' || i, 5000) FROM counted") ==
                encoded(expected));
    EXPECT_TRUE(db.bytes(counted(5000) +
                         "SELECT bloom_agg(CAST('key-' || i AS BLOB), 5000) FROM counted") ==
                encoded(expected));
}

TEST(Agg, HasTheKeysOfTextInAnyEncodingOfTheDatabase) {
    database db;
    db.run("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(k); INSERT INTO t VALUES ('käse'), ('日')");
    filter expected(items{10}, rate{0.01});
    expected.insert("käse");
    expected.insert("日");
    EXPECT_TRUE(db.bytes("SELECT bloom_agg(k, 10) FROM t") == encoded(expected));
}

TEST(Agg, WithoutANumberGrows) {
    database db;
    const std::string made = db.bytes(counted(60000) + "SELECT bloom_agg(i) FROM counted");
    scalable_filter expected(items{10000}, rate{0.01});
    for (std::int64_t i = 0; i < 60000; ++i) expected.insert(i);
    EXPECT_TRUE(made == encoded(expected));
    EXPECT_EQ(db.number(counted(60000) + "SELECT sum(bloom_contains(?1, i)) FROM counted", made),
              60000);
    EXPECT_EQ(db.bytes("SELECT bloom_info(?1) ->> 'kind'", made), "scalable");
}

TEST(Agg, WithANullAsNumberGrowsAtItsRate) {
    database db;
    EXPECT_EQ(db.bytes("SELECT bloom_info(bloom_agg(1, NULL, 0.001)) ->> 'target_rate'"), "0.001");
    EXPECT_EQ(db.bytes("SELECT bloom_info(bloom_agg(1, NULL, 0.001)) ->> 'kind'"), "scalable");
}

TEST(Agg, IgnoresNullKeys) {
    database db;
    db.run("CREATE TABLE t(k); INSERT INTO t VALUES (NULL), ('a'), (NULL)");
    filter expected(items{10}, rate{0.01});
    EXPECT_TRUE(db.bytes("SELECT bloom_agg(NULL, 10) FROM t") == encoded(expected));
    expected.insert("a");
    EXPECT_TRUE(db.bytes("SELECT bloom_agg(k, 10) FROM t") == encoded(expected));
}

TEST(Agg, OverNoRowsIsAnEmptyFilter) {
    database db;
    db.run("CREATE TABLE t(k)");
    for (const char* const made : {"bloom_agg(k)", "bloom_agg(k, 10)", "bloom_union_agg(k)"}) {
        EXPECT_EQ(db.number(std::string("SELECT bloom_count(") + made + ") FROM t"), 0) << made;
        EXPECT_EQ(
            db.number(std::string("SELECT bloom_contains((SELECT ") + made + " FROM t), 'a')"), 0)
            << made;
    }
}

TEST(Agg, MakesOneFilterPerGroup) {
    database db;
    const testing::statement made = db.prepare(
        counted(3000) + "SELECT i % 3, bloom_agg(i, 1000) FROM counted GROUP BY 1 ORDER BY 1");
    for (std::int64_t group = 0; group < 3; ++group) {
        ASSERT_TRUE(db.step(made));
        filter expected(items{1000}, rate{0.01});
        for (std::int64_t i = group; i < 3000; i += 3) expected.insert(i);
        EXPECT_TRUE(database::column(made, 1) == encoded(expected)) << group;
    }
}

TEST(Agg, TakesLayoutSeedAndKind) {
    database db;
    const auto info = [&](const std::string& options, const std::string& what) {
        return db.bytes("SELECT bloom_info(bloom_agg('a', 100, 0.01, '" + options + "')) ->> '" +
                        what + "'");
    };
    EXPECT_EQ(info("layout=classic seed=7", "layout"), "classic");
    EXPECT_EQ(info(" seed=7  layout=classic ", "seed"), "7");
    EXPECT_EQ(info("kind=counting,bits=8", "kind"), "counting");
    EXPECT_EQ(info("format=guava", "scheme"), "guava-64");
    EXPECT_EQ(info("", "layout"), "split-8x64");
    EXPECT_EQ(
        db.bytes("SELECT bloom_info(bloom_new(NULL, NULL, 'bits=4096 hashes=3')) ->> 'units'"),
        "4096");
    EXPECT_EQ(db.bytes("SELECT bloom_info(bloom_new(NULL, 0.01, 'bytes=4096')) ->> 'bytes'"),
              "4096");
    EXPECT_NE(db.refusal("SELECT bloom_new(NULL, NULL, 'bits=80000000000 hashes=3')")
                  .find("SQLITE_LIMIT_LENGTH"),
              std::string::npos);
}

TEST(Agg, SaysWhatIsWrongWithItsArguments) {
    database db;
    const auto said = [&](const std::string& arguments) {
        return db.refusal("SELECT bloom_agg(" + arguments + ")");
    };
    EXPECT_EQ(said("1.5, 10"), "bloom_agg: a REAL cannot be a key, because 1 and 1.0 would be "
                               "different keys; use CAST(... AS INTEGER) or CAST(... AS TEXT)");
    EXPECT_EQ(said("1, -1"), "bloom_agg: n is a number of keys, an integer; it is NULL for a "
                             "filter that grows");
    EXPECT_EQ(said("1, 1.5"), said("1, -1"));
    EXPECT_EQ(said("1, 'many'"), said("1, -1"));
    EXPECT_EQ(said("1, 10, 1"), "bloom_agg: p is a false-positive rate between 0 and 1, such as "
                                "0.01");
    EXPECT_EQ(said("1, 10, 'x'"), said("1, 10, 1"));
    EXPECT_EQ(said("1, 10, 0.01, 'layuot=classic'"),
              "bloom_agg: 'layuot=classic' is not an option; write name=value with a space between "
              "two of them: layout, kind, seed, bits, bytes, hashes, format");
    EXPECT_NE(said("1, 10, 0.01, 'layout=round'").find("round"), std::string::npos);
    EXPECT_EQ(said("1, 10, 0.01, 7"), "bloom_agg: the options must be a text");
}

TEST(UnionAgg, IsTheFilterOfAllKeys) {
    database db;
    db.run(counted(3000) + "SELECT 1 FROM counted");
    db.run("CREATE TABLE f AS " + counted(3000) +
           "SELECT i % 3 AS part, bloom_agg(i, 3000) AS filter FROM counted GROUP BY 1");
    filter expected(items{3000}, rate{0.01});
    for (std::int64_t i = 0; i < 3000; ++i) expected.insert(i);
    EXPECT_TRUE(db.bytes("SELECT bloom_union_agg(filter) FROM f") == encoded(expected));
    EXPECT_TRUE(
        db.bytes("SELECT bloom_union_agg(filter) FROM (SELECT filter FROM f UNION ALL SELECT "
                 "NULL)") == encoded(expected));
}

TEST(UnionAgg, RefusesFiltersOfDifferentSizes) {
    database db;
    db.run("CREATE TABLE f(filter)");
    db.run("INSERT INTO f SELECT bloom_agg(1, 10)");
    db.run("INSERT INTO f SELECT bloom_agg(1, 1000)");
    EXPECT_NE(db.refusal("SELECT bloom_union_agg(filter) FROM f").find("bloom_union_agg: "),
              std::string::npos);
}

} // namespace
} // namespace bloomery
