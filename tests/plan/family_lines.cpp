// Blocked counters: the rate compared with inclusion and exclusion, and the sizes that follow.
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

/// The rate of one line with i keys, by another way: with g(T) the chance that a key misses all of
/// a set T of the stranger's counters, it is the sum of (-1)^|T| g(T)^i.
double line_rate(double counters_in_word, unsigned k, unsigned keys) {
    double sum = 0;
    for (unsigned set = 0; set < 1U << k; ++set) {
        double miss = 0;
        for (unsigned start = 0; start < 8; ++start) {
            const unsigned words = (((1U << k) - 1) * 0x101U << start) >> 8U & 0xffU;
            miss += std::pow(1 - 1 / counters_in_word, std::popcount(set & words)) / 8;
        }
        sum += (std::popcount(set) % 2 == 0 ? 1 : -1) * std::pow(miss, keys);
    }
    return sum;
}

} // namespace

TEST(CountersInLines, OneLineHasTheRateOfInclusionAndExclusion) {
    for (const std::uint32_t width : {2U, 4U, 8U, 16U}) {
        for (std::uint32_t k = 1; k <= 8; ++k) {
            for (const unsigned keys : {1U, 2U, 7U, 20U, 100U}) {
                const double exact = line_rate(64.0 / width, k, keys);
                EXPECT_NEAR(rate_in_lines({keys}, {512 / width}, {k}, width), exact, 1e-13)
                    << width << ' ' << k << ' ' << keys;
            }
        }
    }
}

TEST(CountersInLines, ManyLinesAreTheMixture) {
    const double lines = 1000;
    double sum = 0;
    double chance = std::pow(1 - 1 / lines, 12'000); // of no key
    for (unsigned i = 0; i < 100; ++i) {
        sum += chance * line_rate(16, 6, i);
        chance *= (12'000.0 - i) / ((i + 1.0) * (lines - 1));
    }
    EXPECT_NEAR(rate_in_lines({12'000}, {128'000}, {6}), sum, 1e-12);
    EXPECT_EQ(rate_in_lines({0}, {128}, {6}), 0.0);
    EXPECT_EQ(rate_in_lines({1'000'000'000}, {128}, {6}), 1.0);
}

TEST(CountersInLines, SizesHoldTheRateAndNoLineLessDoes) {
    for (const std::uint64_t n : {1U, 10U, 1000U, 1'000'000U}) {
        for (const double p : {0.3, 0.03, 0.01, 0.001, 1e-4}) {
            for (const std::uint32_t width : {2U, 4U, 8U}) {
                const counter_plan made = counting_plan_in_lines({n}, {p}, width);
                const std::uint64_t in_line = 512 / width;
                EXPECT_LE(made.expected_rate, p);
                EXPECT_EQ(made.positions.bit_count % in_line, 0U);
                EXPECT_EQ(made.byte_count, made.positions.bit_count / in_line * 64);
                if (made.positions.bit_count == in_line) continue;
                for (std::uint32_t k = 1; k <= 8; ++k) {
                    const bits less{made.positions.bit_count - in_line};
                    EXPECT_GT(rate_in_lines({n}, less, {k}, width), p) << n << ' ' << p;
                }
            }
        }
    }
}

TEST(CountersInLines, BitsPerKeyAtTheUsualRates) {
    const auto of = [](double p, std::uint32_t width) {
        return counting_plan_in_lines({10'000'000}, {p}, width);
    };
    EXPECT_NEAR(of(0.03, 4).bits_per_item, 31.60, 0.01);
    EXPECT_NEAR(of(0.01, 4).bits_per_item, 43.72, 0.01);
    EXPECT_NEAR(of(0.001, 4).bits_per_item, 77.58, 0.02);
    EXPECT_NEAR(of(0.01, 2).bits_per_item, 20.52, 0.01);
    EXPECT_NEAR(of(0.01, 8).bits_per_item, 99.04, 0.02);
    EXPECT_EQ(of(0.01, 4).positions.hash_count, 6U);
    // Lighter loaded than without lines, where it is 7e-17.
    EXPECT_LT(of(0.01, 4).overflow, 7.07e-17);
    EXPECT_GT(of(0.01, 2).overflow, 1e-3);
}

TEST(CountersInLines, EstimateInvertsTheFill) {
    const bits m{128 * 10'000};
    for (const double n : {100.0, 50'000.0, 117'000.0, 400'000.0}) {
        const double fill = -std::expm1(n * std::log1p(-6.0 / static_cast<double>(m.value)));
        const auto used =
            static_cast<std::uint64_t>(std::llround(fill * static_cast<double>(m.value)));
        const cardinality found = estimate_items_in_lines(m, {6}, 4, used);
        EXPECT_NEAR(found.items, n, n * 1e-3 + 1);
        EXPECT_GT(found.standard_error, 0);
        EXPECT_LT(found.standard_error, n * 0.01 + 1);
    }
    EXPECT_EQ(estimate_items_in_lines(m, {6}, 4, 0).items, 0.0);
    EXPECT_TRUE(estimate_items_in_lines(m, {6}, 4, m.value).saturated);
}

TEST(CountersInLines, RefuseWhatNoFilterHas) {
    EXPECT_THROW((void)counting_plan_in_lines({0}, {0.01}), bad_argument);
    EXPECT_THROW((void)counting_plan_in_lines({10}, {0.0}), bad_argument);
    EXPECT_THROW((void)counting_plan_in_lines({10}, {0.01}, 3), bad_argument);
    EXPECT_THROW((void)counting_plan_in_lines({10}, {0.01}, 32), bad_argument);
    EXPECT_THROW((void)counting_plan_in_lines({std::uint64_t{1} << 62U}, {1e-9}), bad_argument);
    EXPECT_THROW((void)rate_in_lines({10}, {100}, {6}), bad_argument);
    EXPECT_THROW((void)rate_in_lines({10}, {0}, {6}), bad_argument);
    EXPECT_THROW((void)rate_in_lines({10}, {128}, {0}), bad_argument);
    EXPECT_THROW((void)rate_in_lines({10}, {128}, {9}), bad_argument);
    EXPECT_THROW((void)estimate_items_in_lines({128}, {6}, 4, 129), bad_argument);
}
