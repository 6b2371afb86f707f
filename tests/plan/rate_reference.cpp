// Values computed independently of the library, as they are printed in the literature on blocked
// filters or follow from the formulas in exact arithmetic.
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

void rate_reference_expect_close(double value, double reference, double relative) {
    EXPECT_NEAR(value, reference, reference * relative);
}

double best_limit(layout_kind layout, double c) {
    if (facts_of(layout).fixed_hashes != 0) {
        return limit_rate(layout, {facts_of(layout).fixed_hashes}, c);
    }
    double best = 1.0;
    for (std::uint32_t k = 1; k <= 32; ++k) best = std::min(best, limit_rate(layout, {k}, c));
    return best;
}

} // namespace

TEST(RateReference, TextbookFormOfAMillionKeys) {
    rate_reference_expect_close(classic_rate_textbook({1'000'000}, {9'585'059}, {7}), 0.010039215,
                                1e-7);
}

TEST(RateReference, BitsPerKeyForAWholeNumberOfProbes) {
    rate_reference_expect_close(bits_per_item({0.01}, {7}), 9.592955, 1e-7);
    rate_reference_expect_close(bits_per_item({0.01}, {6}), 9.616655, 1e-7);
    rate_reference_expect_close(bits_per_item({0.03}, {5}), 7.298749, 1e-7);
    rate_reference_expect_close(bits_per_item({0.001}, {10}), 14.377639, 1e-7);
    rate_reference_expect_close(bits_per_item({0.0001}, {13}), 19.172955, 1e-7);
}

TEST(RateReference, BestProbesAreNextToTheLogarithm) {
    EXPECT_EQ(best_hashes({0.03}).value, 5U);
    EXPECT_EQ(best_hashes({0.01}).value, 7U);
    EXPECT_EQ(best_hashes({0.001}).value, 10U);
    EXPECT_EQ(best_hashes({0.0001}).value, 13U);
    EXPECT_EQ(best_hashes({0.9}).value, 1U);
    EXPECT_EQ(best_hashes({1e-30}).value, 64U);
    for (int step = 0; step < 100; ++step) {
        const double p = 0.9 * std::pow(0.7, step);
        for (std::uint32_t k = 1; k <= 64; ++k) {
            EXPECT_LE(bits_per_item({p}, best_hashes({p})), bits_per_item({p}, {k})) << p;
        }
    }
}

TEST(RateReference, OneBlockOfEachSort) {
    const auto block = [](layout_kind of, std::uint64_t bits, std::uint32_t k, std::uint64_t n) {
        return expected_rate({of, bits, k}, items{n});
    };
    rate_reference_expect_close(block(layout_kind::blocked_512, 512, 6, 51), 0.008408666, 1e-7);
    rate_reference_expect_close(block(layout_kind::split_8x64, 512, 8, 51), 0.008631538, 1e-7);
    rate_reference_expect_close(block(layout_kind::split_8x32, 256, 8, 24), 0.006538363, 1e-7);
}

TEST(RateReference, ManyBlocks) {
    rate_reference_expect_close(limit_rate(layout_kind::blocked_512, {6}, 10.0), 0.00966475, 1e-6);
    rate_reference_expect_close(limit_rate(layout_kind::split_8x32, {8}, 10.0), 0.012648452, 1e-7);
    rate_reference_expect_close(limit_rate(layout_kind::split_8x64, {8}, 10.0), 0.010489826, 1e-7);
    rate_reference_expect_close(limit_rate(layout_kind::split_8x64, {8}, 16.0), 0.000908877, 1e-6);
    rate_reference_expect_close(limit_rate(layout_kind::split_16x32, {16}, 16.0), 0.001752135,
                                1e-6);
}

// The usual form takes each bit of a block with i keys as set with 1 - (1 - 1/512)^(6 i) and the
// six bits of a query as independent of one another. They are not, and the true rate is higher.
TEST(RateReference, TheUsualApproximationOfBlocksIsTooLow) {
    constexpr double load = 51.2; // keys in a block, on average
    double usual = 0.0;
    double chance = std::exp(-load);
    for (int i = 0; i < 400; ++i) {
        usual += chance * std::pow(1 - std::pow(1 - 1 / 512.0, 6 * i), 6);
        chance *= load / (i + 1);
    }
    rate_reference_expect_close(usual, 0.00957567, 1e-6);
    const double exact = limit_rate(layout_kind::blocked_512, {6}, 10.0);
    rate_reference_expect_close(exact / usual, 0.00966475 / 0.00957567, 1e-6);
    EXPECT_GT(exact, 1.009 * usual);
}

TEST(RateReference, RateAtFixedBitsPerKey) {
    struct row {
        double c, classic, blocked, s8x32, s8x64, s16x32;
    };
    constexpr std::array<row, 7> table{{{8, 2.16e-2, 2.33e-2, 3.32e-2, 2.93e-2, 11.5e-2},
                                        {10, 0.819e-2, 0.966e-2, 1.26e-2, 1.05e-2, 3.78e-2},
                                        {12, 0.314e-2, 0.413e-2, 0.542e-2, 0.422e-2, 1.28e-2},
                                        {16, 0.0459e-2, 0.0844e-2, 0.132e-2, 0.0909e-2, 0.175e-2},
                                        {20, 6.7e-5, 2.0e-4, 4.2e-4, 2.6e-4, 3.1e-4},
                                        {24, 9.8e-6, 5.3e-5, 1.6e-4, 9.1e-5, 7.0e-5},
                                        {32, 2.1e-7, 5.3e-6, 3.6e-5, 1.7e-5, 6.0e-6}}};
    for (const row& at : table) {
        const double printed = at.c < 20 ? 6e-3 : 3e-2; // two or three digits
        rate_reference_expect_close(best_limit(layout_kind::classic, at.c), at.classic, printed);
        rate_reference_expect_close(best_limit(layout_kind::blocked_512, at.c), at.blocked,
                                    printed);
        rate_reference_expect_close(best_limit(layout_kind::split_8x32, at.c), at.s8x32, printed);
        rate_reference_expect_close(best_limit(layout_kind::split_8x64, at.c), at.s8x64, printed);
        rate_reference_expect_close(best_limit(layout_kind::split_16x32, at.c), at.s16x32, printed);
    }
}

TEST(RateReference, BitsPerKeyOfEachLayout) {
    struct row {
        layout_kind layout;
        std::array<double, 4> c; // at 3 %, 1 %, 0.1 %, 0.01 %
    };
    const std::array<row, 5> table{{{layout_kind::classic, {7.30, 9.59, 14.38, 19.17}},
                                    {layout_kind::blocked_512, {7.43, 9.92, 15.55, 22.03}},
                                    {layout_kind::split_8x32, {8.20, 10.53, 16.89, 26.34}},
                                    {layout_kind::split_8x64, {7.96, 10.10, 15.72, 23.61}},
                                    {layout_kind::split_16x32, {10.42, 12.46, 17.24, 23.01}}}};
    constexpr std::array<double, 4> rates{0.03, 0.01, 0.001, 0.0001};
    for (const row& at : table) {
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const shape made = for_rate({100'000'000}, {rates[i]}, at.layout);
            EXPECT_NEAR(static_cast<double>(made.bit_count) / 1e8, at.c[i], 0.0061)
                << name_of(at.layout) << ' ' << rates[i];
        }
    }
}

TEST(RateReference, BestProbesOfTheBlockedLayout) {
    EXPECT_EQ(for_rate({100'000'000}, {0.03}, layout_kind::blocked_512).hash_count, 5U);
    EXPECT_EQ(for_rate({100'000'000}, {0.01}, layout_kind::blocked_512).hash_count, 6U);
    EXPECT_EQ(for_rate({100'000'000}, {0.001}, layout_kind::blocked_512).hash_count, 9U);
    EXPECT_EQ(for_rate({100'000'000}, {0.0001}, layout_kind::blocked_512).hash_count, 12U);
}

TEST(RateReference, BlocksSizedByTheClassicFormulaMissTheirRate) {
    EXPECT_NEAR(limit_rate(layout_kind::split_8x64, {8}, 9.592955), 0.0128, 0.00005);
}

TEST(RateReference, OverfillingAOnePercentFilter) {
    const auto rows = overfill(for_rate({1'000'000}, {0.01}), {1'000'000});
    EXPECT_NEAR(rows[0].expected_rate, 0.010, 1e-6);
    EXPECT_NEAR(rows[1].expected_rate, 0.023, 0.0005);
    EXPECT_NEAR(rows[2].expected_rate, 0.058, 0.0005);
    EXPECT_NEAR(rows[3].expected_rate, 0.157, 0.0007);
    EXPECT_GT(rows[4].expected_rate, 0.8);
    EXPECT_EQ(rows[1].items, 1.2e6);
}
