#include <bloomery/detail/filter/nibble_counting.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/foreign.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {
namespace {

using nibble_filter = hadoop_counting_filter;

std::uint64_t total_of(const nibble_filter& of) {
    std::uint64_t total = 0;
    for (const std::uint64_t word : of.words()) {
        for (unsigned shift = 0; shift < 64; shift += 4) total += word >> shift & 15U;
    }
    return total;
}

TEST(NibbleCounting, CountsEveryProbe) {
    nibble_filter made(bits{1000}, hashes{4});
    EXPECT_TRUE(made.try_insert("a"));
    EXPECT_FALSE(made.try_insert("a"));
    EXPECT_EQ(made.count("a"), 2U);
    EXPECT_EQ(total_of(made), 8U);
    EXPECT_TRUE(made.may_contain("a"));
    EXPECT_EQ(made.count("b"), 0U);
    EXPECT_FALSE(made.may_contain("b"));
}

TEST(NibbleCounting, ForgetsWhatItWasTold) {
    nibble_filter made(bits{1000}, hashes{4});
    made.insert("a");
    made.insert("a");
    made.insert("b");
    EXPECT_EQ(made.erase("a"), status::ok);
    EXPECT_TRUE(made.may_contain("a"));
    EXPECT_EQ(made.erase("a"), status::ok);
    EXPECT_FALSE(made.may_contain("a"));
    EXPECT_EQ(made.erase("a"), status::not_present);
    EXPECT_TRUE(made.may_contain("b"));
    EXPECT_EQ(made.erase("b"), status::ok);
    EXPECT_EQ(total_of(made), 0U);
    EXPECT_THROW(made.erase(""), no_place);
}

TEST(NibbleCounting, ACounterStaysAtFifteen) {
    nibble_filter made(bits{1000}, hashes{1});
    for (int i = 0; i < 20; ++i) made.insert("a");
    EXPECT_EQ(made.count("a"), 15U);
    EXPECT_EQ(made.stuck_counters(), 1U);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(made.erase("a"), status::saturated);
    EXPECT_EQ(made.count("a"), 15U);
    EXPECT_EQ(total_of(made), 15U);
}

TEST(NibbleCounting, ACounterThatTwoProbesShareCountsTwice) {
    nibble_filter made(bits{1}, hashes{3});
    made.insert("a");
    EXPECT_EQ(made.count("a"), 3U);
    EXPECT_EQ(made.erase("a"), status::ok);
    EXPECT_EQ(total_of(made), 0U);
}

TEST(NibbleCounting, CombinesBitByBit) {
    nibble_filter one(bits{1}, hashes{1});
    nibble_filter other = one;
    one.insert("a");
    for (int i = 0; i < 6; ++i) other.insert("a");
    nibble_filter both = one;
    both.merge(other);
    EXPECT_EQ(both.count("a"), 7U); // 1 | 6, no sum
    both = one;
    both.intersect(other);
    EXPECT_EQ(both.count("a"), 0U); // 1 & 6
    EXPECT_THROW(both.merge(nibble_filter(bits{2}, hashes{1})), incompatible);
    EXPECT_THROW(both.merge(std::vector<std::uint64_t>(2)), bad_argument);
}

TEST(NibbleCounting, StatisticsAreOfCountersThatAreNotZero) {
    nibble_filter made(bits{16}, hashes{16});
    EXPECT_EQ(made.stats().bits_set, 0U);
    for (int i = 0; i < 1000; ++i) made.insert("key " + std::to_string(i));
    EXPECT_EQ(made.stats().bits_set, 16U);
    EXPECT_EQ(made.stuck_counters(), 16U);
    EXPECT_EQ(made.stats().expected_rate, 1);
    made.clear();
    EXPECT_EQ(made.stats().bits_set, 0U);
    EXPECT_GT(made.rate_at(items{10}), 0);
}

TEST(NibbleCounting, RefusesWhatDoesNotFit) {
    EXPECT_THROW(nibble_filter(bits{0}, hashes{1}), bad_argument);
    EXPECT_THROW(nibble_filter(bits{10}, hashes{0}), bad_argument);
    EXPECT_THROW(nibble_filter(bits{10}, hashes{256}), bad_argument);
    EXPECT_THROW(nibble_filter(bits{17}, hashes{1}, storage::heap_words<>(1)), bad_argument);
    storage::heap_words<> past(1);
    past.data()[0] = std::uint64_t{1} << 40U;
    EXPECT_THROW(nibble_filter(bits{10}, hashes{1}, past), bad_argument);
    EXPECT_NO_THROW(nibble_filter(bits{11}, hashes{1}, past));
}

TEST(NibbleCounting, WorksBehindTheHandle) {
    any_filter one(std::in_place, nibble_filter(bits{100}, hashes{3}));
    const std::vector<std::string_view> keys{"a", "b", "a"};
    bitmap fresh;
    one.try_insert_many(keys, fresh);
    EXPECT_TRUE(fresh[0] && fresh[1] && !fresh[2]);
    any_filter other = one;
    other.insert_many(keys);
    EXPECT_EQ(other.get_if<nibble_filter>()->count("a"), 4U);
    one.merge(other);
    EXPECT_EQ(one.get_if<nibble_filter>()->count("a"), 6U); // 2 | 4
    bitmap maybe;
    one.may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.count(), 3U);
    EXPECT_EQ(one.spec().kind, filter_kind::counting);
    EXPECT_FALSE(one.hashes_ahead());
    one.clear();
    EXPECT_EQ(one.stats().bits_set, 0U);
}

} // namespace
} // namespace bloomery
