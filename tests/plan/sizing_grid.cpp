// The guarantee of sizing, over the whole range of keys and rates.
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

constexpr std::array<std::uint64_t, 10> numbers{
    1, 2, 3, 10, 100, 1000, 10'000, 1'000'000, 1'000'000'000, 10'000'000'000};
constexpr std::array<double, 9> rates{0.5, 0.2, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-7, 1e-9};

bool any_hashes_hold(const shape& smaller, items n, double p) {
    const layout_facts& facts = facts_of(smaller.layout);
    if (facts.fixed_hashes != 0) return expected_rate(smaller, n) <= p;
    // Beyond a few probes on either side the rate is far worse; all 64 where that is cheap.
    const bool all = n.value <= 100 && smaller.layout == layout_kind::classic;
    const std::uint32_t from = all || smaller.hash_count <= 4 ? 1 : smaller.hash_count - 4;
    const std::uint32_t to =
        all ? max_hash_count : std::min(smaller.hash_count + 4, max_hash_count);
    for (std::uint32_t k = from; k <= to; ++k) {
        if (expected_rate({smaller.layout, smaller.bit_count, k}, n) <= p) return true;
    }
    return false;
}

} // namespace

TEST(Sizing, HoldsTheRateAtEveryNFromOneToTenBillion) {
    for (const layout_facts& facts : all_layouts) {
        for (const std::uint64_t n : numbers) {
            for (const double p : rates) {
                const shape made = for_rate({n}, {p}, facts.kind);
                EXPECT_LE(expected_rate(made, items{n}), p) << facts.name << ' ' << n << ' ' << p;
                EXPECT_EQ(made.bit_count % facts.block_bits, 0U);
            }
        }
    }
}

TEST(Sizing, DoesNotHoldItWithOneUnitLessWhateverTheProbes) {
    for (const layout_facts& facts : all_layouts) {
        for (const std::uint64_t n : numbers) {
            for (const double p : rates) {
                shape smaller = for_rate({n}, {p}, facts.kind);
                smaller.bit_count -= facts.block_bits;
                if (smaller.bit_count == 0) continue;
                EXPECT_FALSE(any_hashes_hold(smaller, {n}, p))
                    << facts.name << ' ' << n << ' ' << p;
            }
        }
    }
}

TEST(Sizing, HoldsRatesDownToTheLastDigitOfADouble) {
    for (const std::uint64_t n : {1U, 3U, 100U, 1'000'000U}) {
        for (const double p : {1e-12, 1e-15, 1e-20}) {
            const shape made = for_rate({n}, {p});
            EXPECT_LE(expected_rate(made, items{n}), p);
            EXPECT_LE(made.hash_count, 64U);
        }
    }
}

TEST(Sizing, OneKeyNeedsMoreThanTheTextbookSays) {
    const shape made = for_rate({1}, {1e-7});
    EXPECT_GT(made.bit_count, 34U); // the textbook size
    EXPECT_GT(classic_rate({1}, {34}, {23}), 1e-7);
    EXPECT_LE(classic_rate({1}, {made.bit_count}, {made.hash_count}), 1e-7);
}

TEST(Sizing, AMillionKeysAtOnePercent) {
    const shape made = for_rate({1'000'000}, {0.01});
    EXPECT_EQ(made.hash_count, 7U);
    EXPECT_NEAR(static_cast<double>(made.bit_count), 9'592'955, 15);
    EXPECT_NEAR(static_cast<double>(made.byte_count()) / 1e6, 1.20, 0.005);
    const auto megabytes = [](layout_kind layout) {
        return static_cast<double>(for_rate({1'000'000}, {0.01}, layout).byte_count()) / 1e6;
    };
    EXPECT_NEAR(megabytes(layout_kind::blocked_512), 1.24, 0.005);
    EXPECT_NEAR(megabytes(layout_kind::split_8x64), 1.26, 0.005);
    EXPECT_NEAR(megabytes(layout_kind::split_8x32), 1.32, 0.005);
}

TEST(Sizing, TakesTheFewestProbesWhenOneBlockIsEnough) {
    const shape made = for_rate({1}, {0.5}, layout_kind::blocked_512);
    EXPECT_EQ(made, (shape{layout_kind::blocked_512, 512, 1}));
}

// Milliseconds in a release build; the bound leaves room for sanitizers and a busy machine.
TEST(Sizing, IsQuickForEveryLayout) {
    const auto start = std::chrono::steady_clock::now();
    for (const layout_facts& facts : all_layouts) {
        for (const std::uint64_t n : numbers) (void)for_rate({n}, {1e-9}, facts.kind);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count() / 50.0, 0.25);
}

TEST(Sizing, RefusesImpossibleWishes) {
    EXPECT_THROW((void)for_rate({0}, {0.01}), bad_argument);
    for (const double p : {0.0, 1.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW((void)for_rate({10}, {p}), bad_argument) << p;
    }
    EXPECT_THROW((void)for_rate({std::uint64_t{1} << 62U}, {0.01}), bad_argument);
    EXPECT_THROW((void)for_rate({~std::uint64_t{0}}, {1e-9}, layout_kind::split_8x64),
                 bad_argument);
    EXPECT_THROW((void)for_rate({1'000'000}, {1e-30}, layout_kind::split_8x64), bad_argument);
}
