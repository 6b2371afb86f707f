// The exact rate compared with three other methods: the whole distribution of the ones (small
// cases), the normal approximation of that distribution (large cases), and throwing balls.
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

// E[(X/m)^k] by carrying P(X = x) from ball to ball: O(nkm), nothing cancels.
double by_distribution(std::uint64_t n, std::uint64_t m, std::uint32_t k) {
    std::vector<long double> ones(m + 1, 0.0L);
    ones[0] = 1.0L;
    const auto cells = static_cast<long double>(m);
    for (std::uint64_t ball = 0; ball < n * k; ++ball) {
        for (std::uint64_t x = m; x > 0; --x) {
            ones[x] = ones[x] * (static_cast<long double>(x) / cells) +
                      ones[x - 1] * ((cells - static_cast<long double>(x - 1)) / cells);
        }
        ones[0] = 0.0L;
    }
    long double sum = 0.0L;
    for (std::uint64_t x = 1; x <= m; ++x) {
        sum += ones[x] * std::pow(static_cast<long double>(x) / cells, static_cast<long double>(k));
    }
    return static_cast<double>(sum);
}

// q^k times the moments of a normal X: sum_j C(k,2j) (2j-1)!! r^(2j), r = sd(X)/E[X].
double by_moments(double n, double m, std::uint32_t k) {
    const double a = k * n / m;
    const double q = -std::expm1(k * n * std::log1p(-1.0 / m));
    const double r2 = std::exp(-a) * (1.0 - (1.0 + a) * std::exp(-a)) / m / (q * q);
    double term = 1.0;
    double sum = 1.0;
    for (std::uint32_t j = 1; 2 * j <= k; ++j) {
        term *= (k - 2.0 * j + 2.0) * (k - 2.0 * j + 1.0) / (2.0 * j) * r2;
        sum += term;
    }
    return std::pow(q, k) * sum;
}

} // namespace

TEST(ClassicRate, EqualsTheSumOverTheWholeDistributionOfTheOnes) {
    for (const std::uint64_t n : {1U, 2U, 3U, 7U, 20U, 60U}) {
        for (const std::uint64_t m : {1U, 2U, 3U, 8U, 33U, 64U, 200U, 700U}) {
            for (const std::uint32_t k : {1U, 2U, 3U, 5U, 8U, 13U, 30U, 64U}) {
                const double exact = by_distribution(n, m, k);
                EXPECT_NEAR(classic_rate({n}, {m}, {k}), exact, 1e-12 * exact)
                    << n << ' ' << m << ' ' << k;
            }
        }
    }
}

// The alternating sum over Stirling numbers, evaluated with 120 digits elsewhere.
TEST(ClassicRate, HasTheDigitsOfTheExactSum) {
    const auto expect = [](double value, double exact) { EXPECT_NEAR(value / exact, 1.0, 1e-12); };
    expect(classic_rate({1'000'000}, {9'585'059}, {7}), 0.010039223613456864);
    expect(classic_rate({1000}, {43'140}, {30}), 9.9991933667735443e-10);
    expect(classic_rate({3}, {500}, {64}), 7.4091991568141724e-32);
    expect(classic_rate({10'000'000'000}, {718'881'966'943}, {50}), 9.99999999967055967e-16);
}

TEST(ClassicRate, AgreesWithTheNormalApproximationWhereThatIsGood) {
    // Skewness of X makes the approximation wrong by about k^3 / m^1.5.
    struct at {
        double n, m;
        std::uint32_t k;
    };
    for (const at& c : {at{1e4, 95'930, 7}, at{1e6, 9'592'956, 7}, at{1e6, 43'133'000, 30},
                        at{1e9, 1.44e10, 10}, at{1e10, 7.2e11, 50}, at{1e8, 1e8, 3}}) {
        const double moments = by_moments(c.n, c.m, c.k);
        const double exact = classic_rate({static_cast<std::uint64_t>(c.n)},
                                          {static_cast<std::uint64_t>(c.m)}, {c.k});
        const double allowed = std::pow(c.k, 3) / std::pow(c.m, 1.5) + 1e-11;
        EXPECT_NEAR(exact / moments, 1.0, allowed) << c.n << ' ' << c.k;
    }
}

TEST(ClassicRate, IsAboveTheTextbookForm) {
    for (const std::uint64_t n : {1U, 10U, 1000U, 1'000'000U}) {
        const bits m{n * 10};
        EXPECT_GT(classic_rate({n}, m, {7}), classic_rate_textbook({n}, m, {7}));
    }
    // By some percent at ten keys, by a millionth at a million.
    EXPECT_GT(classic_rate({10}, {96}, {7}) / classic_rate_textbook({10}, {96}, {7}), 1.08);
    EXPECT_NEAR(classic_rate({1'000'000}, {9'585'059}, {7}) / 0.0100392146, 1.0, 1e-6);
}

TEST(ClassicRate, GrowsWithKeysAndFallsWithBits) {
    double before = 0.0;
    for (std::uint64_t n = 1; n < 3000; n += n / 3 + 1) {
        const double now = classic_rate({n}, {5000}, {6});
        EXPECT_GT(now, before) << n;
        before = now;
    }
    before = 1.0 + 1e-9;
    for (std::uint64_t m = 1; m < 100'000; m += m / 5 + 1) {
        const double now = classic_rate({50}, {m}, {6});
        EXPECT_LT(now, before + 1e-15) << m;
        before = now;
    }
}

TEST(ClassicRate, EndsAreRight) {
    EXPECT_EQ(classic_rate({0}, {100}, {3}), 0.0);
    EXPECT_EQ(classic_rate({5}, {1}, {3}), 1.0);
    EXPECT_DOUBLE_EQ(classic_rate({1}, {2}, {1}), 0.5);
    EXPECT_DOUBLE_EQ(classic_rate({1'000'000'000'000}, {64}, {5}), 1.0);
    EXPECT_EQ(expected_rate({layout_kind::classic, 100, 3}, 0.0), 0.0);
    EXPECT_EQ(expected_rate({layout_kind::classic, 100, 3}, 2.4),
              expected_rate({layout_kind::classic, 100, 3}, 2.0));
}

// A million filters of a few keys each, thrown with a fixed seed: 6.5 standard deviations.
TEST(ClassicRate, IsWhatSimulatedFiltersOfOneToTenKeysShow) {
    std::mt19937_64 random(20240601);
    for (std::uint64_t n = 1; n <= 10; ++n) {
        const std::uint64_t m = 6 * n + 1;
        const std::uint32_t k = 4;
        constexpr int trials = 200'000;
        int positives = 0;
        std::vector<char> filter(m);
        std::uniform_int_distribution<std::uint64_t> place(0, m - 1);
        for (int trial = 0; trial < trials; ++trial) {
            std::fill(filter.begin(), filter.end(), char{0});
            for (std::uint64_t ball = 0; ball < n * k; ++ball) filter[place(random)] = 1;
            int hits = 0;
            for (std::uint32_t probe = 0; probe < k; ++probe) hits += filter[place(random)];
            positives += hits == static_cast<int>(k) ? 1 : 0;
        }
        const double p = classic_rate({n}, {m}, {k});
        const double sd = std::sqrt(trials * p * (1.0 - p));
        EXPECT_NEAR(positives, trials * p, 6.5 * sd) << n;
        // The textbook form is far outside at n = 1: this test can tell.
        if (n == 1) {
            EXPECT_GT(std::abs(positives - trials * classic_rate_textbook({n}, {m}, {k})),
                      6.5 * sd);
        }
    }
}

TEST(ClassicRate, RefusesWhatIsNoFilter) {
    EXPECT_THROW((void)classic_rate({1}, {0}, {1}), bad_argument);
    EXPECT_THROW((void)classic_rate({1}, {8}, {0}), bad_argument);
    EXPECT_THROW((void)classic_rate({1}, {8}, {256}), bad_argument);
    EXPECT_THROW((void)classic_rate_textbook({1}, {0}, {1}), bad_argument);
    EXPECT_THROW((void)expected_rate({layout_kind::classic, 8, 1}, -1.0), bad_argument);
    EXPECT_THROW((void)expected_rate({layout_kind::classic, 8, 1}, std::nan("")), bad_argument);
    EXPECT_THROW((void)expected_rate({layout_kind::classic, 8, 0}, 1.0), bad_argument);
    EXPECT_THROW((void)bits_per_item({1.0}, {3}), bad_argument);
    EXPECT_THROW((void)bits_per_item({0.1}, {0}), bad_argument);
    EXPECT_THROW((void)limit_rate(layout_kind::classic, {3}, 0.0), bad_argument);
    EXPECT_THROW((void)limit_rate(layout_kind::split_8x64, {3}, 10.0), bad_argument);
}
