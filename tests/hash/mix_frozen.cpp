// The integer mixers decide the bits of stored filters: these values may never change.
// They come from the definitions, worked out with Python's integers.
#include <bloomery/hash/mix.hpp>

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
        {0, 0, 0xac37ba05004a30dc, 0xd5f2d798fb9cec3c},
        {1, 0, 0x0e43c0c53abda146, 0x1cd1dad6691cd628},
        {all, 0, 0x64daf0f168e8b22a, 0xdf4bd19247a2df18},
        {0, 1, 0xcb2c04f373f6fb19, 0x029b6bd4fdd92fe0},
        {0x123456789abcdef0, 42, 0x85b51d55c0dfa696, 0xc6efcae8d3cdf85b},
        {std::uint64_t{1} << 63, all, 0xe67d5e9f10ae5814, 0x878496887d1c3d1b},
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
