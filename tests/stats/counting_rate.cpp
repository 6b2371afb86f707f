// The counting filter keeps the requested rate, even while its keys come and go.
//
// As rate.cpp: fill within 6.5 standard deviations, and false positives as the counters say, with
// bounds that chance crosses less than once in 1e9.
//
// What they catch, each tried by breaking the code:
//   one counter of a key too few                         rate, churn
//   a rate that takes all words of a line for a key's    rate
//   an erase that is refused halfway and not undone      strangers
//   stuck counters that go down                          churn of two bits
#include <bloomery/filter/counting.hpp>

#include "rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <ostream>
#include <vector>

namespace bloomery {
namespace {

struct counting_rate_point {
    counting_options options;
    double p;
    double bits_per_key; ///< at a million keys

    friend std::ostream& operator<<(std::ostream& out, const counting_rate_point& at) {
        return out << at.options.counter_bits << " bits, "
                   << (at.options.layout == counter_layout::flat ? "flat" : "blocked") << ", "
                   << at.p;
    }
};

constexpr counter_layout flat = counter_layout::flat;
constexpr counter_layout counting_rate_blocked = counter_layout::blocked;

class CountingRate : public ::testing::TestWithParam<counting_rate_point> {};
INSTANTIATE_TEST_SUITE_P(
    Grid, CountingRate,
    ::testing::Values(counting_rate_point{{4, flat}, 0.01, 38.37},
                      counting_rate_point{{4, flat}, 0.001, 57.51},
                      counting_rate_point{{3, flat}, 0.01, 29.23},
                      counting_rate_point{{2, flat}, 0.01, 19.19},
                      counting_rate_point{{8, flat}, 0.01, 76.74},
                      counting_rate_point{{4, counting_rate_blocked}, 0.03, 31.60},
                      counting_rate_point{{4, counting_rate_blocked}, 0.01, 43.72},
                      counting_rate_point{{4, counting_rate_blocked}, 0.001, 77.58},
                      counting_rate_point{{2, counting_rate_blocked}, 0.01, 20.52},
                      counting_rate_point{{8, counting_rate_blocked}, 0.01, 99.04}));

TEST_P(CountingRate, IsTheOneThatWasAskedFor) {
    const std::uint64_t n = 200'000;
    counting_filter f(items{n}, rate{GetParam().p}, GetParam().options);
    EXPECT_NEAR(testing::bits_per_key(f, n), GetParam().bits_per_key, 0.03);
    std::vector<std::uint64_t> keys(n);
    std::iota(keys.begin(), keys.end(), 0);
    f.insert_many(keys);
    const statistics now = f.stats();
    // Fill: the estimate inverts its expectation, and knows its own error.
    EXPECT_NEAR(now.items.items, static_cast<double>(n), 6.5 * now.items.standard_error);
    EXPECT_LT(now.items.standard_error, 0.003 * static_cast<double>(n));
    // Target, within the noise of a build: lines differ in their loads.
    const double noise = GetParam().options.layout == flat ? 0.01 : 0.08;
    EXPECT_LE(now.expected_rate, GetParam().p * (1 + noise));
    EXPECT_GE(now.expected_rate, GetParam().p * (1 - noise));
    EXPECT_LE(f.rate_at(items{n}), GetParam().p);
    testing::expect_rate_of_state(f, 1'000'000);
    EXPECT_EQ(testing::claimed(f, 0, n), n);
}

constexpr std::uint64_t live = 100'000;
constexpr int turnovers = 20;

TEST(CountingChurn, FourBitsKeepTheRateForGood) {
    for (const counter_layout where : {flat, counting_rate_blocked}) {
        counting_filter f(items{live}, rate{0.01}, {4, where});
        testing::churn keys(f, live);
        for (int turn = 0; turn < turnovers; ++turn) {
            keys.turn_over();
            EXPECT_EQ(f.stuck_counters(), 0U);
            EXPECT_EQ(f.tally().sum, live * f.hash_count());
            EXPECT_NEAR(f.stats().expected_rate, 0.01, 0.0006);
        }
        // The counters remember nothing: a new filter of the live keys is the same.
        counting_filter fresh(items{live}, rate{0.01}, {4, where});
        for (std::uint64_t i = 0; i < live; ++i) fresh.insert(keys.first + i);
        EXPECT_EQ(f, fresh);
        testing::expect_rate_of_state(f, 400'000);
    }
}

TEST(CountingChurn, ThreeBitsLoseAFewCountersAndTwoBitsMost) {
    counting_filter three(items{live}, rate{0.01}, {3, flat});
    counting_filter two(items{live}, rate{0.01}, {2, flat});
    testing::churn in_three(three, live);
    testing::churn in_two(two, live);
    double after_one = 0;
    for (int turn = 0; turn < turnovers; ++turn) {
        in_three.turn_over();
        in_two.turn_over();
        if (turn == 0) after_one = two.stats().expected_rate;
    }
    const auto stuck = [](const counting_filter& of) {
        return static_cast<double>(of.stuck_counters()) / static_cast<double>(of.bit_count());
    };
    EXPECT_NEAR(three.stats().expected_rate, 0.0103, 0.0007);
    EXPECT_LT(stuck(three), 0.003);
    EXPECT_NEAR(after_one, 0.013, 0.003);
    EXPECT_NEAR(stuck(two), 0.81, 0.03);
    EXPECT_NEAR(two.stats().expected_rate, 0.48, 0.05);
}

// Why only keys that are in may be erased.
TEST(CountingErase, OfStrangersDeniesMembers) {
    counting_filter f(items{live}, rate{0.01});
    for (std::uint64_t i = 0; i < live; ++i) f.insert(i);
    std::uint64_t passed = 0;
    for (std::uint64_t i = 0; i < live; ++i) {
        passed += f.erase(testing::stranger(i)) != status::not_present ? 1U : 0U;
    }
    const std::uint64_t denied = live - testing::claimed(f, 0, live);
    EXPECT_TRUE(testing::binomial_bounds(live, 0.0095).contain(passed)) << passed;
    EXPECT_NEAR(static_cast<double>(denied), 0.0446 * static_cast<double>(live),
                0.01 * static_cast<double>(live));
}

// A million keys at 1 %: the numbers that Fan et al. promise.
TEST(CountingLoad, NeedsFourBitsAndNoMore) {
    counting_filter f(items{1'000'000}, rate{0.01});
    for (std::uint64_t i = 0; i < 1'000'000; ++i) f.insert(i);
    EXPECT_NEAR(static_cast<double>(f.byte_count()) / 1e6, 4.79, 0.01);
    std::vector<std::uint64_t> at_least(17, 0);
    const saved_words saved = f.saved();
    for (const std::uint64_t word : saved.arrays.at(0)) {
        for (unsigned up = 0; up < 64; up += 4) {
            for (std::uint64_t v = word >> up & 15; v > 0; --v) ++at_least[v];
        }
    }
    EXPECT_NEAR(static_cast<double>(at_least[4]), 63'964, 6.5 * 253 * 2);
    EXPECT_NEAR(static_cast<double>(at_least[8]), 10, 25);
    EXPECT_LT(f.tally().largest, 12U);
    EXPECT_EQ(f.stuck_counters(), 0U);
}

} // namespace
} // namespace bloomery
