// A filter has the requested rate, neither higher nor lower, at every size.
//
// For each (n, p) three claims, with bounds that chance crosses less than once in 1e9 runs (and the
// keys are fixed, so a run that passed passes always):
//   fill     the number of ones is that of nk independent draws, within 6.5 standard deviations
//   queries  the false positives among N absent keys are Binomial(N, rate computed from the bits)
//   target   the rate computed from the bits is at most the one asked for, plus the noise of a
//   build
//
// What they catch, each tried by breaking the code (numbers of failing points out of 12):
//   one probe too few (k - 1)                        fill 8, queries 11
//   every probe at the same place (a step of 1)      fill 10, queries 12
//   half of the array used (fastrange over m / 2)    fill 9, queries 12
//   32 bits of hash instead of 64                    queries 2: those at a million keys and at 1e-5
//   integers hashed by identity                      fill 5, queries 7
//   the textbook size with a rounded k               target 12
#include "rate.hpp"

#include <bloomery/filter/filter.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>

namespace bloomery {
namespace {

struct rate_point {
    std::uint64_t n;
    double p;
    std::uint64_t queries;
    bool text = false;

    friend std::ostream& operator<<(std::ostream& out, const rate_point& at) {
        return out << at.n << " keys at " << at.p << (at.text ? ", text" : ", integers");
    }
};

using testing::stranger;

std::uint64_t member(std::uint64_t i) { return i; }
std::string as_text(std::uint64_t i) { return "https://example.org/item/" + std::to_string(i); }

void insert(classic_filter& f, std::uint64_t key, bool text) {
    text ? f.insert(as_text(key)) : f.insert(key);
}
bool ask(const classic_filter& f, std::uint64_t key, bool text) {
    return text ? f.may_contain(as_text(key)) : f.may_contain(key);
}

class Rate : public ::testing::TestWithParam<rate_point> {
protected:
    Rate() : made(items{GetParam().n}, rate{GetParam().p}) {
        for (std::uint64_t i = 0; i < GetParam().n; ++i) {
            insert(made, member(i), GetParam().text);
        }
        m = static_cast<double>(made.bit_count());
        k = made.hash_count();
        ones = static_cast<double>(made.stats().bits_set);
        const double load = k * static_cast<double>(GetParam().n) / m;
        deviation = std::sqrt(m * std::exp(-load) * (1 - (1 + load) * std::exp(-load)));
    }

    classic_filter made;
    double m, k, ones, deviation;
};

INSTANTIATE_TEST_SUITE_P(
    Grid, Rate,
    ::testing::Values(rate_point{1, 0.1, 100'000}, rate_point{1, 1e-3, 1'000'000},
                      rate_point{10, 0.01, 400'000}, rate_point{100, 0.01, 400'000},
                      rate_point{1000, 0.01, 1'000'000}, rate_point{1000, 1e-4, 4'000'000},
                      rate_point{10'000, 0.03, 400'000, true},
                      rate_point{10'000, 1e-3, 2'000'000, true},
                      rate_point{100'000, 0.01, 1'000'000}, rate_point{100'000, 1e-5, 4'000'000},
                      rate_point{1'000'000, 0.01, 1'000'000},
                      rate_point{1'000'000, 1e-3, 1'000'000, true}));

TEST_P(Rate, FillIsThatOfIndependentDraws) {
    const double expected =
        -m * std::expm1(k * static_cast<double>(GetParam().n) * std::log1p(-1 / m));
    EXPECT_NEAR(ones, expected, 6.5 * deviation + 1);
}

TEST_P(Rate, FalsePositivesComeAtTheRateOfTheBits) {
    const double now = made.expected_rate();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < GetParam().queries; ++i) {
        wrong += ask(made, stranger(i), GetParam().text) ? 1U : 0U;
    }
    const auto bounds = testing::binomial_bounds(GetParam().queries, now);
    EXPECT_TRUE(bounds.contain(wrong)) << wrong << " of " << GetParam().queries << ", expected "
                                       << bounds.low << " to " << bounds.high;
}

TEST_P(Rate, TheBitsPromiseWhatWasAskedFor) {
    const double noise = 6.5 * k * deviation / ones;
    EXPECT_LE(made.expected_rate(), GetParam().p * (1 + noise));
    EXPECT_LE(made.rate_at(items{GetParam().n}), GetParam().p);
}

TEST_P(Rate, NoMemberIsEverMissed) {
    for (std::uint64_t i = 0; i < GetParam().n; ++i) {
        ASSERT_TRUE(ask(made, member(i), GetParam().text)) << i;
    }
}

// Among a thousand filters of one key the chance is in the build, so it is averaged over builds.
TEST(RateOfManyBuilds, HoldsForASingleKeyOnAverage) {
    std::uint64_t wrong = 0;
    constexpr std::uint64_t builds = 2000;
    constexpr std::uint64_t queries = 500;
    double expected = 0;
    for (std::uint64_t b = 0; b < builds; ++b) {
        classic_filter f(items{1}, rate{0.01}, hash::xxh3_64{b});
        expected = f.rate_at(items{1});
        f.insert(b);
        for (std::uint64_t q = 0; q < queries; ++q) {
            wrong += f.may_contain(stranger(q)) ? 1U : 0U;
        }
    }
    EXPECT_LE(expected, 0.01);
    // Builds vary too; four times the binomial spread covers the spread of the builds.
    const double mean = expected * builds * queries;
    EXPECT_NEAR(static_cast<double>(wrong), mean, 24 * std::sqrt(mean));
}

} // namespace
} // namespace bloomery
