// The rate of filters that count, from both sides: as tests/stats/rate.cpp does for plain ones.
#pragma once

#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/quantity.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace bloomery::testing {

inline std::uint64_t stranger(std::uint64_t i) { return (std::uint64_t{1} << 40) + i; }

/// The false positives among absent keys are as many as the filter's own state promises.
template <class Filter>
void expect_rate_of_state(const Filter& made, std::uint64_t queries) {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < queries; ++i) wrong += made.may_contain(stranger(i)) ? 1U : 0U;
    const auto bounds = binomial_bounds(queries, made.stats().expected_fpp);
    EXPECT_TRUE(bounds.contain(wrong))
        << wrong << " of " << queries << ", expected " << bounds.low << " to " << bounds.high;
}

/// A filter with the keys [0, n), each once: fill, queries and target of tests/stats/rate.cpp.
template <class Filter>
void expect_rate(const Filter& made, std::uint64_t n, double p, std::uint64_t queries) {
    const auto shape = made.spec().shape;
    const double k = shape.hash_count;
    const auto now = made.stats();
    const auto ones = static_cast<double>(now.bits_set);
    const double deviation = plan::ones_deviation(shape, static_cast<double>(n));
    const auto m = static_cast<double>(shape.bit_count);
    EXPECT_NEAR(ones, m * plan::expected_fill(shape, static_cast<double>(n)), 6.5 * deviation + 1);
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error + 1);
    EXPECT_LE(now.expected_fpp, p * (1 + 6.5 * k * deviation / ones));
    EXPECT_LE(made.fpp_at(items{n}), p);
    expect_rate_of_state(made, queries);
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(made.may_contain(i)) << i;
}

/// Replaces all of `live` keys, one by one, so many times. No live key is ever denied, and the rate
/// is that of a filter that never saw the others.
template <class Filter>
void expect_churn(Filter& made, std::uint64_t live, std::uint64_t turnovers,
                  std::uint64_t queries) {
    for (std::uint64_t key = 0; key < live; ++key) made.insert(key);
    const Filter fresh = made;
    for (std::uint64_t turn = 1; turn <= turnovers; ++turn) {
        for (std::uint64_t i = 0; i < live; ++i) {
            ASSERT_EQ(made.erase((turn - 1) * live + i), status::ok);
            made.insert(turn * live + i);
        }
        std::uint64_t denied = 0;
        for (std::uint64_t i = 0; i < live; ++i) {
            denied += made.may_contain(turn * live + i) ? 0U : 1U;
        }
        ASSERT_EQ(denied, 0U) << "turnover " << turn;
    }
    // Two builds differ by chance; what piles up over the turnovers is far above that.
    const auto shape = made.spec().shape;
    const double noise = shape.hash_count * plan::ones_deviation(shape, static_cast<double>(live)) /
                         static_cast<double>(fresh.stats().bits_set);
    const double before = fresh.stats().expected_fpp;
    EXPECT_NEAR(made.stats().expected_fpp, before, 6.5 * std::sqrt(2.0) * noise * before);
    expect_rate_of_state(made, queries);
    // Back to the first keys: nothing of the others is left.
    for (std::uint64_t i = 0; i < live; ++i) {
        made.erase(turnovers * live + i);
        made.insert(i);
    }
    EXPECT_EQ(made, fresh);
}

} // namespace bloomery::testing
