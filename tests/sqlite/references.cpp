// bloom_open and bloom_file: references to filters that a connection has open.
#include <bloomery/bloomery.hpp>

#include "database.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

namespace bloomery {
namespace {

using testing::counted;
using testing::database;

std::string saved(const testing::temporary_folder& folder, const std::string& name,
                  std::int64_t first) {
    filter made(items{1000}, rate{1e-6});
    for (std::int64_t i = first; i < first + 1000; ++i) made.insert(i);
    const std::string path = folder.path() / name;
    save(made, path);
    return path;
}

TEST(File, AnswersLikeItsBytes) {
    testing::temporary_folder folder;
    database db;
    const std::string file = "bloom_file('" + saved(folder, "f.bloom", 0) + "')";
    EXPECT_EQ(db.number(counted(1000) + "SELECT sum(bloom_contains(" + file + ", i)) FROM counted"),
              1000);
    EXPECT_EQ(db.number(counted(1000) + "SELECT sum(bloom_contains(" + file +
                        ", i + 1000)) FROM counted"),
              0);
}

TEST(File, IsAnArgumentOfEveryFunction) {
    testing::temporary_folder folder;
    database db;
    const std::string path = saved(folder, "f.bloom", 0);
    const std::string file = "bloom_file('" + path + "')";
    std::ifstream from(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(from), {}};
    EXPECT_TRUE(db.bytes("SELECT bloom_to(" + file + ", 'native')") == bytes);
    EXPECT_TRUE(db.bytes("SELECT bloom_merge(" + file + ", " + file + ")") == bytes);
    EXPECT_TRUE(db.bytes("SELECT bloom_union_agg(" + file + ")") == bytes);
    EXPECT_TRUE(db.bytes("SELECT bloom_add(" + file + ", 1)") == bytes);
    EXPECT_NEAR(db.real("SELECT bloom_count(" + file + ")"), 1000, 50);
    EXPECT_LT(db.real("SELECT bloom_fpp(" + file + ")"), 1e-6);
    EXPECT_EQ(db.bytes("SELECT bloom_info(" + file + ") ->> 'kind'"), "bloom");
    EXPECT_EQ(
        db.number("SELECT bloom_info(bloom_intersect(?1, " + file + ")) ->> 'intersected'", bytes),
        1);
    EXPECT_EQ(db.number("SELECT bloom_contains(bloom_open(" + file + "), 5)"), 1);
}

TEST(File, ThatWasReplacedIsOpenedByTheNextStatement) {
    testing::temporary_folder folder;
    database db;
    const std::string path = saved(folder, "f.bloom", 0);
    const testing::statement asked = db.prepare("SELECT bloom_contains(bloom_file('" + path +
                                                "'), i) FROM (SELECT 5 AS i UNION ALL SELECT 5)");
    ASSERT_TRUE(db.step(asked));
    EXPECT_EQ(sqlite3_column_int(asked.get(), 0), 1);
    (void)saved(folder, "f.bloom", 100000);
    ASSERT_TRUE(db.step(asked)); // the same statement stays with the file it opened
    EXPECT_EQ(sqlite3_column_int(asked.get(), 0), 1);
    sqlite3_reset(asked.get());
    ASSERT_TRUE(db.step(asked));
    EXPECT_EQ(sqlite3_column_int(asked.get(), 0), 0);
    EXPECT_EQ(db.number("SELECT bloom_contains(bloom_file('" + path + "'), 100000)"), 1);
}

TEST(File, ShowsKeysThatAnotherProcessAddsInPlace) {
    testing::temporary_folder folder;
    database db;
    const std::string path = saved(folder, "f.bloom", 0);
    const std::string asked = "SELECT bloom_contains(bloom_file('" + path + "'), 'new')";
    EXPECT_EQ(db.number(asked), 0);
    any_filter writer = map(path, map_mode::read_write);
    writer.insert("new");
    EXPECT_EQ(db.number(asked), 1);
}

TEST(File, SaysWhichFileCannotBeRead) {
    testing::temporary_folder folder;
    database db;
    EXPECT_EQ(db.refusal("SELECT bloom_contains(bloom_file('/no/such.bloom'), 1)"),
              "bloom_file: cannot open /no/such.bloom: No such file or directory");
    EXPECT_EQ(db.refusal("SELECT bloom_file(7)"), "bloom_file: the path must be a text");
    EXPECT_EQ(db.value("SELECT bloom_file(NULL)"), std::nullopt);
}

TEST(File, CannotBeCalledFromAViewOrATrigger) {
    testing::temporary_folder folder;
    database db;
    db.run("CREATE VIEW v AS SELECT bloom_contains(bloom_file('" + saved(folder, "f", 0) +
           "'), 1)");
    EXPECT_NE(db.refusal("SELECT * FROM v").find("unsafe use of bloom_file"), std::string::npos);
}

TEST(File, ManyAreClosedAgain) {
    testing::temporary_folder folder;
    database db;
    db.run("CREATE TABLE paths(path, i)");
    for (int i = 0; i < 70; ++i) {
        db.run("INSERT INTO paths VALUES ('" + saved(folder, std::to_string(i), i * 1000) + "', " +
               std::to_string(i * 1000) + ")");
    }
    EXPECT_EQ(db.number("SELECT sum(bloom_contains(bloom_file(path), i)) FROM paths"), 70);
    EXPECT_EQ(db.number("SELECT sum(bloom_contains(bloom_file(path), i - 1)) FROM paths"), 0);
    // Values in a table do not keep their files open, but they never refer to another one.
    db.run("CREATE TEMP TABLE opened AS SELECT bloom_file(path) AS f, i FROM paths ORDER BY i");
    EXPECT_NE(
        db.refusal("SELECT bloom_contains(f, i) FROM opened").find("refers to no open filter"),
        std::string::npos);
    EXPECT_EQ(db.number("SELECT bloom_contains(f, i) FROM opened WHERE i = 69000"), 1);
}

TEST(Reference, IsOnlyValidInItsConnection) {
    database db;
    const std::string reference = db.bytes("SELECT bloom_open(bloom_agg(1, 10))");
    EXPECT_EQ(db.number("SELECT bloom_contains(" + reference + ", 1)"), 1);
    database other;
    (void)other.bytes("SELECT bloom_open(bloom_agg(2, 10))");
    const std::string said = " refers to no open filter: it was closed because others were opened, "
                             "or it comes from another connection; call bloom_open or bloom_file "
                             "again";
    EXPECT_EQ(other.refusal("SELECT bloom_contains(" + reference + ", 1)"),
              "bloom_contains: " + reference + said);
    EXPECT_EQ(other.refusal("SELECT bloom_count(" + reference + ")"),
              "bloom_count: " + reference + said);
    EXPECT_EQ(db.refusal("SELECT bloom_contains(1, 1)"), "bloom_contains: 1" + said);
    EXPECT_EQ(db.refusal("SELECT bloom_open(1)"), "bloom_open: 1" + said);
}

TEST(Reference, OfTheSameBytesIsTheSame) {
    database db;
    db.run("CREATE TABLE t AS SELECT bloom_agg(1, 10) AS f");
    EXPECT_EQ(db.bytes("SELECT bloom_open(f) FROM t"), db.bytes("SELECT bloom_open(f) FROM t"));
    EXPECT_EQ(db.bytes("SELECT bloom_open(bloom_open(f)) = bloom_open(f) FROM t"), "1");
    EXPECT_EQ(db.value("SELECT bloom_open(NULL)"), std::nullopt);
}

TEST(Reference, WorksInAViewAndNotInAnIndex) {
    database db;
    db.run("CREATE TABLE f AS SELECT bloom_agg(1, 10) AS f; CREATE TABLE t AS SELECT 1 AS i;"
           "CREATE VIEW v AS SELECT bloom_contains((SELECT bloom_open(f) FROM f), i) FROM t");
    EXPECT_EQ(db.number("SELECT * FROM v"), 1);
    EXPECT_THROW(db.run("CREATE INDEX x ON f(bloom_open(f))"), testing::sql_error);
    db.run("CREATE INDEX x ON t(bloom_contains(x'', NULL))"); // the others depend on arguments only
}

TEST(Reference, StaysWhileItIsUsedAndOthersAreOpened) {
    database db;
    db.run("CREATE TABLE f AS SELECT bloom_agg(-1, 10, 1e-9) AS f");
    EXPECT_EQ(db.number(counted(300) +
                        "SELECT sum(bloom_contains((SELECT bloom_open(f) FROM f), -1) AND "
                        "bloom_contains((SELECT bloom_open(bloom_add(f, i)) FROM f), i)) "
                        "FROM counted"),
              300);
}

TEST(Reference, TheLastFourStayOpenHoweverLarge) {
    database db;
    std::vector<std::string> opened;
    for (int i = 0; i < 5; ++i) { // of 63 MB each, together more than 256 MiB
        opened.push_back(
            db.bytes("SELECT bloom_open(bloom_agg(" + std::to_string(i) + ", 50000000))"));
    }
    const auto asked = [&](int i) {
        return "SELECT bloom_contains(" + opened.at(static_cast<std::size_t>(i)) + ", " +
               std::to_string(i) + ")";
    };
    EXPECT_NE(db.refusal(asked(0)).find("refers to no open filter"), std::string::npos);
    for (int i = 1; i < 5; ++i) EXPECT_EQ(db.number(asked(i)), 1) << i;
}

} // namespace
} // namespace bloomery
