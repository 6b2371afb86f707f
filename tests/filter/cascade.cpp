// A cascade makes no errors within its universe, and is as small as its formula says.
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
    const cascade again = testing::copy_of(made);
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

TEST(Cascade, NamesTheKeyOnBothSides) {
    cascade_builder builder;
    for (int key = 0; key < 100; ++key) {
        builder.store(key);
    }
    EXPECT_THROW((void)builder.exclude(100), bad_argument) << "before the others began";
    builder.begin_others({1000});
    for (int key = 0; key < 1000; ++key) {
        ASSERT_EQ(builder.exclude(key), key >= 100) << key;
    }
    const cascade made = builder.finish();
    EXPECT_EQ(made.stored_count(), 100U);
    EXPECT_EQ(made.other_count(), 900U);
    for (int key = 0; key < 1000; ++key) {
        ASSERT_EQ(made.contains(key), key < 100) << key;
    }
}

TEST(Cascade, TakesRepeatedKeysOnce) {
    std::vector<int> stored;
    std::vector<int> others;
    for (int key = 0; key < 3000; ++key) {
        stored.push_back(key % 300);
        others.push_back(300 + key % 1500);
    }
    const cascade made = build_cascade(stored, others);
    EXPECT_EQ(made.stored_count(), 300U);
    EXPECT_EQ(made.other_count(), 3000U);
    for (int key = 0; key < 1800; ++key) {
        ASSERT_EQ(made.contains(key), key < 300) << key;
    }
    std::vector<int> once(stored.begin(), stored.begin() + 300);
    EXPECT_EQ(flattened(build_cascade(once, others).saved()), flattened(made.saved()));
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
    const auto with_hash = [&](const native_hash& hash) {
        return cascade::restored(made.spec(), made.made_for(), hash, words);
    };
    EXPECT_THROW((void)with_hash(native_hash::seeded(1)), bad_argument);
    EXPECT_THROW((void)with_hash(native_hash::keyed({0, 0})), bad_argument);
    EXPECT_TRUE(with_hash(native_hash()).contains(std::uint64_t{7}));
    const std::size_t refused = testing::damage(
        words, 4000,
        [&](std::span<const std::uint64_t> from) { return testing::restored_from(made, from); },
        [](const cascade& some) {
            for (std::uint64_t key = 0; key < 200; ++key) {
                (void)some.contains(key);
            }
            (void)some.facts();
            (void)some.stats();
        });
    EXPECT_GT(refused, 1000U);
}

TEST(Cascade, RefusesAHeaderOfAnother) {
    const cascade made = build_cascade(range(0, 100), range(100, 1000));
    const auto words = flattened(made.saved());
    const auto with = [&](auto change) { (void)testing::restored_with(made, words, change); };
    EXPECT_NO_THROW(with([](spec&) {}));
    EXPECT_THROW(with([](spec& of) { ++of.shape.bit_count; }), bad_data);
    EXPECT_THROW(with([](spec& of) { ++of.shape.hash_count; }), bad_data);
    EXPECT_THROW(with([](spec& of) { of.shape.layout = layout_kind::blocked_512; }), bad_data);
    EXPECT_THROW(with([](spec& of) { of.hash = hash::hash_id::xxh3_64; }), bad_data);
    EXPECT_THROW(with([](spec& of) { of.parameters[0] = 0; }), bad_data);
    EXPECT_THROW(with([](spec& of) { of.parameters[2] = 1; }), bad_data);
    EXPECT_THROW(with([](spec& of) { of.kind = filter_kind::counting; }), bad_data);
}

} // namespace
} // namespace bloomery
