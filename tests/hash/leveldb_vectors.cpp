// The hashes of LevelDB and of RocksDB set exactly the bits that the two wrote to their filters.
#include <bloomery/hash/leveldb.hpp>

#include "manifest.hpp"
#include "vectors.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hash = bloomery::hash;

namespace {

void set(std::span<std::byte> bits, std::size_t i) { bits[i / 8] |= std::byte{1} << (i % 8); }

/// The bits that LevelDB's probes of `keys` set in `size` bytes.
std::vector<std::byte> leveldb_bits(const nlohmann::json& keys, std::size_t size, int k) {
    std::vector<std::byte> bits(size);
    for (const nlohmann::json& digits : keys) {
        std::uint32_t h = hash::leveldb_hash(manifest::key(digits));
        const std::uint32_t delta = std::rotr(h, 17);
        for (int i = 0; i < k; ++i, h += delta) {
            set(bits, h % (size * 8));
        }
    }
    return bits;
}

/// The same for RocksDB before format_version 5, whose probes stay in one line of 64 bytes.
std::vector<std::byte> rocksdb_bits(const nlohmann::json& keys, std::size_t size, int k) {
    std::vector<std::byte> bits(size);
    for (const nlohmann::json& digits : keys) {
        std::uint32_t h = hash::rocksdb_hash(manifest::key(digits));
        const std::span line = std::span(bits).subspan(h % (size / 64) * 64, 64);
        const std::uint32_t delta = std::rotr(h, 17);
        for (int i = 0; i < k; ++i, h += delta) {
            set(line, h % 512);
        }
    }
    return bits;
}

TEST(LevelDb, FillsTheFiltersThatLevelDbFilled) {
    for (const char* id : {"b10_n1", "b10_n100", "b16_n200", "b1_n12", "b5_n150", "b60_n30"}) {
        const nlohmann::json filter = manifest::case_of("leveldb", id);
        std::vector<std::byte> file = manifest::bytes_of("leveldb", std::string(id) + ".bin");
        const int k = std::to_integer<int>(file.back());
        file.pop_back();
        EXPECT_EQ(leveldb_bits(filter.at("keys"), file.size(), k), file) << id;
    }
}

TEST(LevelDb, RocksDbFillsTheFiltersThatRocksDbFilled) {
    for (const char* id : {"b10_n100_fv4", "b5_n200_fv4"}) {
        const nlohmann::json filter = manifest::case_of("rocksdb", id);
        std::vector<std::byte> file = manifest::bytes_of("rocksdb", std::string(id) + ".bin");
        const int k = std::to_integer<int>(file[file.size() - 5]);
        file.erase(file.end() - 5, file.end());
        EXPECT_EQ(rocksdb_bits(filter.at("keys"), file.size(), k), file) << id;
    }
}

TEST(LevelDb, TheTwoDifferByTheSignOfTailBytesOnly) {
    using namespace std::string_view_literals;
    for (const auto key : {""sv, "abc"sv, "abcdefg"sv, "\xff\xfe\xfd\xfc"sv}) {
        EXPECT_EQ(hash::leveldb_hash(vectors::bytes(key)), hash::rocksdb_hash(vectors::bytes(key)));
    }
    EXPECT_NE(hash::leveldb_hash(vectors::bytes("\x80"sv)),
              hash::rocksdb_hash(vectors::bytes("\x80"sv)));
}

TEST(LevelDb, ReadsTheSameAtEveryAddress) {
    for (std::size_t size = 0; size < 20; ++size) {
        const vectors::placed_key aligned(size, 0);
        for (std::size_t shift = 1; shift < 8; ++shift) {
            const vectors::placed_key key(size, shift);
            ASSERT_EQ(hash::leveldb_hash(key.view(), 1), hash::leveldb_hash(aligned.view(), 1));
            ASSERT_EQ(hash::rocksdb_hash(key.view(), 1), hash::rocksdb_hash(aligned.view(), 1));
        }
    }
}

} // namespace
