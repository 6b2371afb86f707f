// A native file keeps the hash and the scheme of another system's filter.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>

#include "temporary_folder.hpp"
#include "test_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {
namespace {

using hash::hash_id;
using layout::scheme_id;

spec of(scheme_id scheme, hash_id hash, plan::shape shape, std::uint64_t seed = 0) {
    return {filter_kind::bloom, scheme, hash, seed, shape};
}

plan::shape classic(std::uint64_t m, std::uint32_t k) { return {layout_kind::classic, m, k}; }

spec of_shards(std::uint64_t shards, plan::shape shape) {
    spec made = of(scheme_id::redisson_split, hash_id::highway_128, shape);
    made.parameters[0] = shards;
    return made;
}

const std::vector<spec>& samples() {
    static const std::vector<spec> all{
        of(scheme_id::guava_32, hash_id::murmur3_x64_128, classic(640, 5)),
        of(scheme_id::guava_64, hash_id::murmur3_x64_128, classic(9600, 7)),
        of(scheme_id::guava_32, hash_id::murmur3_x86_32_spark_twice, classic(640, 5)),
        of(scheme_id::spark_2, hash_id::murmur3_x86_32_spark_twice, classic(640, 5), 7),
        of(scheme_id::go, hash_id::murmur3_x64_128_twice, classic(1001, 300)),
        of(scheme_id::go, hash_id::fnv1a_64_four, classic(1001, 3)),
        of(scheme_id::redisson, hash_id::highway_128, classic(7298, 1074)),
        of_shards(5, classic(5 * 1009, 7)),
        of(scheme_id::cassandra, hash_id::murmur3_x64_128_signed, classic(1024, 5)),
        of(scheme_id::hadoop, hash_id::murmur2_32_hadoop, classic(1003, 4)),
        of(scheme_id::hadoop, hash_id::lookup3, classic(1003, 4)),
        of(scheme_id::redisbloom, hash_id::murmur64a_twice, classic(1088, 8)),
        of(scheme_id::leveldb, hash_id::leveldb, classic(1000, 6)),
        of(scheme_id::rocksdb_4, hash_id::rocksdb, {layout_kind::blocked_512, 1536, 6}),
        of(scheme_id::rocksdb_5, hash_id::xxph3_64, {layout_kind::blocked_512, 1024, 6}),
        of(scheme_id::parquet, hash_id::xxh64, {layout_kind::split_8x32, 1024, 8}),
        of(scheme_id::datasketches, hash_id::xxh64_twice, classic(1024, 5), 9001),
        of(scheme_id::dcso, hash_id::fnv1_64, classic(958, 7)),
        of(scheme_id::hutool_32, hash_id::elf, classic(2048, 1)),
        of(scheme_id::hutool_64, hash_id::tianl, classic(2048, 1)),
        of(scheme_id::hutool_set, hash_id::java_texts, classic(1600, 2), 0x45),
        of(scheme_id::hutool_map, hash_id::java_texts, classic(4096, 2), 0x45),
    };
    return all;
}

constexpr std::array<std::string_view, 4> keys{"surely", "not", "or", "maybe"};

any_filter filled(const spec& what) {
    any_filter made = make_foreign(what, {1000, 0.01});
    made.insert_many(keys);
    return made;
}

std::vector<std::byte> bytes_of_native(const any_filter& source) {
    std::vector<std::byte> bytes;
    format::encode_native(
        source, [&](byte_view part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
    return bytes;
}

void expect_same(const any_filter& a, const any_filter& b) {
    EXPECT_EQ(a.spec(), b.spec());
    EXPECT_EQ(a.made_for(), b.made_for());
    EXPECT_TRUE(std::ranges::equal(a.words(), b.words()));
    for (const std::string_view key : keys) EXPECT_TRUE(b.may_contain(key)) << key;
}

TEST(ForeignHashes, SurviveANativeFile) {
    for (const spec& what : samples()) {
        SCOPED_TRACE(std::string(layout::name_of(what.scheme)));
        ASSERT_TRUE(is_foreign(what));
        const any_filter made = filled(what);
        expect_same(made, format::decode_native(bytes_of_native(made)));
    }
}

TEST(ForeignHashes, AreReadByMappingAndChangedByReplacing) {
    const temporary_folder folder;
    const auto path = folder.path() / "foreign.bloom";
    const any_filter made = filled(samples().front());
    save(made, path);
    expect_same(made, map(path));
    EXPECT_THROW((void)map(path, map_mode::read_write), unsupported);
    update(path, [](any_filter& f) { f.insert("more"); });
    EXPECT_TRUE(load(path).may_contain("more"));
}

TEST(ForeignHashes, OfFiltersThatNoSystemHasAreRefused) {
    const spec good = samples().front();
    std::vector<spec> bad(6, good);
    bad[0].hash = hash_id::highway_128;
    bad[1].hash = hash_id::murmur3_x86_32_spark_twice;
    bad[1].seed = std::uint64_t{1} << 40U;
    bad[2].shape.layout = layout_kind::blocked_512;
    bad[3].kind = filter_kind::counting;
    bad[4] = of(scheme_id::hadoop, hash_id::lookup3, classic(1003, 256));
    bad[5] = of(scheme_id::additive_8, hash_id::additive_eight, classic(1000, 8));
    for (const spec& what : bad) {
        EXPECT_FALSE(is_foreign(what));
        EXPECT_THROW((void)make_foreign(what), unsupported);
    }
}

TEST(ForeignHashes, GoldenFileIsReadAndWrittenAgain) {
    std::ifstream file(test_data("/native/v1-guava.bloom"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const any_filter found = format::decode_native(std::as_bytes(std::span(bytes)));
    expect_same(filled(samples()[1]), found);
    const std::vector<std::byte> again = bytes_of_native(found);
    EXPECT_TRUE(std::ranges::equal(again, std::as_bytes(std::span(bytes))));
}

} // namespace
} // namespace bloomery::testing
