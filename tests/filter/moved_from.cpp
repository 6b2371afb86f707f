// A moved-from filter is empty: it denies every key, and using it is harmless.
#include <bloomery/bloomery.hpp>
#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/filter/pmr.hpp>
#include <bloomery/format/native.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bloomery {
namespace {

const std::vector<std::string_view> some_words{"one", "two", "three"};

template <class Filter>
Filter made_for_a_move(std::uint64_t n) {
    if constexpr (std::same_as<Filter, any_filter>) {
        return filter(items{n}, rate{0.01});
    } else if constexpr (std::same_as<Filter, excepted<counting_filter>>) {
        return Filter(counting_filter(items{n}, rate{0.01}));
    } else if constexpr (std::same_as<Filter, redisbloom_layers>) {
        return Filter(items{n}, rate{0.01}, layer_rules{});
    } else if constexpr (std::same_as<Filter, counting_filter>) {
        return Filter(items{n}, rate{0.01}, {.counter_bits = 4, .layout = counter_layout::blocked});
    } else if constexpr (
        requires { Filter::scheme::id; } ||
        requires { requires Filter::layout_type::scheme::id != layout::scheme_id::native; }) {
        return Filter(bits{512 * (1 + n / 50)}, hashes{8});
    } else {
        return Filter(items{n}, rate{0.01});
    }
}

template <class Filter>
class MovedFrom : public ::testing::Test {};

/// The flat form of counting_filter, whose usual form here is the other one.
struct flat_counting : counting_filter {
    using counting_filter::counting_filter;
};

using movable_filters =
    ::testing::Types<filter, classic_filter, blocked_filter, fast_filter, line_filter, deep_filter,
                     pmr::filter, guava_filter, go_filter, cassandra_filter, redisson_split_filter,
                     rocksdb_5_filter, parquet_filter, hadoop_counting_filter, counting_filter,
                     flat_counting, spectral_filter, minimal_increase_filter,
                     recurring_minimum_filter, dynamic_count_filter, dleft_filter, accurate_filter,
                     scalable_filter, window_filter, redisbloom_layers, excepted<counting_filter>,
                     any_filter>;
TYPED_TEST_SUITE(MovedFrom, movable_filters);

/// Everything that a filter without contents may be asked.
template <class Filter>
void expect_empty(Filter& moved) {
    EXPECT_FALSE(moved.may_contain("one"));
    EXPECT_FALSE(moved.may_contain(std::uint64_t{7}));
    bitmap answers(9);
    moved.may_contain_many(some_words, answers);
    ASSERT_EQ(answers.bit_count(), some_words.size());
    for (std::size_t i = 0; i < some_words.size(); ++i) {
        EXPECT_FALSE(answers[i]) << some_words[i];
    }
    EXPECT_THROW(moved.insert("one"), bad_argument);
    EXPECT_THROW(moved.insert_many(some_words), bad_argument);
    EXPECT_THROW(moved.try_insert_many(some_words, answers), bad_argument);
    if constexpr (requires { moved.erase("one"); } && !std::same_as<Filter, any_filter>) {
        EXPECT_EQ(moved.erase("one"), status::not_present);
    }
    if constexpr (requires { moved.count("one"); } && !std::same_as<Filter, any_filter>) {
        EXPECT_EQ(moved.count("one"), 0U);
    }
    EXPECT_FALSE(moved.may_contain("one"));
}

/// The facts of a filter without contents.
template <class Filter>
void expect_no_facts(const Filter& moved) {
    const statistics now = moved.stats();
    EXPECT_EQ(now.bits_set, 0U);
    EXPECT_EQ(now.fill_ratio, 0.0);
    EXPECT_EQ(now.expected_rate, 0.0);
    EXPECT_EQ(moved.rate_at(items{100}), 0.0);
    EXPECT_EQ(moved.spec().shape.bit_count, 0U);
    if constexpr (requires { moved.facts(); }) {
        (void)moved.facts();
    }
    if constexpr (requires { moved.byte_count(); }) {
        EXPECT_EQ(moved.byte_count(), 0U);
    }
}

TYPED_TEST(MovedFrom, IsEmptyAndRefusesKeys) {
    TypeParam source = made_for_a_move<TypeParam>(1000);
    source.insert("one");
    TypeParam target = std::move(source);
    EXPECT_TRUE(target.may_contain("one"));
    expect_empty(source); // NOLINT(bugprone-use-after-move): that is what this is about
    target.insert("two");
    EXPECT_TRUE(target.may_contain("two"));
    EXPECT_FALSE(source.may_contain("two"));
}

TYPED_TEST(MovedFrom, IsEmptyAfterAnAssignmentToo) {
    TypeParam source = made_for_a_move<TypeParam>(100'000);
    source.insert("one");
    TypeParam target = made_for_a_move<TypeParam>(100); // smaller: its words must not stay behind
    target.insert("two");
    target = std::move(source);
    EXPECT_TRUE(target.may_contain("one"));
    expect_empty(source); // NOLINT(bugprone-use-after-move): that is what this is about
}

TYPED_TEST(MovedFrom, IsAFilterAgainOnceAssignedTo) {
    TypeParam source = made_for_a_move<TypeParam>(1000);
    TypeParam target = std::move(source);
    source = made_for_a_move<TypeParam>(500); // NOLINT(bugprone-use-after-move)
    source.insert("three");
    EXPECT_TRUE(source.may_contain("three"));
    EXPECT_FALSE(target.may_contain("three"));
}

TYPED_TEST(MovedFrom, ACopyOfItIsEmptyToo) {
    TypeParam source = made_for_a_move<TypeParam>(1000);
    source.insert("one");
    const TypeParam target = std::move(source);
    TypeParam copy = source; // NOLINT(bugprone-use-after-move)
    expect_empty(copy);
    EXPECT_TRUE(target.may_contain("one"));
}

TYPED_TEST(MovedFrom, HasNoFactsAndCombinesWithNothing) {
    TypeParam source = made_for_a_move<TypeParam>(1000);
    TypeParam target = std::move(source);
    if constexpr (std::same_as<TypeParam, any_filter>) {
        EXPECT_THROW((void)source.stats(), bad_argument); // NOLINT(bugprone-use-after-move)
        EXPECT_THROW((void)source.spec(), bad_argument);
        EXPECT_THROW((void)source.words(), bad_argument);
        EXPECT_THROW((void)source.saved(), bad_argument);
        EXPECT_THROW(source.clear(), bad_argument);
        EXPECT_THROW(source.merge(target), bad_argument);
        EXPECT_THROW(target.merge(source), bad_argument);
        EXPECT_FALSE(source.can_erase());
    } else {
        expect_no_facts(source); // NOLINT(bugprone-use-after-move)
        if constexpr (requires { target.merge(source); }) {
            EXPECT_ANY_THROW(target.merge(source));
            EXPECT_ANY_THROW(source.merge(target));
        }
        if constexpr (!std::same_as<TypeParam, scalable_filter>) { // which starts anew
            source.clear();
            expect_empty(source);
        }
    }
}

TYPED_TEST(MovedFrom, IsNotSaved) {
    TypeParam source = made_for_a_move<TypeParam>(1000);
    const TypeParam target = std::move(source);
    if constexpr (std::constructible_from<any_filter, TypeParam>) {
        EXPECT_THROW((void)format::header_of(source), bad_argument); // NOLINT: use after move
    }
}

TEST(MovedFrom, KeepsNothingOfWhatItWasAssignedTo) {
    filter small(items{100}, rate{0.01});
    filter large(items{1'000'000}, rate{0.01});
    small = std::move(large);
    EXPECT_EQ(large.byte_count(), 0U); // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(large.words().size(), 0U);
}

TEST(MovedFrom, SurvivesBeingMovedToItself) {
    filter f(items{100}, rate{0.01});
    f.insert("one");
    filter& same = f;
    f = std::move(same);
    EXPECT_TRUE(f.may_contain("one"));
}

TEST(MovedFrom, GivesNoViewForThreads) {
    filter source(items{100}, rate{0.01});
    const filter target = std::move(source);
    EXPECT_THROW((void)source.shared(), bad_argument); // NOLINT(bugprone-use-after-move)
    std::vector<std::string_view> out;
    source.copy_possible(some_words, std::back_inserter(out));
    EXPECT_TRUE(out.empty());
    source.copy_absent(some_words, std::back_inserter(out));
    EXPECT_EQ(out, some_words);
    EXPECT_THROW(source.insert_many(some_words, threads(2)), bad_argument);
}

TEST(MovedFrom, LeavesAFilterOverBorrowedWordsAsItWas) {
    alignas(64) std::uint64_t words[8]{};
    borrowed_filter source(layout::native({layout_kind::split_8x64, 512, 8}),
                           storage::borrowed_words(words));
    const borrowed_filter target = source;
    borrowed_filter other = std::move(source);
    other.insert("one");
    EXPECT_TRUE(source.may_contain("one")); // NOLINT(bugprone-use-after-move): both share the words
    EXPECT_TRUE(target.may_contain("one"));
}

TEST(MovedFrom, AListOfExceptionsIsEmpty) {
    excepted<filter> source(filter(bits{64}, hashes{1}));
    for (std::uint64_t key = 0; key < 200; ++key) {
        source.insert(key);
    }
    std::uint64_t listed = 0;
    for (std::uint64_t key = 1'000; key < 1'100; ++key) {
        listed = source.report_false_positive(key) == status::ok ? key : listed;
    }
    ASSERT_NE(listed, 0U);
    const excepted<filter> target = std::move(source);
    EXPECT_EQ(source.exceptions().entry_count(), 0U); // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(source.is_excepted(listed));
    EXPECT_EQ(source.report_false_positive(listed), status::not_present);
    EXPECT_TRUE(target.is_excepted(listed));
}

} // namespace
} // namespace bloomery
