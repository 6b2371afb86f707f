// The d-left filter errs as often as it was made to, takes the memory that its tables promise, and
// keeps both while keys come and go.
//
// Bounds as in rate.cpp. What they catch, tried by breaking the code: tables that each draw their
// bucket instead of permuting one give keys two cells to match, and the churn loses keys.
#include <bloomery/filter/dleft.hpp>

#include "rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>

namespace bloomery {
namespace {

struct dleft_rate_point {
    double p;
    double bits_per_key;
    std::uint64_t queries;

    friend std::ostream& operator<<(std::ostream& out, const dleft_rate_point& at) {
        return out << at.p;
    }
};

class DLeftRate : public ::testing::TestWithParam<dleft_rate_point> {};
INSTANTIATE_TEST_SUITE_P(Rates, DLeftRate,
                         ::testing::Values(dleft_rate_point{0.03, 16.0, 400'000},
                                           dleft_rate_point{0.01, 18.667, 1'000'000},
                                           dleft_rate_point{0.001, 22.667, 4'000'000}));

TEST_P(DLeftRate, IsThatOfItsFingerprints) {
    const std::uint64_t n = 300'000;
    dleft_filter made(items{n}, rate{GetParam().p});
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_NE(made.try_insert(i).state, status::full);
    }
    const statistics now = made.stats();
    EXPECT_NEAR(testing::bits_per_key(made, n), GetParam().bits_per_key, 0.02);
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error + 1);
    EXPECT_LE(now.expected_rate, made.rate_at(items{n}) * 1.001);
    EXPECT_LE(now.expected_rate, GetParam().p);
    EXPECT_EQ(made.stash_size(), 0U);
    testing::expect_rate_of_state(made, GetParam().queries);
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_EQ(made.match_count(made.digest(i)), 1U);
    }
}

TEST(DLeftChurn, KeepsItsRateItsRoomAndItsKeys) {
    const std::uint64_t live = 100'000;
    dleft_filter made(items{live}, rate{0.01});
    testing::churn keys(made, live);
    for (int turn = 0; turn < 20; ++turn) {
        keys.turn_over();
        for (std::uint64_t key = keys.first; key < keys.first + live; ++key) {
            ASSERT_EQ(made.match_count(made.digest(key)), 1U) << key;
        }
    }
    EXPECT_NEAR(made.stats().expected_rate / made.rate_at(items{live}), 1, 0.01)
        << "but for a few counters that stay";
    testing::expect_rate_of_state(made, 1'000'000);
    EXPECT_EQ(made.stash_size(), 0U);
}

TEST(DLeftLoad, HasRoomForALittleMore) {
    const std::uint64_t n = 240'000;
    dleft_filter made(items{n}, rate{0.01});
    for (std::uint64_t i = 0; i < n * 64 / 60; ++i) { // 6.4 of 8 cells
        made.insert(i);
    }
    EXPECT_EQ(made.stash_size(), 0U);
    std::uint64_t taken = n * 64 / 60;
    while (made.try_insert(taken).state != status::full) {
        ++taken;
    }
    EXPECT_GT(taken, n * 70 / 60);
    EXPECT_LT(taken, n * 80 / 60);
}

} // namespace
} // namespace bloomery
