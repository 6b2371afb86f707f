#include <bloomery/detail/plan/iterate.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

using namespace bloomery;
using namespace bloomery::plan;

TEST(Iterate, EnlargesUntilTheRateHolds) {
    const iteration done = iterate({1'000'000}, {0.01}, {600'000});
    ASSERT_GT(done.steps.size(), 3U);
    EXPECT_EQ(done.steps.front().bit_count, 4'800'000U);
    EXPECT_EQ(done.steps.front().hash_count, 3U); // 4.8 ln 2 = 3.33
    for (std::size_t i = 1; i < done.steps.size(); ++i) {
        EXPECT_GT(done.steps[i - 1].expected_rate, 0.01);
        const auto before = static_cast<double>(done.steps[i - 1].bit_count);
        EXPECT_NEAR(static_cast<double>(done.steps[i].bit_count), before * 1.1, 1.0);
        EXPECT_LT(done.steps[i].textbook_rate, done.steps[i].expected_rate);
    }
    EXPECT_LE(done.steps.back().expected_rate, 0.01);
}

TEST(Iterate, ComparesItsEndWithTheMinimum) {
    const iteration done = iterate({1'000'000}, {0.01}, {600'000});
    EXPECT_EQ(done.minimum, for_rate({1'000'000}, {0.01}));
    EXPECT_GE(done.excess_bits, 0.0);
    EXPECT_LE(done.excess_bits, 0.11);
    EXPECT_EQ(done.result.bit_count, done.steps.back().bit_count);
}

TEST(Iterate, StopsAtOnceWhenTheMemoryIsEnough) {
    const iteration done = iterate({100}, {0.01}, {1000});
    EXPECT_EQ(done.steps.size(), 1U);
    EXPECT_EQ(done.result.bit_count, 8000U);
    EXPECT_GT(done.excess_bits, 1.0);
}

TEST(Iterate, EndsFromOneByteAndOneKey) {
    EXPECT_LT(iterate({10'000'000'000}, {1e-9}, {1}).steps.size(), 400U);
    EXPECT_LE(iterate({1}, {1e-15}, {1}, 1.0001).steps.back().expected_rate, 1e-15);
}

TEST(Iterate, RefusesALoopThatWouldNotEnd) {
    EXPECT_THROW((void)iterate({10}, {0.1}, {8}, 1.0), bad_argument);
    EXPECT_THROW((void)iterate({10}, {0.1}, {8}, 2.5), bad_argument);
    EXPECT_THROW((void)iterate({10}, {0.1}, {0}), bad_argument);
    EXPECT_THROW((void)iterate({0}, {0.1}, {8}), bad_argument);
    EXPECT_THROW((void)iterate({10}, {1.0}, {8}), bad_argument);
}
