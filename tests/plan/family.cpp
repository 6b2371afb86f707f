// Memory and rates of the counting kinds.
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

void expect_close(double value, double reference, double relative) {
    EXPECT_NEAR(value, reference, reference * relative);
}

constexpr std::array<double, 4> usual_rates{0.03, 0.01, 0.001, 0.0001};

} // namespace

TEST(Family, BlocksOfAnAccurateFilterAreWhole) {
    const auto of = accurate_plan({0.01});
    EXPECT_EQ(accurate_blocks({1}, of), 1U);
    const std::uint64_t many = accurate_blocks({1'000'000}, of);
    EXPECT_GE(static_cast<double>(many) * 512, 1e6 * of.bits_per_item);
    EXPECT_LT(static_cast<double>(many - 1) * 512, 1e6 * of.bits_per_item);
    EXPECT_THROW((void)accurate_blocks({0}, of), bad_argument);
    EXPECT_THROW((void)accurate_blocks({std::uint64_t{1} << 60}, of), bad_argument);
}

TEST(PoissonTail, IsThePrintedOne) {
    expect_close(poisson_tail(std::numbers::ln2, 16), 7.073e-17, 1e-4);
    expect_close(poisson_tail(std::numbers::ln2, 8), 7.154e-7, 1e-4);
    expect_close(poisson_tail(std::numbers::ln2, 4), 5.561e-3, 1e-4);
    expect_close(poisson_tail(1.0, 4), 1.90e-2, 3e-3);
    expect_close(poisson_tail(1.0, 8), 1.03e-5, 1e-2);
    expect_close(poisson_tail(1.0, 16), 1.87e-14, 1e-2);
    expect_close(poisson_tail(2 * std::numbers::ln2, 4), 5.2e-2, 1e-2);
    expect_close(poisson_tail(2 * std::numbers::ln2, 8), 1.0e-4, 5e-2);
    expect_close(poisson_tail(2 * std::numbers::ln2, 16), 2.4e-12, 2e-2);
    expect_close(poisson_tail(4 * std::numbers::ln2, 4), 0.302, 2e-3);
    expect_close(poisson_tail(4 * std::numbers::ln2, 8), 7.7e-3, 1e-2);
    expect_close(poisson_tail(4 * std::numbers::ln2, 16), 4.34e-8, 2e-3);
}

TEST(PoissonTail, EndsAreRight) {
    EXPECT_EQ(poisson_tail(3.0, 0), 1.0);
    EXPECT_EQ(poisson_tail(0.0, 1), 0.0);
    EXPECT_NEAR(poisson_tail(3.0, 1), 1.0 - std::exp(-3.0), 1e-15);
    EXPECT_NEAR(poisson_tail(400.0, 400), 0.506649129838895, 1e-11);
    EXPECT_EQ(poisson_tail(std::numbers::ln2, 256), 0.0);
    EXPECT_THROW((void)poisson_tail(-1.0, 1), bad_argument);
    EXPECT_THROW((void)poisson_tail(std::nan(""), 1), bad_argument);
}

TEST(Counting, TakesTheMemoryOfItsPackedCounters) {
    const auto megabytes = [](std::uint32_t counter_bits) {
        return static_cast<double>(counting_plan({1'000'000}, {0.01}, counter_bits).byte_count) /
               1e6;
    };
    EXPECT_NEAR(megabytes(4), 4.79, 0.01);
    EXPECT_NEAR(megabytes(3), 3.65, 0.01);
    EXPECT_NEAR(megabytes(2), 2.40, 0.01);
    EXPECT_NEAR(megabytes(8), 9.59, 0.01);
    EXPECT_NEAR(megabytes(16), 19.2, 0.05);
    EXPECT_THROW((void)counting_plan({10}, {0.1}, 0), bad_argument);
    EXPECT_THROW((void)counting_plan({10}, {0.1}, 65), bad_argument);
}

TEST(Counting, BitsPerKeyAtTheUsualRates) {
    constexpr std::array<double, 4> printed{29.2, 38.3, 57.5, 76.7};
    for (std::size_t i = 0; i < usual_rates.size(); ++i) {
        EXPECT_NEAR(counting_plan({1'000'000}, {usual_rates[i]}).bits_per_item, printed[i], 0.08);
    }
    // At the best k a counter holds ln 2 on average.
    expect_close(counting_plan({1'000'000}, {0.001}, 4).overflow, 7.07e-17, 0.1);
}

TEST(DynamicCount, WidensWithTheLargestCounter) {
    const auto set = dynamic_count_plan({1'000'000}, {0.01}, 1'000'000, 9);
    EXPECT_EQ(set.fixed_bits, 4U);
    EXPECT_EQ(set.overflow_bits, 0U);
    EXPECT_NEAR(static_cast<double>(set.byte_count) / 1e6, 4.8, 0.01);
    const auto grown = dynamic_count_plan({1'000'000}, {0.01}, 1'000'000, 16);
    EXPECT_EQ(grown.overflow_bits, 1U);
    EXPECT_NEAR(static_cast<double>(grown.byte_count - set.byte_count) / 1e6, 1.2, 0.01);
    const auto hot = dynamic_count_plan({100'000}, {0.01}, 100'000, 82'990);
    EXPECT_EQ(hot.fixed_bits + hot.overflow_bits, 17U);
    EXPECT_EQ(dynamic_count_plan({100'000}, {0.01}, 100'000'000, 5).fixed_bits, 8U);
    EXPECT_THROW((void)dynamic_count_plan({10}, {0.01}, 9, 5), bad_argument);
}

TEST(DLeft, RateAndMemoryAtTheUsualRates) {
    EXPECT_NEAR(dleft_rate({1'000'000}, 41'667, 12), 0.0058593, 0.00002);
    constexpr std::array<std::uint32_t, 4> remainders{10, 12, 15, 18};
    constexpr std::array<double, 4> density{16.0, 18.7, 22.7, 26.7};
    constexpr std::array<double, 4> reached{0.023, 0.0059, 0.00073, 0.000092};
    for (std::size_t i = 0; i < usual_rates.size(); ++i) {
        const dleft_plan_t made = dleft_plan({1'000'000}, {usual_rates[i]});
        EXPECT_EQ(made.remainder_bits, remainders[i]);
        EXPECT_NEAR(made.bits_per_item, density[i], 0.05);
        expect_close(made.expected_rate, reached[i], 0.02);
        EXPECT_LE(made.expected_rate, usual_rates[i]);
    }
    EXPECT_NEAR(static_cast<double>(dleft_plan({1'000'000}, {0.01}).byte_count) / 1e6, 2.33, 0.01);
    EXPECT_NEAR(dleft_plan({1'000'000}, {1e-5}).bits_per_item, 32.0, 0.05);
    EXPECT_THROW((void)dleft_rate({1}, 0, 12), bad_argument);
    EXPECT_THROW((void)dleft_rate({1}, 10, 57), bad_argument);
    EXPECT_THROW((void)dleft_plan({1}, {1e-20}), bad_argument);
}

TEST(Accurate, OneArrayAtTheUsualRates) {
    constexpr std::array<double, 4> printed{11.1, 14.5, 21.8, 29.1};
    for (std::size_t i = 0; i < usual_rates.size(); ++i) {
        EXPECT_NEAR(accurate_bits_per_item({usual_rates[i]}), printed[i], 0.06);
    }
    expect_close(accurate_rate(24, {7}), 5.0e-4, 0.02);
    expect_close(accurate_rate(32, {9}), 3.9e-5, 0.02);
    expect_close(accurate_rate(40, {11}), 3.1e-6, 0.02);
    expect_close(accurate_rate(48, {13}), 2.5e-7, 0.03);
    expect_close(accurate_rate(40, {3}), 4.7e-4, 0.02);
    EXPECT_THROW((void)accurate_rate(7.0, {7}), bad_argument);
}

TEST(Accurate, BlocksAtTheUsualRates) {
    constexpr std::array<double, 4> cache_line{14.6, 19.5, 32.0, 46.4}; // 512 bits, freeze 1e-5
    constexpr std::array<double, 4> dense{12.3, 16.2, 25.7, 34.8};      // 2048 bits, freeze 1e-4
    for (std::size_t i = 0; i < usual_rates.size(); ++i) {
        const accurate_plan_t line = accurate_plan({usual_rates[i]});
        EXPECT_LE(line.bits_per_item, cache_line[i] + 0.05); // a finer grid than the printed one
        EXPECT_GE(line.bits_per_item, cache_line[i] * 0.96);
        EXPECT_LE(line.expected_rate, usual_rates[i] * (1 + 1e-9));
        EXPECT_LE(line.freeze, 1e-5);
        EXPECT_NEAR(accurate_plan({usual_rates[i]}, 2048, 1e-4).bits_per_item, dense[i], 0.06);
    }
    EXPECT_THROW((void)accurate_plan({0.01}, 500), bad_argument);
    EXPECT_THROW((void)accurate_plan({0.01}, 512, 0.0), bad_argument);
}

TEST(Polluted, RateOfChosenKeys) {
    EXPECT_NEAR(polluted_rate({100'000}, {958'506}, {7}), 0.11080, 0.00005);
    EXPECT_EQ(polluted_rate({1000}, {100}, {7}), 1.0);
    EXPECT_THROW((void)polluted_rate({1000}, {0}, {7}), bad_argument);
}

TEST(Cascade, BitsPerStoredKey) {
    EXPECT_NEAR(cascade_bits({1000}, {10'000}) / 1000, 9.0, 0.05);
    EXPECT_NEAR(cascade_bits({1000}, {100'000}) / 1000, 13.8, 0.05);
    EXPECT_NEAR(cascade_bits({1000}, {1'000'000}) / 1000, 18.6, 0.05);
    EXPECT_THROW((void)cascade_bits({0}, {10}), bad_argument);
}

TEST(Others, BitsPerKeyOfStructuresOutsideThisLibrary) {
    EXPECT_NEAR(lower_bound_bits({0.01}), 6.64, 0.005);
    EXPECT_NEAR(xor_bits({0.01}), 8.6, 0.05);
    EXPECT_NEAR(xor_bits({1e-5}), 20.9, 0.05);
    EXPECT_NEAR(binary_fuse_bits({100'000'000}, {0.01}), 7.9, 0.05);
    EXPECT_NEAR(binary_fuse_bits({100'000'000}, {0.0001}), 15.75, 0.01);
    EXPECT_NEAR(binary_fuse_bits({10'000}, {1.0 / 256}) / 8, 1.25, 0.001);
    EXPECT_NEAR(binary_fuse_bits({1000}, {1.0 / 256}) / 8, 1.375, 0.001);
    EXPECT_NEAR(ribbon_bits({0.001}), 10.5, 0.05);
    EXPECT_NEAR(cuckoo_bits({0.001}), 13.7, 0.06);
    EXPECT_NEAR(quotient_bits({0.0001}), 16.2, 0.06);
    EXPECT_EQ(bitmap_bytes(100'000'000), 12'500'000U);
    EXPECT_NEAR(hash_set_bytes({1000}, 32), 68'571, 1);
    EXPECT_THROW((void)lower_bound_bits({0.0}), bad_argument);
}
