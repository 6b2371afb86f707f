// The blocked layout: k bits, all in the block that the low word of the digest chooses.
#include <bloomery/filter/filter.hpp>
#include <bloomery/layout/blocked.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bloomery::layout {
namespace {

blocked of(std::uint64_t blocks, std::uint32_t k) {
    return blocked({layout_kind::blocked_512, blocks * 512, k});
}

TEST(Blocked, TouchesOneBlockOnly) {
    testing::random_source random(3);
    const blocked layout = of(100, 12);
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::uint64_t> words(layout.word_count());
        const digest128 digest{random.next(), random.next()};
        EXPECT_TRUE(layout.insert(words.data(), digest));
        EXPECT_TRUE(layout.may_contain(words.data(), digest));
        const std::uint64_t block = hash::fastrange(digest.low, 100);
        const std::uint64_t ones = count_ones(words);
        EXPECT_EQ(ones, count_ones(std::span(words).subspan(block * 8, 8)));
        EXPECT_LE(ones, 12U);
    }
}

// Frozen: saved filters depend on it.
TEST(Blocked, TakesSixPlacesOfNineBitsFromEachStep) {
    const blocked layout = of(1, 8);
    std::vector<std::uint64_t> words(8);
    const std::uint64_t high = 0x0123456789abcdefU;
    layout.insert(words.data(), digest128{0, high});
    std::vector<std::uint64_t> expected(8);
    const std::uint64_t next = high * 0x9E3779B97F4A7C15U;
    for (const std::uint64_t place :
         {high >> 55, high >> 46 & 511, high >> 37 & 511, high >> 28 & 511, high >> 19 & 511,
          high >> 10 & 511, next >> 55, next >> 46 & 511}) {
        expected[place / 64] |= std::uint64_t{1} << (place % 64);
    }
    EXPECT_EQ(words, expected);
}

TEST(Blocked, RefusesPartsOfBlocksAndOtherLayouts) {
    EXPECT_THROW(blocked({layout_kind::blocked_512, 511, 3}), bad_argument);
    EXPECT_THROW(blocked({layout_kind::blocked_512, 0, 3}), bad_argument);
    EXPECT_THROW(blocked({layout_kind::classic, 512, 3}), bad_argument);
}

template <class Filter>
concept has_locations = requires(const Filter& f) { f.locations(1, 1U); };
static_assert(has_locations<classic_filter> && !has_locations<blocked_filter>);

} // namespace
} // namespace bloomery::layout
