#include <bloomery/storage/bitmap.hpp>

#include <gtest/gtest.h>

namespace bloomery {
namespace {

TEST(Bitmap, RemembersEachBit) {
    bitmap bits(130);
    bits.set(0);
    bits.set(64);
    bits.set(129);
    EXPECT_TRUE(bits[0] && bits[64] && bits[129] && !bits[1] && !bits[63]);
    EXPECT_EQ(bits.count(), 3U);
    bits.set(64, false);
    EXPECT_EQ(bits.count(), 2U);
    EXPECT_EQ(bits.words().size(), 3U);
}

TEST(Bitmap, CanBeWrittenByWholeWords) {
    bitmap bits(70);
    bits.data()[1] = 0b100000;
    EXPECT_TRUE(bits[69]);
    EXPECT_EQ(bits.count(), 1U);
}

TEST(Bitmap, ResetForgetsWhatWasThere) {
    bitmap bits(100);
    bits.set(99);
    bits.reset(100);
    EXPECT_EQ(bits.count(), 0U);
    bits.reset(3);
    EXPECT_EQ(bits.bit_count(), 3U);
}

} // namespace
} // namespace bloomery
