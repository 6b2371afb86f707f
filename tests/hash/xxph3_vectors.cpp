// XXPH3 equals RocksDB's at every cut point, and sets exactly the bits of RocksDB's filters.
#include <bloomery/hash/xxph3.hpp>

#include "manifest.hpp"
#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hash = bloomery::hash;

namespace {

TEST(Xxph3, MatchesRocksDb) {
    for (const vectors::row& row : vectors::rows("xxph3.txt", "xxph3_64")) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[2]), shift);
            ASSERT_EQ(hash::xxph3_64(key.view(), vectors::hex(row[1])), vectors::hex(row[3]))
                << row[2];
        }
    }
}

TEST(Xxph3, TheSeedIsZeroUnlessGiven) {
    const vectors::placed_key key(300, 0);
    EXPECT_EQ(hash::xxph3_64(key.view()), hash::xxph3_64(key.view(), 0));
    EXPECT_NE(hash::xxph3_64(key.view()), hash::xxph3_64(key.view(), 1));
}

TEST(Xxph3, FillsTheFiltersThatRocksDbFilled) {
    for (const char* id : {"b10_n1_fv5", "b10_n100_fv5", "b16_n80_fv5", "b5.5_n200_fv5"}) {
        std::vector<std::byte> file = manifest::bytes_of("rocksdb", std::string(id) + ".bin");
        const int k = std::to_integer<int>(file[file.size() - 3]);
        file.erase(file.end() - 5, file.end());
        std::vector<std::byte> bits(file.size());
        const nlohmann::json filter = manifest::case_of("rocksdb", id);
        for (const nlohmann::json& digits : filter.at("keys")) {
            const std::uint64_t h = hash::xxph3_64(manifest::key(digits));
            const std::uint64_t line = ((h & 0xffffffff) * (bits.size() / 64)) >> 32;
            auto probe = static_cast<std::uint32_t>(h >> 32);
            for (int i = 0; i < k; ++i, probe *= 0x9e3779b9) {
                const std::uint32_t bit = probe >> 23;
                bits[line * 64 + bit / 8] |= std::byte{1} << (bit % 8);
            }
        }
        EXPECT_EQ(bits, file) << id;
    }
}

} // namespace
