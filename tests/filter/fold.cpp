// Folding: a filter made smaller, bit for bit the one that would have been built at that size.
#include <bloomery/detail/filter/fold.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/plan/sizing.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace bloomery {
namespace {

constexpr std::array every_layout{layout_kind::classic, layout_kind::blocked_512,
                                  layout_kind::split_8x32, layout_kind::split_8x64,
                                  layout_kind::split_16x32};

std::vector<std::uint64_t> fold_keys(std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) keys.push_back(i * 0x9e3779b97f4a7c15 + seed);
    return keys;
}

filter built(const plan::shape& of, const std::vector<std::uint64_t>& keys, std::uint64_t seed) {
    filter made(of, native_hash::seeded(seed), design{});
    made.insert_many(keys);
    return made;
}

TEST(Fold, HasTheBitsOfAFilterBuiltAtThatSizeInTenThousandCases) {
    testing::random_source random(20'261'118);
    for (int i = 0; i < 10'000; ++i) {
        const layout_kind layout = every_layout.at(random.below(every_layout.size()));
        const items n{1 + random.below(3'000)};
        plan::shape large = plan::for_rate(n, rate{random.below(2) == 0 ? 0.01 : 0.2}, layout);
        if (random.below(4) != 0) large = plan::foldable(large);
        const std::vector<std::uint64_t> factors = plan::fold_factors(large);
        const std::uint64_t factor = factors.at(random.below(factors.size()));
        const plan::shape small = plan::folded(large, factor);
        const std::uint64_t seed = random.below(1'000);
        const auto keys = fold_keys(random.below(200), seed);
        std::vector<std::uint64_t> words(small.byte_count() / 8);
        detail::fold_words(large, built(large, keys, seed).words(), factor, words.data());
        ASSERT_TRUE(std::ranges::equal(words, built(small, keys, seed).words()))
            << "layout " << static_cast<int>(layout) << ", " << large.bit_count << " bits by "
            << factor;
    }
}

TEST(Fold, TakesTheSmallestSizeThatHoldsTheRate) {
    for (const layout_kind layout : every_layout) {
        const plan::shape large =
            plan::foldable(plan::for_rate(items{1'000'000}, rate{0.01}, layout));
        const auto keys = fold_keys(20'000, 7);
        filter made = built(large, keys, 3);
        made.fold(rate{0.01});
        EXPECT_LE(made.expected_rate(), 0.01);
        EXPECT_EQ(made, built(made.layout().shape(), keys, 3));
        for (const std::uint64_t key : keys) ASSERT_TRUE(made.may_contain(key));
        // The next smaller size does not hold it.
        const std::uint64_t factor = large.bit_count / made.bit_count();
        const auto factors = plan::fold_factors(large);
        const auto next = std::ranges::upper_bound(factors, factor);
        ASSERT_NE(next, factors.end());
        EXPECT_GT(built(plan::folded(large, *next), keys, 3).expected_rate(), 0.01);
        // It is about as large as one made for these keys alone.
        const auto least = plan::for_rate(items{20'000}, rate{0.01}, layout);
        EXPECT_LT(made.byte_count(), least.byte_count() * 3 / 2) << static_cast<int>(layout);
        EXPECT_GE(made.item_capacity(), 19'700U); // the estimate, or what the size allows
        EXPECT_DOUBLE_EQ(made.made_for().target_rate, 0.01);
    }
}

TEST(Fold, OfAnEmptyFilterLeavesRoomForAKey) {
    for (const layout_kind layout : every_layout) {
        filter made =
            built(plan::foldable(plan::for_rate(items{10'000}, rate{1e-6}, layout)), {}, 0);
        made.fold(rate{1e-6});
        EXPECT_LT(made.byte_count(), 4'096U);
        EXPECT_GE(made.item_capacity(), 1U);
        made.insert(1);
        EXPECT_LE(made.expected_rate(), 1e-6);
    }
}

TEST(Fold, RefusesARateThatIsExceededAndChangesNothing) {
    filter made(items{1'000}, rate{0.01});
    made.insert_many(fold_keys(1'000, 1));
    const filter before = made;
    EXPECT_THROW(made.fold(rate{1e-6}), bad_argument);
    EXPECT_THROW(made.fold(rate{0}), bad_argument);
    EXPECT_THROW(made.fold(rate{1}), bad_argument);
    EXPECT_EQ(made, before);
    EXPECT_EQ(made.made_for(), before.made_for());
}

TEST(Fold, KeepsThatItIsAnIntersection) {
    filter made(items{1'000}, rate{0.01});
    made.insert_many(fold_keys(100, 1));
    made.intersect(filter(made));
    made.fold(rate{0.01});
    EXPECT_TRUE(made.stats().intersected);
}

TEST(Fold, WorksForCompiledLayoutsAndBehindAnyFilter) {
    fast_filter compiled(
        plan::foldable(fast_filter::layout_type::shape_for(items{100'000}, rate{0.01})), {},
        design{});
    const auto keys = fold_keys(1'000, 5);
    compiled.insert_many(keys);
    any_filter any{compiled};
    compiled.fold(rate{0.01});
    any.fold(rate{0.01});
    EXPECT_LT(compiled.byte_count(), 3'000U);
    EXPECT_EQ(any.words().size(), compiled.words().size());
    EXPECT_TRUE(std::ranges::equal(any.words(), compiled.words()));
    EXPECT_THROW(any_filter{counting_filter(items{100}, rate{0.01})}.fold(rate{0.01}), unsupported);
}

TEST(Fold, LeavesNothingToAMovedFromFilter) {
    filter made(items{1'000}, rate{0.01});
    const filter other = std::move(made);
    EXPECT_THROW(made.fold(rate{0.5}), bad_argument); // NOLINT(bugprone-use-after-move): the test
}

} // namespace
} // namespace bloomery
