// The rate of a window whose generations are all full, and the memory that it takes.
//
// Tried by breaking the code: one probe less (fill), no clearing at a rotation (rate, memory of old
// keys), generations of half the keys (fill).
#include <bloomery/filter/window.hpp>

#include "rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace bloomery {
namespace {

constexpr std::uint64_t window = 700'000;
constexpr std::uint64_t window_rate_queries = 1'000'000;

struct window_rate_point {
    std::uint32_t generations;
    double p;
    double density; // bits per key of the window
};

class WindowRate : public ::testing::TestWithParam<window_rate_point> {};
INSTANTIATE_TEST_SUITE_P(Points, WindowRate,
                         ::testing::Values(window_rate_point{8, 0.01, 15.9},
                                           window_rate_point{8, 0.001, 21.4},
                                           window_rate_point{16, 0.01, 16.4},
                                           window_rate_point{16, 0.001, 21.5}));

TEST_P(WindowRate, IsTheOneAskedForWhenAllGenerationsAreFull) {
    const window_rate_point& at = GetParam();
    window_options options;
    options.generations = at.generations;
    window_filter f({window}, {at.p}, options);
    EXPECT_NEAR(testing::bits_per_key(f, window), at.density, 0.06);
    const std::uint64_t whole = at.generations * f.generation_capacity();
    std::uint64_t key = 0;
    std::uint64_t seen = 0;
    while (key < 3 * whole || f.generation_items() + 1 < f.generation_capacity()) {
        seen += f.try_insert(key++).fresh ? 0U : 1U;
    }
    EXPECT_EQ(testing::claimed(f, key - (whole - 2), whole - 2), whole - 2);
    // Each generation is a classic filter of its own.
    const plan::shape cells = f.spec().shape;
    const auto words = f.saved().arrays[0];
    for (std::uint32_t lane = 0; lane < at.generations; ++lane) {
        std::uint64_t ones = 0;
        for (const std::uint64_t word : words) {
            for (std::uint32_t bit = lane; bit < 64; bit += at.generations) {
                ones += word >> bit & 1;
            }
        }
        const auto keys = static_cast<double>(f.generation_capacity());
        // A few keys more than it counts: those that it falsely claimed.
        EXPECT_NEAR(static_cast<double>(ones),
                    plan::expected_fill(cells, keys) * static_cast<double>(cells.bit_count),
                    6.5 * plan::ones_deviation(cells, keys) + keys * at.p + 20);
    }
    const statistics now = f.stats();
    EXPECT_LE(now.expected_rate, at.p * 1.03);
    EXPECT_NEAR(now.expected_rate, f.rate_at({whole}), 0.2 * at.p);
    EXPECT_NEAR(now.items.items, static_cast<double>(whole - 1),
                6.5 * now.items.standard_error + 0.02 * static_cast<double>(whole));
    testing::expect_rate_of_state(f, window_rate_queries);
    // Keys that left the window are strangers, too.
    ASSERT_GE(key, whole + whole / 50 + window_rate_queries);
    const std::uint64_t old = testing::claimed(f, 0, window_rate_queries);
    const auto bounds = testing::binomial_bounds(window_rate_queries, now.expected_rate);
    EXPECT_TRUE(bounds.contain(old)) << old << ", expected " << bounds.low;
    EXPECT_LE(static_cast<double>(seen), testing::binomial_bounds(key, at.p).high);
}

} // namespace
} // namespace bloomery
