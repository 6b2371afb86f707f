// Which layout the planner chooses by default.
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

namespace bloomery::plan {
namespace {

TEST(Choose, TakesTheFastestThatDoesNotWaste) {
    const items million{1'000'000};
    EXPECT_EQ(choose(million, rate{0.1}).layout, layout_kind::blocked_512);
    EXPECT_EQ(choose(million, rate{0.01}).layout, layout_kind::split_8x64);
    EXPECT_EQ(choose(million, rate{1e-3}).layout, layout_kind::split_8x64);
    EXPECT_EQ(choose(million, rate{1e-6}).layout, layout_kind::split_16x32);
    EXPECT_EQ(choose(million, rate{1e-9}).layout, layout_kind::classic);
    EXPECT_EQ(choose(items{10}, rate{1e-9}).layout, layout_kind::split_16x32) << "a few bytes";
}

TEST(Choose, HoldsTheRateAndWastesAtMostHalf) {
    for (const std::uint64_t n : {1U, 10U, 1000U, 100'000U, 10'000'000U}) {
        for (const double p : {0.5, 0.1, 0.01, 1e-3, 1e-5, 1e-7, 1e-12}) {
            const shape made = choose(items{n}, rate{p});
            EXPECT_LE(expected_rate(made, static_cast<double>(n)), p);
            const shape least = for_rate(items{n}, rate{p}, layout_kind::classic);
            EXPECT_LE(made.byte_count(),
                      std::max<std::uint64_t>(4096, least.byte_count() * 3 / 2 + 64))
                << n << " at " << p;
        }
    }
}

TEST(Choose, TakesTheClassicLayoutWhereBlocksCannotReachTheRate) {
    EXPECT_EQ(choose(items{1'000'000}, rate{1e-25}).layout, layout_kind::classic);
    EXPECT_EQ(choose(items{1'000'000'000'000}, rate{1e-20}).layout, layout_kind::classic);
    EXPECT_THROW(static_cast<void>(choose(items{0}, rate{0.01})), bad_argument);
    EXPECT_THROW(static_cast<void>(choose(items{1}, rate{0})), bad_argument);
}

TEST(Choose, SharesMemoryAsItWouldForTheRate) {
    const items million{1'000'000};
    EXPECT_EQ(choose(bytes{1'300'000}, million).layout, layout_kind::split_8x64);
    EXPECT_EQ(choose(bytes{3'500'000}, million).layout, layout_kind::split_16x32);
    EXPECT_EQ(choose(bytes{16}, items{3}).layout, layout_kind::classic) << "no block fits";
    EXPECT_EQ(choose(bytes{64}, million).layout, layout_kind::blocked_512);
    EXPECT_EQ(choose(bytes{1 << 20}, items{1}).layout, layout_kind::classic);
    EXPECT_LE(choose(bytes{1'300'000}, million).byte_count(), 1'300'000U);
}

} // namespace
} // namespace bloomery::plan
