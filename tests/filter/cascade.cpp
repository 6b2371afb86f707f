// A cascade never errs within its universe, and is as small as its formula says.
#include <bloomery/filter/cascade.hpp>
#include <bloomery/plan/family.hpp>

#include "saved_state.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace bloomery {
namespace {

using testing::flattened;

auto range(std::uint64_t from, std::uint64_t count) { return std::views::iota(from, from + count); }

TEST(Cascade, IsExactAndAsSmallAsPromised) {
#ifdef __SANITIZE_ADDRESS__
    constexpr std::uint64_t stored = 2000;
#else
    constexpr std::uint64_t stored = 20'000;
#endif
    struct row {
        std::uint64_t ratio;
        double density;
    };
    for (const row at : {row{10, 9.0}, row{100, 13.8}, row{300, 16.1}}) {
        const std::uint64_t others = stored * at.ratio;
        const cascade made = build_cascade(range(0, stored), range(stored, others));
        for (std::uint64_t key = 0; key < stored + others; ++key) {
            ASSERT_EQ(made.contains(key), key < stored) << key;
        }
        const double bits = static_cast<double>(made.bit_count());
        EXPECT_NEAR(bits / plan::cascade_bits({stored}, {others}), 1, 0.03);
        EXPECT_NEAR(bits / static_cast<double>(stored), at.density, 0.03 * at.density);
        EXPECT_LT(made.byte_count() * 8 - made.bit_count(), 64 * made.level_count());
        EXPECT_LT(made.level_count(), 40U);
        EXPECT_GT(made.level_count(), 10U);
    }
}

// The published ratio of 1000 to 1.
TEST(Cascade, StandsFarFewerAgainstMany) {
    const cascade made = build_cascade(range(0, 1000), range(1000, 1'000'000));
    EXPECT_NEAR(static_cast<double>(made.bit_count()) / 1000, 18.6, 0.5);
    for (std::uint64_t key = 0; key < 1'001'000; ++key) {
        ASSERT_EQ(made.contains(key), key < 1000) << key;
    }
}

RC_GTEST_PROP(Cascade, TellsAnyTwoSetsApart,
              (const std::set<std::string>& stored, const std::set<std::string>& all)) {
    std::set<std::string> others = all;
    for (const std::string& key : stored) {
        others.erase(key);
    }
    const cascade made = build_cascade(stored, others, {native_hash::keyed({1, 2})});
    const cascade again = cascade::restored(native_hash::keyed({1, 2}), flattened(made.saved()));
    for (const auto* one : {&made, &again}) {
        for (const std::string& key : stored) {
            RC_ASSERT(one->contains(key));
        }
        for (const std::string& key : others) {
            RC_ASSERT(!one->contains(key));
        }
    }
    RC_ASSERT(flattened(made.saved()) == flattened(again.saved()));
}

TEST(Cascade, HasAnEndWhereNobodyIsOnOneSide) {
    const std::vector<int> none;
    const std::vector<int> some{1, 2, 3};
    EXPECT_FALSE(build_cascade(none, some).contains(1));
    EXPECT_EQ(build_cascade(none, some).level_count(), 0U);
    EXPECT_TRUE(build_cascade(some, none).contains(1));
    EXPECT_EQ(build_cascade(none, none).bit_count(), 0U);
    const cascade more = build_cascade(range(0, 10'000), range(10'000, 10));
    for (std::uint64_t key = 0; key < 10'010; ++key) {
        ASSERT_EQ(more.contains(key), key < 10'000);
    }
}

TEST(Cascade, NeedsNoOthersAndBeginsThemOnce) {
    cascade_builder alone;
    alone.store("key");
    EXPECT_TRUE(alone.finish().contains("key"));
    cascade_builder twice;
    twice.store("key");
    twice.begin_others({1});
    EXPECT_THROW(twice.begin_others({1}), bad_argument);
}

TEST(Cascade, RefusesAKeyOnBothSides) {
    EXPECT_THROW((void)build_cascade(range(0, 100), range(99, 100)), bad_argument);
    EXPECT_THROW((void)build_cascade(range(0, 10'000), range(10'000, 100'000), {{}, 3}),
                 bad_argument);
    EXPECT_THROW(cascade_builder({{}, 0}), bad_argument);
    EXPECT_THROW(cascade_builder({{}, 65}), bad_argument);
}

TEST(Cascade, ComesBackFromItsWordsOrNotAtAll) {
    const cascade made = build_cascade(range(0, 100), range(100, 1000));
    const auto words = flattened(made.saved());
    EXPECT_THROW((void)cascade::restored(native_hash::seeded(1), words), bad_argument);
    const auto restore = [](std::span<const std::uint64_t> from) {
        return cascade::restored(native_hash(), from);
    };
    const std::size_t refused = testing::damage(words, 4000, restore, [](const cascade& some) {
        for (std::uint64_t key = 0; key < 200; ++key) {
            (void)some.contains(key);
        }
        (void)some.facts();
    });
    EXPECT_GT(refused, 1000U);
}

} // namespace
} // namespace bloomery
