// bloom_contains: keys, NULL, and what it says about arguments that it cannot use.
#include "database.hpp"

namespace bloomery {
namespace {

using testing::counted;
using testing::database;

TEST(Contains, NoInsertedKeyIsDenied) {
    database db;
    const std::string f = db.bytes(counted(20000) + "SELECT bloom_agg(i, 20000) FROM counted");
    EXPECT_EQ(db.number(counted(20000) + "SELECT sum(bloom_contains(?1, i)) FROM counted", f),
              20000);
    const std::int64_t wrong =
        db.number(counted(20000) + "SELECT sum(bloom_contains(?1, i + 20000)) FROM counted", f);
    EXPECT_GT(wrong, 120); // binomial: 200 expected, standard deviation 14
    EXPECT_LT(wrong, 280);
}

TEST(Contains, TellsTheTypesOfKeysApart) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg(42, 100, 1e-9)");
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 42)", f), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, '42')", f), 0);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, CAST('42' AS INTEGER))", f), 1);
    const std::string g = db.bytes("SELECT bloom_agg('42', 100, 1e-9)");
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, x'3432')", g), 1);
}

TEST(Contains, EmptyKeysAreKeys) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg('', 100, 1e-9)");
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, '')", f), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, x'')", f), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, zeroblob(0))", f), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, zeroblob(1))", f), 0);
}

TEST(Contains, IsNullForNull) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg(1, 100)");
    EXPECT_EQ(db.value("SELECT bloom_contains(?1, NULL)", f), std::nullopt);
    EXPECT_EQ(db.value("SELECT bloom_contains(NULL, 1)"), std::nullopt);
    EXPECT_EQ(db.value("SELECT bloom_contains(NULL, NULL)"), std::nullopt);
}

TEST(Contains, TakesTheEncodingOfAnotherSystem) {
    database db;
    const std::string f = db.bytes("SELECT bloom_from(x'0101000000014000000000000201')");
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 'key-1')", f), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 'b')", f), 0);
    const std::string longs =
        db.bytes("SELECT bloom_add(bloom_agg(NULL, 1000, 1e-6, 'format=guava'), 7, 'i64le')");
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 7, 'i64le')", longs), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, x'0700000000000000')", longs), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 8, 'i64le')", longs), 0);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, '7', NULL)", longs), 0);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 7, 'i64be')", longs), 0);
    const std::string doubles = db.bytes("SELECT bloom_add(bloom_agg(NULL, 1000, 1e-6), 1.5, "
                                         "'f64le')");
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, 1.5, 'f64le')", doubles), 1);
    EXPECT_EQ(db.number("SELECT bloom_contains(?1, x'000000000000f83f')", doubles), 1);
    EXPECT_NE(db.refusal("SELECT bloom_contains(?1, 7, 'i65')", longs).find("i65"),
              std::string::npos);
}

TEST(Contains, SaysWhatIsWrongWithItsArguments) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg(1, 100)");
    EXPECT_EQ(db.refusal("SELECT bloom_contains(?1, 1.0)", f),
              "bloom_contains: a REAL cannot be a key, because 1 and 1.0 would be different keys; "
              "use CAST(... AS INTEGER) or CAST(... AS TEXT)");
    EXPECT_EQ(db.refusal("SELECT bloom_contains('seen.bloom', 1)"),
              "bloom_contains: a filter is a BLOB, such as bloom_agg makes; for one in a file, use "
              "bloom_file('path')");
    EXPECT_EQ(db.refusal("SELECT bloom_contains(x'0101000000014000000000000201', 1)"),
              "bloom_contains: this is a filter in the format guava; convert it first, with "
              "bloom_from(filter, 'guava')");
    EXPECT_NE(db.refusal("SELECT bloom_contains(x'00', 1)").find("bloom_contains: "),
              std::string::npos);
    EXPECT_EQ(db.refusal("SELECT bloom_contains(?1, 1)", f.substr(0, 4200)),
              "bloom_contains: the filter is truncated: it ends before its last bit; restore it "
              "from a copy");
}

} // namespace
} // namespace bloomery
