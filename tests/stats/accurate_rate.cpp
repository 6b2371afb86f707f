// The accurate filter errs as often as it was made to, takes the memory that its tables promise,
// and keeps both while keys come and go.
//
// Bounds as in rate.cpp. What they catch, tried by breaking the code: a question that reads k - 1
// places errs more often than the bits say; bits inserted in the wrong order lose keys.
#include <bloomery/filter/accurate.hpp>

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

std::uint64_t wrong_answers(const accurate_filter& made, std::uint64_t queries) {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < queries; ++i) {
        wrong += made.may_contain(stranger(i)) ? 1U : 0U;
    }
    return wrong;
}

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
                                           point{0.01, 512, 19.5, 1'000'000},
                                           point{0.001, 512, 32.0, 4'000'000},
                                           point{0.01, 2048, 16.2, 1'000'000},
                                           point{0.001, 2048, 25.7, 4'000'000}));

TEST_P(AccurateRate, IsThatOfItsFirstLevel) {
    const std::uint64_t n = 300'000 / scale;
    const std::uint64_t queries = GetParam().queries / scale;
    accurate_filter made(items{n}, rate{GetParam().p}, {GetParam().block_bits, 0});
    for (std::uint64_t i = 0; i < n; ++i) {
        made.insert(i);
    }
    const double bits = 8.0 * static_cast<double>(made.byte_count()) / static_cast<double>(n);
    EXPECT_LE(bits, GetParam().bits_per_key + 0.06);
    EXPECT_GE(bits, GetParam().bits_per_key * 0.95);
    const statistics now = made.stats();
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error);
    EXPECT_LT(now.items.standard_error, 0.01 * static_cast<double>(n));
    // Blocks of unequal load: one standard deviation of the rate is 5 % for ten thousand keys.
    const double noise = 6.5 * 0.05 * std::sqrt(1e4 / static_cast<double>(n));
    EXPECT_LE(now.expected_fpp, GetParam().p * (1 + noise));
    EXPECT_LE(made.fpp_at(items{n}), GetParam().p);
    EXPECT_LE(made.frozen_blocks(), made.block_count() / 10'000 + 5);
    const auto bounds = testing::binomial_bounds(queries, now.expected_fpp);
    const std::uint64_t wrong = wrong_answers(made, queries);
    EXPECT_TRUE(bounds.contain(wrong))
        << wrong << ", expected " << bounds.low << " to " << bounds.high;
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_TRUE(made.may_contain(i));
    }
}

// Each turnover replaces every key, one at a time.
TEST(AccurateChurn, KeepsItsRateAndItsKeys) {
    const std::uint64_t live = 100'000 / scale;
    const std::uint64_t turnovers = 20;
    accurate_filter made(items{live}, rate{0.01});
    for (std::uint64_t i = 0; i < live; ++i) {
        made.insert(i);
    }
    for (std::uint64_t i = 0; i < turnovers * live; ++i) {
        ASSERT_NE(made.erase(i), status::not_present) << i;
        made.insert(i + live);
        if (i % live == 0) {
            for (std::uint64_t j = i + 1; j <= i + live; ++j) {
                ASSERT_TRUE(made.may_contain(j)) << j;
            }
        }
    }
    for (std::uint64_t j = turnovers * live; j < (turnovers + 1) * live; ++j) {
        ASSERT_TRUE(made.may_contain(j)) << j;
    }
    EXPECT_LE(made.frozen_blocks(), 8U);
    const double now = made.stats().expected_fpp;
    const double noise = 6.5 * 0.05 * std::sqrt(1e4 / static_cast<double>(live));
    const double frozen =
        static_cast<double>(made.frozen_blocks()) / static_cast<double>(made.block_count());
    EXPECT_LE(now, 0.01 * (1 + noise) + frozen);
    const std::uint64_t queries = 1'000'000 / scale;
    EXPECT_TRUE(testing::binomial_bounds(queries, now).contain(wrong_answers(made, queries)));
    for (std::uint64_t j = turnovers * live; j < (turnovers + 1) * live; ++j) {
        ASSERT_NE(made.erase(j), status::not_present);
    }
    if (made.frozen_blocks() == 0) {
        EXPECT_EQ(made.stats().bits_set, 0U);
    }
}

} // namespace
} // namespace bloomery
