#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <string>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

std::string refusal(const question& asked) {
    try {
        (void)solve(asked);
    } catch (const bad_argument& refused) {
        return refused.what();
    }
    return "";
}

} // namespace

TEST(Solve, SizeFromKeysAndRate) {
    const answer a = solve({.n = items{1'000'000}, .p = rate{0.01}});
    EXPECT_EQ(a.filter, for_rate({1'000'000}, {0.01}));
    EXPECT_TRUE(a.meets_rate);
    EXPECT_EQ(a.p.value, 0.01);
    EXPECT_LE(a.expected_rate, 0.01);
    EXPECT_NEAR(a.bits_per_item, 9.593, 0.001);
    EXPECT_EQ(a.memory.value, a.filter.byte_count());
    EXPECT_GE(a.item_capacity, 1'000'000U);
    EXPECT_LT(a.item_capacity, 1'000'010U);
}

TEST(Solve, RateFromKeysAndBits) {
    const answer a = solve({.n = items{1000}, .m = bits{10'000}});
    EXPECT_EQ(a.filter, for_bits({10'000}, {1000}));
    EXPECT_EQ(a.p.value, a.expected_rate);
    EXPECT_TRUE(a.meets_rate);
    EXPECT_EQ(a.item_capacity, 1000U);
}

TEST(Solve, RateFromKeysAndMemory) {
    const answer a = solve({.n = items{1000}, .memory = bytes{1250}});
    EXPECT_EQ(a.filter, for_memory({1250}, {1000}));
    EXPECT_EQ(a.filter.bit_count, 9984U);
}

TEST(Solve, KeysFromSizeAndRate) {
    for (const layout_facts& facts : all_layouts) {
        const answer by_bits = solve({.p = rate{0.01}, .m = bits{102'400}, .layout = facts.kind});
        EXPECT_EQ(by_bits.n.value, item_capacity(by_bits.filter, {0.01}));
        EXPECT_LE(by_bits.expected_rate, 0.01);
        EXPECT_GT(expected_rate(by_bits.filter, items{by_bits.n.value + 1}), 0.01);
        const answer by_memory =
            solve({.p = rate{0.01}, .memory = bytes{12'800}, .layout = facts.kind});
        EXPECT_EQ(by_memory.n, by_bits.n);
    }
}

TEST(Solve, ProbesMayBeGivenWithAnyPair) {
    EXPECT_EQ(solve({.n = items{1000}, .p = rate{0.01}, .k = hashes{3}}).filter,
              for_hashes({1000}, {0.01}, {3}));
    EXPECT_EQ(solve({.n = items{1000}, .m = bits{9000}, .k = hashes{3}}).filter,
              (shape{layout_kind::classic, 9000, 3}));
    EXPECT_EQ(solve({.n = items{1000}, .k = hashes{3}, .memory = bytes{800}}).filter,
              (shape{layout_kind::classic, 6400, 3}));
    const answer a = solve({.p = rate{0.01}, .m = bits{9000}, .k = hashes{3}});
    EXPECT_EQ(a.n.value, item_capacity({layout_kind::classic, 9000, 3}, {0.01}));
}

TEST(Solve, SaysWhetherAGivenSizeHoldsAGivenRate) {
    const question tight{.n = items{1000}, .p = rate{0.01}, .m = bits{5000}};
    const answer a = solve(tight);
    EXPECT_FALSE(a.meets_rate);
    EXPECT_GT(a.expected_rate, 0.01);
    EXPECT_EQ(a.p.value, 0.01);
    EXPECT_LT(a.item_capacity, 1000U);
    EXPECT_TRUE(solve({.n = items{1000}, .p = rate{0.01}, .m = bits{10'000}}).meets_rate);
}

TEST(Solve, NamesWhatIsMissing) {
    EXPECT_NE(refusal({.n = items{5}}).find("the rate (p), the size"), std::string::npos);
    EXPECT_NE(refusal({.p = rate{0.5}}).find("the number of keys (n), the size"),
              std::string::npos);
    EXPECT_NE(refusal({.memory = bytes{64}}).find("(n), the rate (p)"), std::string::npos);
    EXPECT_NE(refusal({.k = hashes{5}}).find("give two of"), std::string::npos);
}

TEST(Solve, RefusesContradictionsAndBadValues) {
    EXPECT_NE(refusal({.n = items{5}, .m = bits{64}, .memory = bytes{8}}).find("twice"),
              std::string::npos);
    EXPECT_THROW((void)solve({.n = items{0}, .p = rate{0.1}}), bad_argument);
    EXPECT_THROW((void)solve({.n = items{5}, .p = rate{2.0}, .m = bits{64}}), bad_argument);
    EXPECT_THROW((void)solve({.n = items{5}, .m = bits{64}, .k = hashes{65}}), bad_argument);
    EXPECT_THROW(
        (void)solve(
            {.n = items{5}, .m = bits{512}, .k = hashes{5}, .layout = layout_kind::split_8x64}),
        bad_argument);
    EXPECT_THROW((void)solve({.p = rate{1e-9}, .m = bits{8}, .k = hashes{2}}), bad_argument);
}

TEST(Solve, HopelesslySmallArraysStillGetAnAnswer) {
    const answer a = solve({.n = items{1'000'000}, .m = bits{64}});
    EXPECT_EQ(a.expected_rate, 1.0);
    EXPECT_EQ(a.item_capacity, 1'000'000U);
}
