// The d-left filter errs as often as it was made to, takes the memory that its tables promise, and
// keeps both while keys come and go.
//
// Bounds as in rate.cpp. What they catch, tried by breaking the code: tables that each draw their
// bucket instead of permuting one give keys two cells to match, and the churn loses keys.
#include <bloomery/filter/dleft.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ostream>

namespace bloomery {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t scale = 8;
#else
constexpr std::uint64_t scale = 1;
#endif

std::uint64_t stranger(std::uint64_t i) { return (std::uint64_t{1} << 40) + i; }

std::uint64_t wrong_answers(const dleft_filter& made, std::uint64_t queries) {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < queries; ++i) {
        wrong += made.may_contain(stranger(i)) ? 1U : 0U;
    }
    return wrong;
}

struct point {
    double p;
    double bits_per_key;
    std::uint64_t queries;

    friend std::ostream& operator<<(std::ostream& out, const point& at) { return out << at.p; }
};

class DLeftRate : public ::testing::TestWithParam<point> {};
INSTANTIATE_TEST_SUITE_P(Rates, DLeftRate,
                         ::testing::Values(point{0.03, 16.0, 400'000},
                                           point{0.01, 18.667, 1'000'000},
                                           point{0.001, 22.667, 4'000'000}));

TEST_P(DLeftRate, IsThatOfItsFingerprints) {
    const std::uint64_t n = 300'000 / scale;
    const std::uint64_t queries = GetParam().queries / scale;
    dleft_filter made(items{n}, rate{GetParam().p});
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_NE(made.insert(i).state, status::full);
    }
    const statistics now = made.stats();
    EXPECT_NEAR(8.0 * static_cast<double>(made.byte_count()) / static_cast<double>(n),
                GetParam().bits_per_key, 0.02);
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error + 1);
    EXPECT_LE(now.expected_fpp, made.fpp_at(items{n}) * 1.001);
    EXPECT_LE(now.expected_fpp, GetParam().p);
    EXPECT_EQ(made.stash_size(), 0U);
    const auto bounds = testing::binomial_bounds(queries, now.expected_fpp);
    const std::uint64_t wrong = wrong_answers(made, queries);
    EXPECT_TRUE(bounds.contain(wrong))
        << wrong << ", expected " << bounds.low << " to " << bounds.high;
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_EQ(made.match_count(made.digest(i)), 1U);
    }
}

// Each turnover replaces every key, one at a time.
TEST(DLeftChurn, KeepsItsRateItsRoomAndItsKeys) {
    const std::uint64_t live = 100'000 / scale;
    const std::uint64_t turnovers = 20;
    dleft_filter made(items{live}, rate{0.01});
    for (std::uint64_t i = 0; i < live; ++i) {
        made.insert(i);
    }
    for (std::uint64_t i = 0; i < turnovers * live; ++i) {
        ASSERT_NE(made.erase(i), status::not_present) << i;
        ASSERT_NE(made.insert(i + live).state, status::full);
        if (i % live == 0) {
            for (std::uint64_t j = i + 1; j <= i + live; ++j) {
                ASSERT_EQ(made.match_count(made.digest(j)), 1U) << j;
            }
        }
    }
    for (std::uint64_t j = turnovers * live; j < (turnovers + 1) * live; ++j) {
        ASSERT_TRUE(made.may_contain(j)) << j;
    }
    const double now = made.stats().expected_fpp;
    EXPECT_NEAR(now / made.fpp_at(items{live}), 1, 0.01) << "but for a few counters that stay";
    const std::uint64_t queries = 1'000'000 / scale;
    EXPECT_TRUE(testing::binomial_bounds(queries, now).contain(wrong_answers(made, queries)));
    EXPECT_EQ(made.stash_size(), 0U);
}

TEST(DLeftLoad, HasRoomForALittleMore) {
    const std::uint64_t n = 240'000 / scale;
    dleft_filter made(items{n}, rate{0.01});
    for (std::uint64_t i = 0; i < n * 64 / 60; ++i) { // 6.4 of 8 cells
        made.insert(i);
    }
    EXPECT_EQ(made.stash_size(), 0U);
    std::uint64_t taken = n * 64 / 60;
    while (made.insert(taken).state != status::full) {
        ++taken;
    }
    EXPECT_GT(taken, n * 70 / 60);
    EXPECT_LT(taken, n * 80 / 60);
}

} // namespace
} // namespace bloomery
