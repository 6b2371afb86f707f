// Numbers and names of hashes, which files and command lines contain.
#include <bloomery/detail/hash/hash_id.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace hash = bloomery::hash;
using hash::hash_id;

namespace {

TEST(HashId, NumbersAreFrozen) {
    constexpr std::pair<std::string_view, std::uint16_t> frozen[] = {
        {"custom", 0},
        {"xxh3_64", 1},
        {"xxh3_128", 2},
        {"siphash13_64", 3},
        {"siphash13_128", 4},
        {"siphash24_64", 5},
        {"siphash24_128", 6},
        {"murmur3_x64_128", 16},
        {"murmur3_x86_32", 17},
        {"murmur64a", 18},
        {"fnv1_64", 19},
        {"fnv1a_64", 20},
        {"fnv1_32", 21},
        {"fnv1a_32", 22},
        {"highway_64", 23},
        {"highway_128", 24},
        {"murmur2_32", 25},
        {"murmur3_x64_128_signed", 26},
        {"murmur3_x86_32_spark", 27},
        {"murmur2_32_hadoop", 28},
        {"lookup3", 29},
        {"leveldb", 30},
        {"rocksdb", 31},
        {"xxph3_64", 32},
        {"xxh64", 33},
        {"murmur3_x64_128_twice", 34},
        {"fnv1a_64_four", 35},
        {"murmur64a_twice", 36},
        {"murmur2_32_twice", 37},
        {"xxh64_twice", 38},
        {"murmur3_x86_32_spark_twice", 39},
        {"murmur2_32_hbase", 40},
        {"bkdr", 64},
        {"ap", 65},
        {"djb", 66},
        {"js", 67},
        {"rs", 68},
        {"sdbm", 69},
        {"pjw", 70},
        {"elf", 71},
        {"dek", 72},
        {"hf", 73},
        {"hf_ip", 74},
        {"tianl", 75},
        {"fnv_java", 76},
        {"java_string", 77},
        {"java_texts", 78},
        {"additive_eight", 79},
        {"java_object", 80},
    };
    EXPECT_EQ(std::size(frozen), hash::all_hash_names().size());
    for (const auto& [name, number] : frozen) {
        const auto id = static_cast<hash_id>(number);
        EXPECT_EQ(hash::name(id), name);
    }
}

TEST(HashId, NoNumberAndNoNameIsUsedTwice) {
    std::set<hash_id> ids;
    std::set<std::string_view> names;
    for (const auto& [id, name] : hash::all_hash_names()) {
        EXPECT_TRUE(ids.insert(id).second) << name;
        EXPECT_TRUE(names.insert(name).second) << name;
    }
}

TEST(HashId, StrangersAreUnknown) {
    EXPECT_EQ(hash::name(std::bit_cast<hash_id>(std::uint16_t{9999})), "unknown");
}

} // namespace
