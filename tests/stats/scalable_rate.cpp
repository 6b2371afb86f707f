// The rate of a growing filter at every size, and what growing costs.
//
// Tried by breaking the code: layers without tightening (targets and queries fail), a layer that
// takes twice its keys (targets fail).
#include <bloomery/filter/scalable.hpp>

#include "rate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace bloomery {
namespace {

constexpr std::uint64_t most_keys = 1'000'000;
constexpr std::uint64_t queries = 400'000;

struct row {
    std::uint64_t first;
    double p;
    std::uint32_t growth;
    double tightening;
    std::size_t layers;
    double density, compound; // for a million keys; 0 where not published
};

constexpr std::array<row, 6> table{{{1000, 0.01, 2, 0.5, 10, 22.6, 0.00996},
                                    {1000, 0.01, 2, 0.85, 10, 16.2, 0.0080},
                                    {1000, 0.01, 4, 0.8, 6, 15.1, 0.0074},
                                    {10'000, 0.01, 2, 0.5, 7, 18.3, 0.0099},
                                    {100'000, 0.01, 2, 0.5, 4, 14.3, 0.0093},
                                    {10'000, 0.001, 2, 0.5, 7, 0, 0}}};

class ScalableRate : public ::testing::TestWithParam<row> {};
INSTANTIATE_TEST_SUITE_P(Table, ScalableRate, ::testing::ValuesIn(table));

TEST_P(ScalableRate, HoldsAtEveryBoundary) {
    const row& at = GetParam();
    scalable_options options;
    options.growth = at.growth;
    options.tightening = at.tightening;
    scalable_filter f({at.first}, {at.p}, options);
    std::uint64_t next = 0;
    std::size_t boundaries = 0;
    while (f.item_capacity() < most_keys || f.items_taken() < f.item_capacity()) {
        while (f.items_taken() < f.item_capacity()) {
            f.insert(next++);
        }
        ++boundaries;
        ASSERT_EQ(f.layer_count(), boundaries);
        const double now = f.stats().expected_rate;
        // The noise of the first layer, which errs the most; later ones are larger and stricter.
        EXPECT_LE(now, at.p * (1 + 6.5 * 0.04 * std::sqrt(1000.0 / static_cast<double>(at.first))));
        EXPECT_NEAR(now, f.rate_at({f.item_capacity()}), 0.1 * at.p);
        const std::uint64_t wrong = testing::expect_rate_of_state(f, queries);
        EXPECT_LE(static_cast<double>(wrong), testing::binomial_bounds(queries, at.p).high);
        if (f.item_capacity() < most_keys) {
            f.insert(next++);
            while (f.layer_count() == boundaries) {
                f.insert(next++); // a key that is falsely claimed does not make it grow
            }
        }
    }
    EXPECT_EQ(testing::claimed(f, 0, next), next);
    if (at.density != 0) {
        EXPECT_EQ(f.layer_count(), at.layers);
        EXPECT_NEAR(testing::bits_per_key(f, f.item_capacity()), at.density, 0.06);
        EXPECT_NEAR(f.stats().expected_rate, at.compound, 0.03 * at.compound);
    }
}

} // namespace
} // namespace bloomery
