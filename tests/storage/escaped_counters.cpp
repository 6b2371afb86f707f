#include <bloomery/detail/storage/escaped_counters.hpp>
#include <bloomery/error.hpp>

#include "failing_allocator.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace bloomery::storage {
namespace {

template <class Counters>
void escaped_counters_put(Counters& into, std::uint64_t at, std::uint64_t value) {
    into.prepare({&at, 1}, {&value, 1});
    into.set(at, value);
}

class EscapedCounters : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Widths, EscapedCounters, ::testing::Values(4, 8, 16, 32));

// Values around the edge, where a counter moves to the map and back.
TEST_P(EscapedCounters, HoldEveryValue) {
    constexpr std::uint64_t count = 333;
    const std::uint64_t edge = (std::uint64_t{1} << GetParam()) - 1;
    testing::random_source random(GetParam());
    escaped_counters<> made(count, GetParam());
    std::vector<std::uint64_t> expected(count);
    for (int step = 0; step < 50'000; ++step) {
        const std::uint64_t at = random.below(count);
        const std::array<std::uint64_t, 7> usual{
            0, 1, edge - 1, edge, edge + 1, random.next(), escaped_counters<>::limit()};
        expected[at] = usual[random.below(usual.size())];
        escaped_counters_put(made, at, expected[at]);
    }
    std::uint64_t used = 0;
    std::uint64_t escaped = 0;
    for (std::uint64_t at = 0; at < count; ++at) {
        ASSERT_EQ(made[at], expected[at]) << at;
        used += expected[at] != 0 ? 1U : 0U;
        escaped += expected[at] >= edge ? 1U : 0U;
    }
    EXPECT_EQ(made.used(), used);
    EXPECT_EQ(made.escaped(), escaped);
    EXPECT_EQ(made.large().size(), escaped);
    escaped_counters<> doubled = made;
    doubled.add(made);
    doubled.add(escaped_counters<>(count, GetParam()));
    for (std::uint64_t at = 0; at < count; ++at) {
        const bool over = expected[at] > escaped_counters<>::limit() / 2;
        ASSERT_EQ(doubled[at], over ? escaped_counters<>::limit() : 2 * expected[at]);
    }
    made.clear();
    EXPECT_EQ(made.used(), 0U);
    EXPECT_EQ(made.large().size(), 0U);
}

TEST(EscapedCounters, RefuseOddWidths) {
    for (const std::uint32_t width : {0U, 1U, 3U, 5U, 64U}) {
        EXPECT_THROW(escaped_counters<>(10, width), bad_argument) << width;
    }
}

TEST(EscapedCounters, StayWholeWithoutMemory) {
    escaped_counters<testing::failing_allocator<std::uint64_t>> made(100, 8);
    escaped_counters_put(made, 7, 254);
    {
        const testing::no_memory none;
        EXPECT_THROW(escaped_counters_put(made, 7, 255), memory_refused);
        EXPECT_THROW(made.add(made), memory_refused);
        EXPECT_EQ(made[7], 254U);
        EXPECT_EQ(made.escaped(), 0U);
    }
    escaped_counters_put(made, 7, 255);
    EXPECT_EQ(made[7], 255U);
}

} // namespace
} // namespace bloomery::storage
