// RocksDB's own filters and answers, made again from the keys.
#include <bloomery/detail/hash/foreign.hpp>

#include "damage.hpp"

namespace bloomery::testing {
namespace {

const foreign_format& rocksdb_legacy() { return format::foreign_format_named("rocksdb"); }
const foreign_format& newer() { return format::foreign_format_named("rocksdb-5"); }

/// How many keys RocksDB counts: it drops one whose hash is that of the key before it.
template <class Hash>
std::uint64_t counted(const std::vector<std::string>& keys) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        count += i == 0 || Hash{}(view(keys[i])) != Hash{}(view(keys[i - 1])) ? 1U : 0U;
    }
    return count;
}

void rocksdb_check(const json& one, const peer& from) {
    const bool is_newer = one.at("format_version").get<int>() >= 5;
    const foreign_format& format = is_newer ? newer() : rocksdb_legacy();
    const std::vector<std::string> keys = hex_keys(one.at("keys"));
    const std::string theirs = from.file(one.at("file"));
    foreign_options options;
    options.n = items{is_newer ? counted<hash::rocksdb_5_hash>(keys)
                               : counted<hash::rocksdb_filter_hash>(keys)};
    options.bits_per_item = one.at("bits_per_key").get<double>();
    any_filter mine = format.create(options);
    add_all(mine, keys, nullptr);
    EXPECT_EQ(written(mine, format), theirs);
    const any_filter read = format.decode(view(theirs), {});
    EXPECT_EQ(written(read, format), theirs);
    expect_answers(read, hex_keys(one.at("probes")), one.at("answers"));
    // A file without keys has nothing that shows.
    EXPECT_EQ(format.looks(view(theirs)),
              theirs.size() > 5 ? format::likeness::sure : format::likeness::no);
    expect_damage_shows(theirs, format);
}

TEST(RocksDb, FilesAndAnswers) {
    const peer from("rocksdb");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        rocksdb_check(one, from);
    }
}

TEST(RocksDb, AFileOfFiveBytesOrFewerHasNoKeys) {
    for (std::size_t size = 0; size <= 5; ++size) {
        const std::string bytes(size, '\x07');
        any_filter read = rocksdb_legacy().decode(view(bytes), {});
        EXPECT_FALSE(read.may_contain("key"));
        EXPECT_EQ(written(read, rocksdb_legacy()), bytes);
        EXPECT_THROW(read.insert("key"), unsupported);
    }
}

TEST(RocksDb, NoKeysMakeAFileWithoutBits) {
    foreign_options none;
    none.n = items{0};
    EXPECT_EQ(written(newer().create(none), newer()), std::string("\xff\0\x06\0\0", 5));
    EXPECT_EQ(written(rocksdb_legacy().create(none), rocksdb_legacy()),
              std::string("\x06\0\0\0\0", 5));
}

TEST(RocksDb, NoProbesMatchEverything) {
    const std::string bytes(6, '\0');
    const any_filter read = rocksdb_legacy().decode(view(bytes), {});
    EXPECT_TRUE(read.may_contain("key"));
    EXPECT_EQ(written(read, rocksdb_legacy()), bytes);
}

TEST(RocksDb, WhatIsNoBloomFilterIsNamed) {
    const auto with = [](std::string_view trailer) {
        return std::string(128, '\0').append(trailer);
    };
    using namespace std::string_view_literals;
    for (const std::string_view trailer :
         {"\xfe\0\x06\0\0"sv, "\x80\0\0\0\0"sv, "\xff\x01\x06\0\0"sv, "\xff\0\x26\0\0"sv,
          "\xff\0\x06\x01\0"sv, "\xff\0\x1f\0\0"sv, "\xff\0\0\0\0"sv}) {
        EXPECT_THROW((void)newer().decode(view(with(trailer)), {}), unsupported);
        EXPECT_EQ(newer().looks(view(with(trailer))), format::likeness::no);
    }
    // Lines of 128 bytes, as on other processors, and a number of lines that does not divide.
    EXPECT_THROW((void)rocksdb_legacy().decode(view(with("\x06\x01\0\0\0"sv)), {}), unsupported);
    EXPECT_THROW((void)rocksdb_legacy().decode(view(with("\x06\x03\0\0\0"sv)), {}), bad_data);
    EXPECT_THROW((void)rocksdb_legacy().decode(view(with("\x06\0\0\0\0"sv)), {}), bad_data);
    EXPECT_THROW((void)newer().decode(view(with("\0\xff\0\x06\0\0"sv)), {}), bad_data);
}

TEST(RocksDb, SizesByHandAreWholeLines) {
    foreign_options options;
    options.m = bits{513};
    options.k = hashes{6};
    EXPECT_EQ(newer().create(options).spec().shape.bit_count, 1024U);
    EXPECT_EQ(rocksdb_legacy().create(options).spec().shape.bit_count, 1536U);
    for (const foreign_format* const format : {&rocksdb_legacy(), &newer()}) {
        any_filter made = format->create(options);
        made.insert("key");
        const std::string bytes = written(made, *format);
        EXPECT_TRUE(format::detect_one(view(bytes)).decode(view(bytes), {}).may_contain("key"));
    }
}

TEST(RocksDb, RefusesWhatRocksDbCannotMake) {
    foreign_options options;
    EXPECT_THROW((void)newer().create(options), bad_argument);
    options.n = items{10};
    options.bits_per_item = 0.4;
    EXPECT_THROW((void)newer().create(options), bad_argument);
    EXPECT_THROW((void)rocksdb_legacy().create(options), bad_argument);
    options.m = bits{512};
    options.k = hashes{31};
    EXPECT_THROW((void)newer().create(options), bad_argument);
    options.m = bits{~std::uint64_t{0}};
    options.k = hashes{6};
    EXPECT_THROW((void)newer().create(options), bad_argument);
}

} // namespace
} // namespace bloomery::testing
