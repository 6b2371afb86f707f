// Sizing from inputs other than n and p.
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

using namespace bloomery;
using namespace bloomery::plan;
using namespace bloomery::literals;

TEST(SizingForBits, FindsTheBestOfAllProbes) {
    for (const std::uint64_t n : {1U, 2U, 5U, 40U, 1000U}) {
        for (const std::uint64_t m : {2U, 7U, 64U, 300U, 4000U, 20'000U}) {
            const shape made = for_bits({m}, {n});
            for (std::uint32_t k = 1; k <= 64; ++k) {
                EXPECT_LE(expected_rate(made, items{n}),
                          expected_rate({layout_kind::classic, m, k}, items{n}) + 1e-14)
                    << n << ' ' << m << ' ' << k;
            }
        }
    }
}

TEST(SizingForBits, FindsTheBestOfAllProbesInBlocks) {
    for (const std::uint64_t n : {10U, 100U, 3000U}) {
        const shape made = for_bits({30'000}, {n}, layout_kind::blocked_512);
        EXPECT_EQ(made.bit_count, 29'696U); // whole blocks
        for (std::uint32_t k = 1; k <= 64; ++k) {
            EXPECT_LE(expected_rate(made, items{n}),
                      expected_rate({made.layout, made.bit_count, k}, items{n}));
        }
    }
}

TEST(SizingForBits, RefusesLessThanABlock) {
    EXPECT_THROW((void)for_bits({511}, {10}, layout_kind::split_8x64), bad_argument);
    EXPECT_THROW((void)for_bits({0}, {10}), bad_argument);
    EXPECT_THROW((void)for_bits({max_bit_count + 1}, {10}), bad_argument);
    EXPECT_THROW((void)for_bits({100}, {0}), bad_argument);
}

TEST(SizingForMemory, NeverTakesMoreThanGiven) {
    for (const std::uint64_t given : {8U, 9U, 15U, 64U, 1000U, 123'457U}) {
        EXPECT_LE(for_memory({given}, {100}).byte_count(), given);
    }
    EXPECT_EQ(for_memory(1_MiB, {1'000'000}).bit_count, 8U << 20U);
    EXPECT_EQ(for_memory({200}, {10}, layout_kind::split_8x64).bit_count, 1536U);
    EXPECT_THROW((void)for_memory({7}, {10}), bad_argument);
    EXPECT_THROW((void)for_memory({63}, {10}, layout_kind::split_8x64), bad_argument);
    EXPECT_THROW((void)for_memory({~std::uint64_t{0}}, {10}), bad_argument);
}

TEST(SizingForHashes, HoldsTheRateWithTheProbesGiven) {
    for (const std::uint32_t k : {1U, 3U, 7U, 20U, 64U}) {
        const shape made = for_hashes({1000}, {0.01}, {k});
        EXPECT_EQ(made.hash_count, k);
        EXPECT_LE(expected_rate(made, items{1000}), 0.01);
        EXPECT_GT(expected_rate({made.layout, made.bit_count - 1, k}, items{1000}), 0.01);
    }
    EXPECT_THROW((void)for_hashes({1000}, {0.01}, {0}), bad_argument);
    EXPECT_THROW((void)for_hashes({1000}, {0.01}, {65}), bad_argument);
    EXPECT_THROW((void)for_hashes({1000}, {0.01}, {7}, layout_kind::split_8x64), bad_argument);
    EXPECT_EQ(for_hashes({1000}, {0.01}, {8}, layout_kind::split_8x64),
              for_rate({1000}, {0.01}, layout_kind::split_8x64));
}

TEST(ItemCapacity, IsTheLastNumberThatHoldsTheRate) {
    for (const layout_facts& facts : all_layouts) {
        for (const std::uint64_t n : {1U, 10U, 5000U, 1'000'000'000U}) {
            const shape made = for_rate({n}, {0.001}, facts.kind);
            const std::uint64_t most = item_capacity(made, {0.001});
            EXPECT_GE(most, n) << facts.name;
            EXPECT_LE(expected_rate(made, items{most}), 0.001);
            EXPECT_GT(expected_rate(made, items{most + 1}), 0.001);
        }
    }
    EXPECT_EQ(item_capacity({layout_kind::classic, 2, 1}, {0.4}), 0U);
    EXPECT_THROW((void)item_capacity({layout_kind::classic, 2, 1}, {0.0}), bad_argument);
}

TEST(SizingForBitsAtRate, HoldsMoreKeysThanWithAnyOtherProbes) {
    for (const std::uint64_t m : {60U, 1000U, 100'000U}) {
        const shape made = for_bits_at_rate({m}, {0.01});
        const std::uint64_t most = item_capacity(made, {0.01});
        for (std::uint32_t k = 1; k <= 64; ++k) {
            EXPECT_GE(most, item_capacity({layout_kind::classic, m, k}, {0.01})) << m << ' ' << k;
        }
    }
    EXPECT_THROW((void)for_bits_at_rate({5}, {1e-9}), bad_argument);
}
