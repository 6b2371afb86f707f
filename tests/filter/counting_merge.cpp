// Counting filters combined, and turned into Bloom filters.
#include <bloomery/error.hpp>

#include "counting_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bloomery {
namespace {

using enum counter_layout;

class CountingOfTwo : public testing::counting_case {};
INSTANTIATE_TEST_SUITE_P(EveryOption, CountingOfTwo, ::testing::ValuesIn(testing::every_option),
                         testing::option_name);

TEST_P(CountingOfTwo, IsTheFilterOfBoth) {
    counting_filter a = small();
    counting_filter b = small();
    counting_filter both = small();
    for (std::uint64_t i = 0; i < 120; ++i) {
        (i % 3 == 0 ? a : b).insert(i);
        both.insert(i);
    }
    const counting_filter before = a;
    a.merge(b);
    const std::uint64_t most = (std::uint64_t{1} << a.counter_bits()) - 1;
    std::vector<std::uint64_t> sum = testing::counters_of(before);
    std::ranges::transform(sum, testing::counters_of(b), sum.begin(),
                           [&](auto left, auto right) { return std::min(left + right, most); });
    EXPECT_EQ(testing::counters_of(a), sum);
    EXPECT_EQ(a, both);
    EXPECT_GE(a.stuck_counters(), std::max(before.stuck_counters(), b.stuck_counters()));
}

TEST(CountingMerge, RefusesStrangersAndChangesNothing) {
    const auto made = [](std::uint32_t width, counter_layout where, native_hash hash = {},
                         std::uint64_t m = 1024, std::uint32_t k = 5) {
        counting_filter f(bits{m}, hashes{k}, {width, where}, hash);
        f.insert(1);
        return f;
    };
    counting_filter f = made(4, flat);
    const counting_filter before = f;
    for (const counting_filter& other :
         {made(8, flat), made(4, blocked), made(4, flat, native_hash::seeded(1)),
          made(4, flat, native_hash::keyed({1, 2})), made(4, flat, {}, 2048),
          made(4, flat, {}, 1024, 6)}) {
        EXPECT_FALSE(f.compatible_with(other));
        EXPECT_THROW(f.merge(other), incompatible);
        EXPECT_EQ(f, before);
    }
    f.merge(f);
    EXPECT_EQ(f.count(1), 2U);
}

TEST(CountingToBloom, IsTheBloomFilterOfTheSameKeysBitForBit) {
    for (const std::uint32_t width : {2U, 3U, 4U, 8U}) {
        for (const native_hash& hash : {native_hash(), native_hash::seeded(3),
                                        native_hash::keyed({1, 2}), native_hash().widened()}) {
            counting_filter f(items{1000}, rate{0.01}, {width, flat}, hash);
            filter plain(f.spec().shape, hash, f.made_for());
            for (std::uint64_t i = 0; i < 1000; ++i) {
                f.insert(i);
                plain.insert(i);
            }
            EXPECT_EQ(f.to_bloom(), plain);
            EXPECT_EQ(f.to_bloom().made_for(), plain.made_for());
        }
    }
    const counting_filter lines(items{10}, rate{0.01}, {4, blocked});
    EXPECT_THROW((void)lines.to_bloom(), unsupported);
}

TEST(CountingToBloom, ForgetsWhatWasErased) {
    counting_filter f(items{1000}, rate{0.01});
    filter plain(f.spec().shape, f.hash(), f.made_for());
    for (std::uint64_t i = 0; i < 1000; ++i) f.insert(i);
    for (std::uint64_t i = 0; i < 500; ++i) f.erase(i);
    for (std::uint64_t i = 500; i < 1000; ++i) plain.insert(i);
    EXPECT_EQ(f.to_bloom(), plain);
}

} // namespace
} // namespace bloomery
