// The rate of filters in blocks, sized by the exact sum over the load of the blocks: the claims of
// rate.cpp (fill, queries, target) and that of the estimate of the keys.
//
// What they catch, each tried by breaking the code. Failing points of the blocked layout, out of 4:
//   one probe too few (k - 1)                        fill 4, queries 4, target 3, estimate 4
//   block and bits from the same word of the digest  fill 4, queries 4, target 3, estimate 4
//   half of the blocks used                          fill 4, queries 4, target 4, estimate 4
//   the same six bits again where k > 6              fill 2, queries 2, target 2, estimate 2
//   the classic size, rounded up to whole blocks     target 4
//   the classic formula for size and rate            target 3: not at a thousand keys
//
// Failing points of the split layouts, out of 10 (3 of 8x32, 3 of 8x64, 4 of 16x32):
//   block and bits from the same word of the digest  fill 10, queries 10, target 7, estimate 10
//   one lane that always has the same bit            fill 10, queries 10, target 7, estimate 10
//   half of the blocks used                          fill 10, queries 10, target 10, estimate 10
//   odd words of 16x32 repeat the even ones          queries 4 of 4, target 1
//   places from fields that overlap by one bit       queries 6: 3 of 8x32, 2 of 8x64, 1 of 16x32
//   the classic size, rounded up to whole blocks     target 10
//   the classic formula for size and rate            target 7: not at a thousand keys
//   the formula of blocked for size and rate         target 3: for 8x64 they are too close
//   the rate of the bits as that of classic          queries 10, target 7
//   the rate of the bits as that of blocked          target 2: at a million keys, not of 8x64
#include <bloomery/filter/filter.hpp>
#include <bloomery/plan/sizing.hpp>

#include "rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>

namespace bloomery {
namespace {

struct block_rate_point {
    layout_kind layout;
    std::uint64_t n;
    double p;
    std::uint64_t queries;

    friend std::ostream& operator<<(std::ostream& out, const block_rate_point& at) {
        return out << plan::name_of(at.layout) << ", " << at.n << " keys at " << at.p;
    }
};

class BlockRate : public ::testing::TestWithParam<block_rate_point> {
protected:
    BlockRate()
        : made(plan::for_rate(items{GetParam().n}, rate{GetParam().p}, GetParam().layout), {},
               design{GetParam().n, GetParam().p}) {
        for (std::uint64_t i = 0; i < GetParam().n; ++i) {
            made.insert(i);
        }
    }
    filter made;
};

constexpr auto blocked = layout_kind::blocked_512;
constexpr auto half = layout_kind::split_8x32;
constexpr auto line = layout_kind::split_8x64;
constexpr auto deep = layout_kind::split_16x32;

INSTANTIATE_TEST_SUITE_P(Grid, BlockRate,
                         ::testing::Values(block_rate_point{blocked, 1000, 0.01, 1'000'000},
                                           block_rate_point{blocked, 100'000, 0.01, 1'000'000},
                                           block_rate_point{blocked, 100'000, 1e-4, 4'000'000},
                                           block_rate_point{blocked, 1'000'000, 1e-3, 4'000'000},
                                           block_rate_point{half, 1000, 0.01, 1'000'000},
                                           block_rate_point{half, 100'000, 0.01, 1'000'000},
                                           block_rate_point{half, 1'000'000, 1e-3, 4'000'000},
                                           block_rate_point{line, 1000, 0.01, 1'000'000},
                                           block_rate_point{line, 100'000, 0.01, 1'000'000},
                                           block_rate_point{line, 1'000'000, 1e-3, 4'000'000},
                                           block_rate_point{deep, 1000, 0.01, 1'000'000},
                                           block_rate_point{deep, 100'000, 0.01, 1'000'000},
                                           block_rate_point{deep, 1'000'000, 1e-3, 4'000'000},
                                           block_rate_point{deep, 100'000, 1e-4, 4'000'000}));

TEST_P(BlockRate, FillIsThatOfIndependentDraws) {
    const auto n = static_cast<double>(GetParam().n);
    const plan::shape shape = made.spec().shape;
    const double expected = static_cast<double>(shape.bit_count) * plan::expected_fill(shape, n);
    EXPECT_NEAR(static_cast<double>(made.stats().bits_set), expected,
                6.5 * plan::ones_deviation(shape, n) + 1);
}

TEST_P(BlockRate, FalsePositivesComeAtTheRateOfTheBits) {
    testing::expect_rate_of_state(made, GetParam().queries);
}

TEST_P(BlockRate, TheBitsPromiseWhatWasAskedFor) {
    const double noise = testing::noise_of_blocks(GetParam().n);
    EXPECT_LE(made.expected_rate(), GetParam().p * (1 + noise));
    EXPECT_GE(made.expected_rate(), GetParam().p * (1 - noise) * 0.9);
    EXPECT_LE(made.rate_at(items{GetParam().n}), GetParam().p);
}

TEST_P(BlockRate, ItemsAreEstimatedWithinTheirError) {
    const auto estimate = made.estimated_items();
    EXPECT_NEAR(estimate.items, static_cast<double>(GetParam().n), 6.5 * estimate.standard_error);
}

TEST_P(BlockRate, NoMemberIsEverMissed) {
    EXPECT_EQ(testing::claimed(made, 0, GetParam().n), GetParam().n);
}

} // namespace
} // namespace bloomery
