// Scalable filters and windows.
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>

#include <gtest/gtest.h>

#include <array>

using namespace bloomery;
using namespace bloomery::plan;

TEST(Scalable, CostsOfReachingAMillionKeys) {
    struct row {
        std::uint64_t first;
        std::uint32_t growth;
        double tightening;
        std::size_t layers;
        double density, compound;
    };
    constexpr std::array<row, 5> table{{{1000, 2, 0.5, 10, 22.6, 0.00996},
                                        {1000, 2, 0.85, 10, 16.2, 0.0080},
                                        {1000, 4, 0.8, 6, 15.1, 0.0074},
                                        {10'000, 2, 0.5, 7, 18.3, 0.0099},
                                        {100'000, 2, 0.5, 4, 14.3, 0.0093}}};
    for (const row& at : table) {
        const auto made = scalable_plan({1'000'000}, {0.01}, {at.first}, at.growth, at.tightening);
        EXPECT_EQ(made.layers.size(), at.layers);
        EXPECT_NEAR(made.bits_per_item, at.density, 0.06);
        EXPECT_NEAR(made.expected_rate, at.compound, 0.00006);
        EXPECT_LE(made.expected_rate, 0.01);
        EXPECT_GE(made.item_capacity, 1'000'000U);
        EXPECT_NEAR(scalable_rate({0.01}, at.tightening, static_cast<std::uint32_t>(at.layers)),
                    made.expected_rate, 2e-5);
    }
    EXPECT_NEAR(scalable_rate({0.01}, 0.5, 10), 0.00996, 0.000005);
}

TEST(Scalable, RefusesTheTrapOfEqualLayers) {
    EXPECT_THROW((void)scalable_plan({1000}, {0.01}, {100}, 1), bad_argument);
    EXPECT_THROW((void)scalable_plan({1000}, {0.01}, {0}), bad_argument);
    EXPECT_THROW((void)scalable_plan({1000}, {0.01}, {10}, 2, 1.0), bad_argument);
    EXPECT_THROW((void)scalable_plan({1000}, {0.01}, {1}, 2, 1e-9), bad_argument);
}

TEST(Window, BitsPerKeyOfTheWindow) {
    EXPECT_NEAR(window_plan({1'000'000}, {0.01}, 2).bits_per_item, 22.1, 0.06);
    EXPECT_NEAR(window_plan({1'000'000}, {0.01}, 8).bits_per_item, 15.9, 0.06);
    constexpr std::array<std::uint32_t, 4> generations{2, 4, 8, 16};
    constexpr std::array<double, 4> density{31.6, 23.0, 21.4, 21.5};
    for (std::size_t i = 0; i < generations.size(); ++i) {
        EXPECT_NEAR(window_plan({1'000'000}, {0.001}, generations[i]).bits_per_item, density[i],
                    0.08);
    }
}

TEST(Window, HoldsTheRateWithAllGenerationsFull) {
    const window_plan_t made = window_plan({1'000'000}, {0.01});
    EXPECT_EQ(made.items_per_generation, 142'858U);
    EXPECT_LE(made.expected_rate, 0.01 * (1 + 1e-12));
    EXPECT_GT(made.expected_rate, 0.0099);
    EXPECT_NEAR(static_cast<double>(made.byte_count) / 1e6, 2.0, 0.02);
    EXPECT_NEAR(static_cast<double>(window_plan({1'000'000}, {0.001}).byte_count) / 1e6, 2.7, 0.03);
    EXPECT_THROW((void)window_plan({1000}, {0.01}, 1), bad_argument);
    EXPECT_THROW((void)window_plan({0}, {0.01}), bad_argument);
}
