#include <bloomery/detail/storage/dynamic_counters.hpp>
#include <bloomery/error.hpp>

#include "failing_allocator.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace bloomery::storage {
namespace {

template <class Counters>
void put(Counters& into, std::uint64_t at, std::uint64_t value) {
    const bool down = value < into[at];
    into.prepare({&at, 1}, {&value, 1});
    into.set(at, value);
    if (down) into.settle();
}

TEST(BitFields, HoldEveryValueInEveryWidth) {
    testing::random_source random(3);
    for (std::uint32_t width = 0; width <= 32; ++width) {
        for (const std::uint64_t count : {1U, 63U, 64U, 65U, 200U}) {
            bit_fields<> made(count, width);
            std::vector<std::uint64_t> expected(count);
            for (int step = 0; step < 1000; ++step) {
                const std::uint64_t at = random.below(count);
                expected[at] = random.next() & made.most();
                made.set(at, expected[at]);
            }
            for (std::uint64_t at = 0; at < count; ++at) ASSERT_EQ(made[at], expected[at]);
            ASSERT_EQ(made.byte_count(), (count * width + 63) / 64 * 8);
            bit_fields<> copy(count, width);
            copy.restore(made.words());
            for (std::uint64_t at = 0; at < count; ++at) ASSERT_EQ(copy[at], expected[at]);
        }
    }
}

TEST(BitFields, RefuseBitsPastTheEnd) {
    bit_fields<> made(10, 5); // 50 bits
    const std::vector<std::uint64_t> longer(2);
    EXPECT_THROW(made.restore(longer), bad_data);
    const std::vector<std::uint64_t> past{std::uint64_t{1} << 50};
    EXPECT_THROW(made.restore(past), bad_data);
    const std::vector<std::uint64_t> last{std::uint64_t{1} << 49};
    made.restore(last);
    EXPECT_EQ(made[9], 16U);
}

// Random steps up and down, so that the overflow part grows and shrinks again and again.
TEST(DynamicCounters, EqualPlainNumbersThroughEveryRebuild) {
    for (const dynamic_width width :
         {dynamic_width{1, 50}, dynamic_width{4, 50}, dynamic_width{4, 100}, dynamic_width{7, 1}}) {
        testing::random_source random(width.fixed_bits);
        constexpr std::uint64_t count = 50;
        dynamic_counters<> made(count, width);
        std::vector<std::uint64_t> expected(count);
        std::uint32_t widest = 0;
        for (int step = 0; step < 20'000; ++step) {
            const std::uint64_t at = random.below(count);
            const bool up = random.below(10) < (step / 2000 % 2 == 0 ? 7U : 2U);
            const std::uint64_t by = random.below(std::uint64_t{1} << random.below(20));
            expected[at] = up ? expected[at] + by : random.below(expected[at] + 1);
            put(made, at, expected[at]);
            ASSERT_EQ(made[at], expected[at]);
            const std::uint64_t over = std::ranges::max(expected) >> width.fixed_bits;
            ASSERT_GE(made.overflow_bits(), static_cast<std::uint32_t>(std::bit_width(over)));
            // What it holds on to is at most what the share allows.
            const std::uint32_t held = made.overflow_bits();
            ASSERT_TRUE(held == 0 ||
                        100 * over >= (std::uint64_t{width.shrink_percent} << (held - 1)))
                << held << " bits for " << over;
            widest = std::max(widest, held);
            for (std::uint64_t i = 0; step % 500 == 0 && i < count; ++i) {
                ASSERT_EQ(made[i], expected[i]);
            }
        }
        EXPECT_GT(widest, 5U);
        for (std::uint64_t at = 0; at < count; ++at) put(made, at, 0);
        EXPECT_EQ(made.overflow_bits(), 0U);
        EXPECT_GT(made.rebuild_count(), width.shrink_percent == 1 ? 5U : 20U)
            << width.fixed_bits << " " << width.shrink_percent;
    }
}

TEST(DynamicCounters, AreAsWideAsTheLargestAfterGrowth) {
    dynamic_counters<> made(10, {4, 50});
    std::uint64_t rebuilds = 0;
    for (std::uint64_t value = 0; value <= 5000; ++value) {
        put(made, 3, value);
        const auto bits = static_cast<std::uint32_t>(std::bit_width(value >> 4));
        ASSERT_EQ(made.overflow_bits(), bits) << value;
        rebuilds = bits; // one for each bit
        ASSERT_EQ(made.rebuild_count(), rebuilds);
    }
}

TEST(DynamicCounters, ShrinkLate) {
    dynamic_counters<> made(10, {4, 50});
    put(made, 3, 16 * 64); // 7 bits of overflow
    ASSERT_EQ(made.overflow_bits(), 7U);
    put(made, 3, 16 * 32); // L 2^6
    EXPECT_EQ(made.overflow_bits(), 7U);
    put(made, 3, 16 * 32 - 1);
    EXPECT_EQ(made.overflow_bits(), 6U);
    const std::uint64_t before = made.rebuild_count();
    for (std::uint64_t value = 16 * 31; value < 16 * 64; ++value) put(made, 3, value);
    EXPECT_EQ(made.rebuild_count(), before) << "room for twice as much";
    for (int turn = 0; turn < 20; ++turn) {
        put(made, 3, 16 * 64 - 1);
        put(made, 3, 16 * 64);
    }
    EXPECT_EQ(made.rebuild_count(), before + 1) << "a counter at the edge grows it once";
    dynamic_counters<> eager(10, {4, 100});
    for (int turn = 0; turn < 20; ++turn) {
        put(eager, 3, 16 * 64);
        put(eager, 3, 16 * 64 - 1);
    }
    EXPECT_EQ(eager.rebuild_count(), 40U) << "as the option says";
}

TEST(DynamicCounters, TheLastBitGoesWithTheLastOverflow) {
    dynamic_counters<> made(10, {4, 50});
    put(made, 1, 16);
    put(made, 2, 31);
    ASSERT_EQ(made.overflow_bits(), 1U);
    put(made, 1, 15);
    EXPECT_EQ(made.overflow_bits(), 1U);
    put(made, 2, 15);
    EXPECT_EQ(made.overflow_bits(), 0U);
    EXPECT_EQ(made.overflow().byte_count(), 0U);
}

TEST(DynamicCounters, StayWholeWithoutMemory) {
    dynamic_counters<testing::failing_allocator<std::uint64_t>> made(100, {4, 50});
    put(made, 7, 31);
    put(made, 9, 20);
    const auto expect_whole = [&](std::uint64_t seven) {
        EXPECT_EQ(made[7], seven);
        EXPECT_EQ(made[9], 20U);
        EXPECT_EQ(made[8], 0U);
    };
    {
        const testing::no_memory none;
        EXPECT_THROW(put(made, 7, 32), memory_refused);
        EXPECT_THROW(put(made, 8, 1'000'000), memory_refused);
        expect_whole(31);
        EXPECT_EQ(made.overflow_bits(), 1U);
        EXPECT_EQ(made.rebuild_count(), 1U);
    }
    put(made, 7, 16 * 64);
    ASSERT_EQ(made.overflow_bits(), 7U);
    {
        const testing::no_memory none;
        put(made, 7, 16 * 9); // would shrink, cannot, and counts on
        EXPECT_EQ(made.overflow_bits(), 7U);
        expect_whole(16 * 9);
        EXPECT_THROW(put(made, 8, 16 * 128), memory_refused);
        expect_whole(16 * 9);
    }
    made.settle();
    EXPECT_EQ(made.overflow_bits(), 5U) << "9 is not below half of 16";
    expect_whole(16 * 9);
}

TEST(DynamicCounters, AddUpToTheLimit) {
    dynamic_counters<> a(3, {4, 50});
    dynamic_counters<> b(3, {4, 50});
    EXPECT_EQ(a.limit(), (std::uint64_t{1} << 36) - 1);
    put(a, 0, 15);
    put(b, 0, 1);
    put(a, 1, a.limit());
    put(b, 1, 1);
    a.add(b);
    EXPECT_EQ(a[0], 16U);
    EXPECT_EQ(a[1], a.limit());
    EXPECT_EQ(a[2], 0U);
    EXPECT_EQ(a.overflow_bits(), 32U);
    b.add(b);
    EXPECT_EQ(b[0], 2U);
}

TEST(DynamicCounters, RefuseWidthsOutOfRange) {
    for (const dynamic_width width : {dynamic_width{0, 50}, dynamic_width{17, 50},
                                      dynamic_width{4, 0}, dynamic_width{4, 101}}) {
        EXPECT_THROW(dynamic_counters<>(10, width), bad_argument);
    }
}

} // namespace
} // namespace bloomery::storage
