// Packed counters against an array of plain numbers, at every width.
#include <bloomery/detail/storage/counters.hpp>
#include <bloomery/error.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bloomery::storage {
namespace {

class Counters : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(EveryWidth, Counters, ::testing::Range(1U, 33U));

TEST_P(Counters, AreThoseOfAPlainArray) {
    constexpr std::uint64_t size = 203;
    counters packed(size, GetParam());
    std::vector<std::uint64_t> plain(size, 0);
    const std::uint64_t most = (std::uint64_t{1} << GetParam()) - 1;
    EXPECT_EQ(packed.most(), most);
    testing::random_source random(GetParam());
    for (int step = 0; step < 20'000; ++step) {
        const std::uint64_t at = random.below(size);
        std::uint64_t& value = plain[at];
        switch (random.below(8)) {
        case 0:
            value = random.below(2) == 0 ? most - random.below(2) : random.next() & most;
            packed.put(at, value);
            break;
        case 1:
        case 2:
        case 3:
            ASSERT_EQ(packed.lower(at), value);
            value -= value != 0 && value != most ? 1U : 0U;
            break;
        default:
            ASSERT_EQ(packed.raise(at), value);
            value += value != most ? 1U : 0U;
        }
        ASSERT_EQ(packed[at], value);
    }
    counter_tally expected;
    for (std::uint64_t i = 0; i < size; ++i) {
        ASSERT_EQ(packed[i], plain[i]) << i;
        expected.used += plain[i] != 0 ? 1U : 0U;
        expected.stuck += plain[i] == most ? 1U : 0U;
        expected.largest = std::max(expected.largest, plain[i]);
        expected.sum += plain[i];
    }
    const counter_tally found = packed.tally();
    EXPECT_EQ(found.used, expected.used);
    EXPECT_EQ(found.stuck, expected.stuck);
    EXPECT_EQ(found.largest, expected.largest);
    EXPECT_EQ(found.sum, expected.sum);
    EXPECT_TRUE(packed.padding_is_clear());
}

TEST_P(Counters, AddUpToTheirMost) {
    constexpr std::uint64_t size = 500;
    counters a(size, GetParam());
    counters b(size, GetParam());
    testing::random_source random(7);
    std::vector<std::uint64_t> sums(size);
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t near = a.most() - random.below(2);
        a.put(i, random.below(4) == 0 ? near : random.next() & a.most());
        b.put(i, random.below(4) == 0 ? 0 : random.next() & a.most());
        sums[i] = std::min(a[i] + b[i], a.most());
    }
    a.add(b);
    for (std::uint64_t i = 0; i < size; ++i) {
        ASSERT_EQ(a[i], sums[i]) << i;
    }
    EXPECT_TRUE(a.padding_is_clear());
    a.clear();
    EXPECT_EQ(a.used(), 0U);
}

TEST_P(Counters, KnowTheBitsThatNoneHas) {
    const std::uint32_t in_word = 64 / GetParam();
    counters packed(in_word + 1, GetParam());
    ASSERT_EQ(packed.words().size(), 2U);
    for (unsigned bit = 0; bit < 128; ++bit) {
        const bool used = bit < 64 ? bit < in_word * GetParam() : bit - 64 < GetParam();
        packed.data()[bit / 64] = std::uint64_t{1} << (bit % 64);
        EXPECT_EQ(packed.padding_is_clear(), used) << bit;
        packed.data()[bit / 64] = 0;
    }
}

TEST(CounterPlaces, LieAsDocumented) {
    for (const auto& [width, words] :
         {std::pair{2U, 32U}, {3U, 48U}, {4U, 63U}, {8U, 125U}, {16U, 250U}, {32U, 500U}}) {
        EXPECT_EQ(counters::words_for(1000, width), words);
    }
    counters packed(100, 3);
    packed.put(21, 5);
    EXPECT_EQ(packed.words()[1], 5U) << "no counter lies across two words";
    EXPECT_THROW(counters(10, 0), bad_argument);
    EXPECT_THROW(counters(10, 33), bad_argument);
    EXPECT_THROW(counters(~std::uint64_t{0}, 1), memory_refused);
}

} // namespace
} // namespace bloomery::storage
