// The rate of filters, from both sides, also while keys come and go: what tests/stats share.
#pragma once

#include <bloomery/detail/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/rates.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace bloomery::testing {

/// Absent keys lie in another range than the inserted ones: never equal, always similar.
inline std::uint64_t stranger(std::uint64_t i) { return (std::uint64_t{1} << 40) + i; }

/// How many of the keys [first, first + count) the filter claims to have.
template <class Filter>
std::uint64_t claimed(const Filter& made, std::uint64_t first, std::uint64_t count) {
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < count; ++i) found += made.may_contain(first + i) ? 1U : 0U;
    return found;
}

template <class Filter>
double bits_per_key(const Filter& made, std::uint64_t n) {
    return 8 * static_cast<double>(made.byte_count()) / static_cast<double>(n);
}

/// What chance does to the rate of n keys in blocks of unequal load: one standard deviation is
/// about 5 % of it at 10,000 keys and shrinks with the root.
inline double noise_of_blocks(std::uint64_t n) {
    return 6.5 * 0.05 * std::sqrt(10'000.0 / static_cast<double>(n));
}

/// The false positives among absent keys are as many as the filter's own state promises. Returns
/// how many there were.
template <class Filter>
std::uint64_t expect_rate_of_state(const Filter& made, std::uint64_t queries) {
    const std::uint64_t wrong = claimed(made, stranger(0), queries);
    const auto bounds = binomial_bounds(queries, made.stats().expected_rate);
    EXPECT_TRUE(bounds.contain(wrong))
        << wrong << " of " << queries << ", expected " << bounds.low << " to " << bounds.high;
    return wrong;
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
    EXPECT_LE(now.expected_rate, p * (1 + 6.5 * k * deviation / ones));
    EXPECT_LE(made.rate_at(items{n}), p);
    expect_rate_of_state(made, queries);
    EXPECT_EQ(claimed(made, 0, n), n);
}

/// Keys that come and go: those of [first, first + live) are in.
template <class Filter>
struct churn {
    churn(Filter& empty, std::uint64_t count) : made(empty), live(count) {
        for (std::uint64_t i = 0; i < live; ++i) made.insert(i);
    }
    /// One by one, by those from `next` on. No live key is ever denied.
    void replace(std::uint64_t next) {
        for (std::uint64_t i = 0; i < live; ++i) {
            const status done = made.erase(first + i);
            ASSERT_NE(done, status::not_present) << first + i;
            stuck += done == status::ok ? 0U : 1U;
            ASSERT_NE(made.try_insert(next + i).state, status::full) << next + i;
        }
        first = next;
        ASSERT_EQ(claimed(made, first, live), live);
    }
    void turn_over() { replace(first + live); }

    Filter& made;
    std::uint64_t live;
    std::uint64_t first = 0;
    std::uint64_t stuck = 0; ///< keys that met a counter that stays
};

/// After so many turnovers the rate is that of a filter that never saw the others.
template <class Filter>
void expect_churn(Filter& made, std::uint64_t live, int turnovers, std::uint64_t queries) {
    churn keys(made, live);
    const Filter fresh = made;
    for (int turn = 0; turn < turnovers; ++turn) keys.turn_over();
    // Two builds differ by chance; what piles up over the turnovers is far above that.
    const auto shape = made.spec().shape;
    const double noise = shape.hash_count * plan::ones_deviation(shape, static_cast<double>(live)) /
                         static_cast<double>(fresh.stats().bits_set);
    const double before = fresh.stats().expected_rate;
    EXPECT_NEAR(made.stats().expected_rate, before, 6.5 * std::sqrt(2.0) * noise * before);
    expect_rate_of_state(made, queries);
    keys.replace(0);
    EXPECT_EQ(made, fresh) << "nothing of the others is left";
    EXPECT_EQ(keys.stuck, 0U);
}

} // namespace bloomery::testing
