// LevelDB's own filters and answers, made again from the keys.
#include "damage.hpp"

#include <cmath>

namespace bloomery::testing {
namespace {

const foreign_format& leveldb() { return format::foreign_format_named("leveldb"); }

any_filter leveldb_made(const json& one) {
    foreign_options options;
    options.n = items{one.at("keys").size()};
    options.bits_per_item = one.at("bits_per_key").get<double>();
    return leveldb().create(options);
}

TEST(LevelDb, FilesAndAnswers) {
    const peer from("leveldb");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string theirs = from.file(one.at("file"));
        any_filter mine = leveldb_made(one);
        add_all(mine, hex_keys(one.at("keys")), nullptr);
        EXPECT_EQ(written(mine, leveldb()), theirs);
        expect_round_trip(theirs, leveldb());
        expect_answers(leveldb().decode(view(theirs), {}), hex_keys(one.at("probes")),
                       one.at("answers"));
        EXPECT_EQ(leveldb().facts(mine).at(0).value, one.at("policy_name"));
        expect_damage_shows(theirs, leveldb());
    }
}

TEST(LevelDb, FewerThanTwoBytesMatchNothing) {
    for (const std::string& bytes : {std::string(), std::string(1, '\x06')}) {
        const any_filter read = leveldb().decode(view(bytes), {});
        EXPECT_FALSE(read.may_contain("key"));
        EXPECT_EQ(read.rate_at(items{10}), 0);
        EXPECT_EQ(written(read, leveldb()), bytes);
    }
}

TEST(LevelDb, MoreThanThirtyHashesMatchEverything) {
    for (const char k : {'\x00', '\x1f', '\xff'}) {
        const std::string bytes = std::string(8, '\0') + k;
        any_filter read = leveldb().decode(view(bytes), {});
        EXPECT_TRUE(read.may_contain("key"));
        EXPECT_TRUE(read.may_contain(std::uint64_t{7}));
        EXPECT_EQ(read.stats().expected_rate, 1);
        EXPECT_EQ(written(read, leveldb()), bytes);
        EXPECT_THROW(read.insert("key"), unsupported);
        EXPECT_THROW(read.insert_many(std::vector<std::string_view>{"key"}), unsupported);
        EXPECT_THROW(read.clear(), unsupported);
        EXPECT_THROW(read.merge(any_filter(read)), unsupported);
        EXPECT_THROW((void)written(read, format::foreign_format_named("rocksdb")), incompatible);
    }
}

TEST(LevelDb, SizesByHandAreWholeBytes) {
    foreign_options options;
    options.m = bits{65};
    options.k = hashes{3};
    any_filter made = leveldb().create(options);
    made.insert("key");
    const std::string bytes = written(made, leveldb());
    EXPECT_EQ(bytes.size(), 10U);
    EXPECT_TRUE(leveldb().decode(view(bytes), {}).may_contain("key"));
    EXPECT_EQ(leveldb().looks(view(bytes)), format::likeness::possible);
}

TEST(LevelDb, RefusesWhatLevelDbCannotMake) {
    foreign_options options;
    EXPECT_THROW((void)leveldb().create(options), bad_argument);
    options.n = items{10};
    for (const double per_key : {-1.0, 2.5, 1e10, std::nan("")}) {
        options.bits_per_item = per_key;
        EXPECT_THROW((void)leveldb().create(options), bad_argument);
    }
    options.k = hashes{31};
    options.m = bits{64};
    EXPECT_THROW((void)leveldb().create(options), bad_argument);
    options.k = hashes{3};
    options.m = bits{~std::uint64_t{0}};
    EXPECT_THROW((void)leveldb().create(options), bad_argument);
}

} // namespace
} // namespace bloomery::testing
