// The rate of a window whose generations are all full, and the memory that it takes.
//
// Tried by breaking the code: one probe less (fill), no clearing at a rotation (rate, memory of old
// keys), generations of half the keys (fill).
#include <bloomery/filter/window.hpp>
#include <bloomery/plan/estimate.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bloomery {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t window = 20'000;
constexpr std::uint64_t queries = 100'000;
#else
constexpr std::uint64_t window = 700'000;
constexpr std::uint64_t queries = 1'000'000;
#endif

std::uint64_t stranger(std::uint64_t i) { return (std::uint64_t{1} << 40) + i; }

struct point {
    std::uint32_t generations;
    double p;
    double density; // bits per key of the window
};

class WindowRate : public ::testing::TestWithParam<point> {};
INSTANTIATE_TEST_SUITE_P(Points, WindowRate,
                         ::testing::Values(point{8, 0.01, 15.9}, point{8, 0.001, 21.4},
                                           point{16, 0.01, 16.4}, point{16, 0.001, 21.5}));

TEST_P(WindowRate, IsTheOneAskedForWhenAllGenerationsAreFull) {
    const point& at = GetParam();
    window_options options;
    options.generations = at.generations;
    window_filter f({window}, {at.p}, options);
    EXPECT_NEAR(8 * static_cast<double>(f.byte_count()) / static_cast<double>(window), at.density,
                0.06);
    const std::uint64_t whole = at.generations * f.generation_capacity();
    std::uint64_t key = 0;
    std::uint64_t seen = 0;
    while (key < 3 * whole || f.generation_items() + 1 < f.generation_capacity()) {
        seen += f.insert(key++).fresh ? 0U : 1U;
    }
    for (std::uint64_t back = 1; back < whole - 1; ++back) {
        ASSERT_TRUE(f.may_contain(key - back)) << back;
    }
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
    EXPECT_LE(now.expected_fpp, at.p * (window < 100'000 ? 1.2 : 1.03));
    EXPECT_NEAR(now.expected_fpp, f.fpp_at({whole}), 0.2 * at.p);
    EXPECT_NEAR(now.items.items, static_cast<double>(whole - 1),
                6.5 * now.items.standard_error + 0.02 * static_cast<double>(whole));
    std::uint64_t wrong = 0;
    std::uint64_t old = 0;
    const std::uint64_t gone = key - whole - static_cast<std::uint64_t>(0.02 * double(whole));
    for (std::uint64_t i = 0; i < queries; ++i) {
        wrong += f.may_contain(stranger(i)) ? 1U : 0U;
        old += f.may_contain(i % gone) ? 1U : 0U;
    }
    const auto bounds = testing::binomial_bounds(queries, now.expected_fpp);
    EXPECT_TRUE(bounds.contain(wrong)) << wrong << ", expected " << bounds.low;
    if (gone >= queries) {
        EXPECT_TRUE(bounds.contain(old)) << old << ", expected " << bounds.low;
    }
    EXPECT_LE(static_cast<double>(seen), testing::binomial_bounds(key, at.p).high);
}

} // namespace
} // namespace bloomery
