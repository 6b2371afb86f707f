// The integer mixers determine the bits of stored filters: these values must never change.
// They come from the definitions, worked out with Python's integers.
#include <bloomery/detail/hash/mix.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace hash = bloomery::hash;

namespace {

TEST(Mix64, IsFrozen) {
    struct frozen {
        std::uint64_t key, seed, low, high;
    };
    constexpr std::uint64_t all = ~std::uint64_t{0};
    constexpr frozen rows[] = {
        {0, 0, 0x168fce268114391a, 0x6dacf9fcdc1373c2},
        {1, 0, 0xa456d19bac6a0f71, 0x7d099db80da15e0c},
        {all, 0, 0x2a17ea6c6206e12d, 0xc2860ed86f4391c2},
        {0, 1, 0xa66737f1f9dec420, 0xc9d2da6156bac8ac},
        {0x123456789abcdef0, 42, 0xd753dd235814179c, 0xd0fdb3c46e184fd9},
        {std::uint64_t{1} << 63, all, 0xb334d51542891801, 0xedff9bf494313ea2},
    };
    for (const frozen& row : rows) {
        EXPECT_EQ(hash::mix64(row.key, row.seed), row.low);
        EXPECT_EQ(hash::mix128(row.key, row.seed), (bloomery::digest128{row.low, row.high}));
    }
}

TEST(Fmix, IsMurmurs) {
    EXPECT_EQ(hash::fmix64(0), 0U);
    EXPECT_EQ(hash::fmix64(1), 0xb456bcfc34c2cb2cU);
    EXPECT_EQ(hash::fmix64(0x123456789abcdef0), 0x18b8c062f6f42398U);
    EXPECT_EQ(hash::fmix64(~std::uint64_t{0}), 0x64b5720b4b825f21U);
    EXPECT_EQ(hash::fmix32(0), 0U);
    EXPECT_EQ(hash::fmix32(1), 0x514e28b7U);
    EXPECT_EQ(hash::fmix32(0x12345678), 0xe37cd1bcU);
    EXPECT_EQ(hash::fmix32(0xffffffff), 0x81f16f39U);
}

} // namespace
