// XXH64 as inlined here equals the shared library that wrote the vectors, at every cut point.
#include <bloomery/detail/hash/xxh64.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace hash = bloomery::hash;

namespace {

TEST(Xxh64, MatchesTheLibrary) {
    for (const vectors::row& row : vectors::rows("xxh64.txt", "xxh64")) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[2]), shift);
            ASSERT_EQ(hash::xxh64(key.view(), vectors::hex(row[1])), vectors::hex(row[3]))
                << row[2];
        }
    }
}

TEST(Xxh64, TheSeedIsZeroUnlessGiven) {
    const auto key = vectors::bytes("");
    EXPECT_EQ(hash::xxh64(key), 0xef46db3751d8e999);
    EXPECT_NE(hash::xxh64(key, 1), hash::xxh64(key));
}

} // namespace
