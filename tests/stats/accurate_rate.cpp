// The accurate filter errs as often as it was made to, takes the memory that its tables promise,
// and keeps both while keys come and go.
//
// Bounds as in rate.cpp. What they catch, tried by breaking the code: a question that reads k - 1
// places errs more often than the bits say; bits inserted in the wrong order lose keys.
#include <bloomery/filter/accurate.hpp>

#include "rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>

namespace bloomery {
namespace {

struct point {
    double p;
    std::uint32_t block_bits;
    double bits_per_key;
    std::uint64_t queries;

    friend std::ostream& operator<<(std::ostream& out, const point& at) {
        return out << at.p << " in blocks of " << at.block_bits;
    }
};

class AccurateRate : public ::testing::TestWithParam<point> {};
INSTANTIATE_TEST_SUITE_P(Rates, AccurateRate,
                         ::testing::Values(point{0.03, 512, 14.6, 400'000},
                                           point{0.01, 512, 19.4, 1'000'000},
                                           point{0.001, 512, 32.0, 4'000'000},
                                           point{0.01, 2048, 16.2, 1'000'000},
                                           point{0.001, 2048, 25.7, 4'000'000}));

TEST_P(AccurateRate, IsThatOfItsFirstLevel) {
    const std::uint64_t n = 300'000;
    accurate_filter made(items{n}, rate{GetParam().p}, {GetParam().block_bits, 0});
    for (std::uint64_t i = 0; i < n; ++i) made.insert(i);
    EXPECT_LE(testing::bits_per_key(made, n), GetParam().bits_per_key + 0.06);
    EXPECT_GE(testing::bits_per_key(made, n), GetParam().bits_per_key * 0.95);
    const statistics now = made.stats();
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error);
    EXPECT_LT(now.items.standard_error, 0.01 * static_cast<double>(n));
    EXPECT_LE(now.expected_rate, GetParam().p * (1 + testing::noise_of_blocks(n)));
    EXPECT_LE(made.rate_at(items{n}), GetParam().p);
    EXPECT_LE(made.frozen_blocks(), made.block_count() / 10'000 + 5);
    testing::expect_rate_of_state(made, GetParam().queries);
    EXPECT_EQ(testing::claimed(made, 0, n), n);
}

TEST(AccurateChurn, KeepsItsRateAndItsKeys) {
    const std::uint64_t live = 100'000;
    accurate_filter made(items{live}, rate{0.01});
    testing::churn keys(made, live);
    for (int turn = 0; turn < 20; ++turn) keys.turn_over();
    EXPECT_LE(made.frozen_blocks(), 8U);
    const double frozen =
        static_cast<double>(made.frozen_blocks()) / static_cast<double>(made.block_count());
    EXPECT_LE(made.stats().expected_rate, 0.01 * (1 + testing::noise_of_blocks(live)) + frozen);
    testing::expect_rate_of_state(made, 1'000'000);
    for (std::uint64_t i = 0; i < live; ++i) {
        ASSERT_NE(made.erase(keys.first + i), status::not_present);
    }
    if (made.frozen_blocks() == 0) {
        EXPECT_EQ(made.stats().bits_set, 0U);
    }
}

} // namespace
} // namespace bloomery
