// HighwayHash equals the authors' C code under the key 00 01 ... 1f, and Redisson under its own.
#include <bloomery/detail/hash/highway.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace hash = bloomery::hash;

namespace {

constexpr hash::highway_key highway_vectors_counting{
    {0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x1716151413121110, 0x1f1e1d1c1b1a1918}};

constexpr hash::highway_key redisson{
    {0x9e3779b97f4a7c15, 0xf39cc0605cedc834, 0x1082276bf3a27251, 0xf86c6a11d0c18e95}};

TEST(HighwayHash, SixtyFourBitsMatchTheReference) {
    for (const vectors::row& row : vectors::rows("highway.txt", "highway_64")) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[1]), shift);
            ASSERT_EQ(hash::highway_64{highway_vectors_counting}(key.view()).value,
                      vectors::hex(row[2]))
                << row[1];
        }
    }
}

TEST(HighwayHash, HundredTwentyEightBitsMatchTheReference) {
    for (const vectors::row& row : vectors::rows("highway.txt", "highway_128")) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[1]), shift);
            const bloomery::digest128 expected{vectors::hex(row[2]), vectors::hex(row[3])};
            ASSERT_EQ(hash::highway_128{highway_vectors_counting}(key.view()), expected) << row[1];
        }
    }
}

TEST(HighwayHash, MatchesRedissonUnderItsKey) {
    for (const vectors::row& row : vectors::rows("highway_redisson.txt")) {
        const vectors::placed_key key(vectors::unhex<std::byte>(row[0]), 0);
        const bloomery::digest128 expected{vectors::hex(row[1]), vectors::hex(row[2])};
        ASSERT_EQ(hash::highwayhash_128(key.view(), redisson), expected) << row[0];
    }
}

TEST(HighwayHash, KeyDecidesTheDigest) {
    const auto text = vectors::bytes("text");
    EXPECT_NE(hash::highway_64{}(text), hash::highway_64{highway_vectors_counting}(text));
    EXPECT_NE(hash::highway_128{}, hash::highway_128{highway_vectors_counting});
}

} // namespace
