// What spectral filters promise: counts that are never too low, whatever happened.
#include <bloomery/error.hpp>
#include <bloomery/filter/spectral.hpp>

#include "failing_allocator.hpp"
#include "key_counts.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bloomery {
namespace {

using namespace std::string_literals;

using testing::bounds_above;
using testing::crowded;
using testing::erases_something;
using testing::merges;
using testing::most;

static_assert(erases_something<spectral_filter> && merges<spectral_filter>);
static_assert(!erases_something<minimal_increase_filter>, "it would take counts from other keys");
static_assert(merges<minimal_increase_filter>);
static_assert(erases_something<recurring_minimum_filter>);
static_assert(!merges<recurring_minimum_filter>);
static_assert(bounds_above<recurring_minimum_filter> && !bounds_above<spectral_filter>);

template <class Filter>
class Spectral : public ::testing::Test {};
TYPED_TEST_SUITE(Spectral, testing::spectral_policies);

TYPED_TEST(Spectral, CountsKeysOfEveryKind) {
    TypeParam made(items{100}, rate{1e-6});
    EXPECT_EQ(made.count("a"), 0U);
    EXPECT_FALSE(made.may_contain("a"));
    EXPECT_TRUE(made.try_insert("a"));
    EXPECT_FALSE(made.try_insert("a"s));
    made.insert(7, 1000);
    made.insert("b", 0);
    EXPECT_EQ(made.count("a"), 2U);
    EXPECT_EQ(made.count(7), 1000U);
    EXPECT_EQ(made.count("b"), 0U);
    EXPECT_EQ(made.count(made.digest(7)), 1000U);
    EXPECT_TRUE(made.may_contain(7));
    EXPECT_TRUE(made.may_contain_at_least(7, 1000));
    EXPECT_FALSE(made.may_contain_at_least(7, 1001));
    EXPECT_TRUE(made.may_contain_at_least("nobody", 0));
    EXPECT_FALSE(made.may_contain_at_least("nobody", 1));
    bitmap answers;
    made.insert_many(std::vector{"a"s, "c"s});
    made.may_contain_many(std::vector{"a"s, "b"s, "c"s}, answers);
    EXPECT_TRUE(answers[0] && !answers[1] && answers[2]);
    EXPECT_EQ(made.count("a"), 3U);
    made.clear();
    EXPECT_EQ(made, TypeParam(items{100}, rate{1e-6}));
}

TYPED_TEST(Spectral, SaysWhatItIs) {
    const TypeParam made(items{1000}, rate{0.01}, {16}, native_hash::seeded(5));
    const spec is = made.spec();
    EXPECT_EQ(is.kind, filter_kind::spectral);
    EXPECT_EQ(is.seed, 5U);
    EXPECT_EQ(is.shape.bit_count, made.counter_count());
    EXPECT_EQ(is.shape.hash_count, made.hash_count());
    EXPECT_EQ(is.parameters, (kind_parameters{static_cast<std::uint64_t>(TypeParam::policy), 16}));
    EXPECT_LE(made.rate_at(items{1000}), 0.01);
    EXPECT_EQ(made.made_for(), (design{1000, 0.01}));
    EXPECT_EQ(made.facts().at(0).value, name_of(TypeParam::policy));
    EXPECT_EQ(made.stats().bits_set, 0U);
    EXPECT_EQ(TypeParam(items{1000}, rate{1e-10}).hash().id(), hash::hash_id::xxh3_128);
}

TYPED_TEST(Spectral, RefusesWhatNoFilterHas) {
    EXPECT_THROW(TypeParam(items{0}, rate{0.01}), bad_argument);
    EXPECT_THROW(TypeParam(items{10}, rate{0}), bad_argument);
    EXPECT_THROW(TypeParam(items{10}, rate{1}), bad_argument);
    EXPECT_THROW(TypeParam(items{10}, rate{0.01}, {7}), bad_argument);
    EXPECT_THROW(TypeParam(bits{0}, hashes{5}), bad_argument);
    EXPECT_THROW(TypeParam(bits{100}, hashes{0}), bad_argument);
    EXPECT_THROW(TypeParam(bits{100}, hashes{65}), bad_argument);
    EXPECT_THROW(TypeParam(bits{std::uint64_t{1} << 63}, hashes{3}), memory_refused);
}

TYPED_TEST(Spectral, InsertingSeveralIsInsertingOneAfterAnother) {
    testing::expect_several_as_one_by_one([](auto seed) { return crowded<TypeParam>(seed); }, 12);
}

TYPED_TEST(Spectral, StaysAtTheMost) {
    TypeParam made(items{100}, rate{1e-6});
    EXPECT_EQ(made.try_insert("a", most - 1).state, status::ok);
    EXPECT_EQ(made.try_insert("a").state, status::saturated);
    EXPECT_EQ(made.try_insert("a", most).state, status::saturated);
    EXPECT_EQ(made.count("a"), most);
    if constexpr (erases_something<TypeParam>) {
        EXPECT_EQ(made.erase("a"), status::saturated);
        EXPECT_EQ(made.erase("a", 1'000'000), status::saturated);
        EXPECT_EQ(made.count("a"), most);
    }
    EXPECT_EQ(made.facts().at(4).value, std::to_string(made.hash_count()));
    if constexpr (merges<TypeParam>) {
        made.merge(made);
        EXPECT_EQ(made.count("a"), most);
    }
}

TYPED_TEST(Spectral, DoesNothingForAKeyThatIsNotInOftenEnough) {
    if constexpr (erases_something<TypeParam>) {
        TypeParam made(items{100}, rate{1e-6});
        const TypeParam empty = made;
        EXPECT_EQ(made.erase("a"), status::not_present);
        EXPECT_EQ(made, empty);
        made.insert("a", 300);
        const TypeParam before = made;
        EXPECT_EQ(made.erase("a", 301), status::not_present);
        EXPECT_EQ(made.erase("b"), status::not_present);
        EXPECT_EQ(made, before);
        EXPECT_EQ(made.erase("a", 0), status::ok);
        EXPECT_EQ(made, before);
        EXPECT_EQ(made.erase("a", 300), status::ok);
        EXPECT_FALSE(made.may_contain("a"));
        bitmap erased;
        made.insert("c");
        made.erase_many(std::vector{"c"s, "d"s}, erased);
        EXPECT_TRUE(erased[0] && !erased[1]);
    }
}

TEST(SpectralMerge, OfMinimumSelectionIsOneFilterOfAll) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        testing::random_source random(seed);
        auto left = crowded<spectral_filter>(seed);
        auto right = crowded<spectral_filter>(seed);
        auto both = crowded<spectral_filter>(seed);
        for (int step = 0; step < 100; ++step) {
            const std::uint64_t key = random.below(30);
            const std::uint64_t r = random.below(20);
            (random.below(2) == 0 ? left : right).insert(key, r);
            both.insert(key, r);
        }
        left.merge(right);
        ASSERT_EQ(left, both);
        both.merge(both);
        for (std::uint64_t key = 0; key < 40; ++key) {
            ASSERT_EQ(both.count(key), 2 * left.count(key));
        }
    }
}

TEST(SpectralMerge, OfMinimalIncreaseIsAnUpperBound) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        testing::random_source random(seed);
        auto left = crowded<minimal_increase_filter>(seed);
        auto right = crowded<minimal_increase_filter>(seed);
        auto all = crowded<spectral_filter>(seed);
        std::map<std::uint64_t, std::uint64_t> truth;
        for (int step = 0; step < 200; ++step) {
            if (step == 100) left.merge(right);
            const std::uint64_t key = random.below(30);
            (step >= 100 || random.below(2) == 0 ? left : right).insert(key);
            all.insert(key);
            ++truth[key];
        }
        for (const auto& [key, in] : truth) {
            ASSERT_GE(left.count(key), in);
            ASSERT_LE(left.count(key), all.count(key));
        }
    }
}

TEST(SpectralMerge, RefusesFiltersOfAnotherSpec) {
    spectral_filter made(bits{100}, hashes{4});
    made.insert("a");
    const spectral_filter before = made;
    for (const spectral_filter& other :
         {spectral_filter(bits{101}, hashes{4}), spectral_filter(bits{100}, hashes{5}),
          spectral_filter(bits{100}, hashes{4}, {16}),
          spectral_filter(bits{100}, hashes{4}, {}, native_hash::seeded(1))}) {
        EXPECT_FALSE(made.compatible_with(other));
        EXPECT_THROW(made.merge(other), incompatible);
        EXPECT_EQ(made, before);
    }
}

TEST(SpectralMemory, RefusedLeavesAKeyAsItWas) {
    using counters = storage::escaped_counters<testing::failing_allocator<std::uint64_t>>;
    key_counters<counters> made(counters(100, 8), {100, {4}});
    const digest128 key{0x123456789abcdef, 0xfedcba987654321};
    made.add(key, 254);
    {
        const testing::no_memory none;
        EXPECT_THROW(made.add(key, 1), memory_refused);
        EXPECT_THROW(made.raise(key, 1), memory_refused);
        EXPECT_EQ(made.least(key), 254U);
        EXPECT_EQ(made.counters().used(), 4U);
        EXPECT_EQ(made.counters().escaped(), 0U);
    }
    made.make_room(key, 1);
    const testing::no_memory none;
    made.add(key, 1);
    EXPECT_EQ(made.least(key), 255U);
}

} // namespace
} // namespace bloomery
