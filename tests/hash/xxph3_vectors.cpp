// XXPH3 equals RocksDB's at every cut point, and sets exactly the bits of RocksDB's filters.
#include <bloomery/detail/hash/xxph3.hpp>

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

} // namespace
