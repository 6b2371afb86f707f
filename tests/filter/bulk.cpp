// Bulk calls give the same results as single calls, whatever the number of keys and the size.
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <string>
#include <tuple>
#include <vector>

namespace bloomery {
namespace {

std::vector<std::string> some_keys(std::size_t count, std::uint64_t seed) {
    testing::random_source random(seed);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(random.bytes(random.below(40)));
    }
    return keys;
}

class Bulk : public ::testing::TestWithParam<std::uint64_t> {};

// Below and above the size from which the memory is asked ahead.
INSTANTIATE_TEST_SUITE_P(Sizes, Bulk, ::testing::Values(10'007, 64'000'057));

TEST_P(Bulk, GivesTheAnswersOfSingleCalls) {
    for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 64U, 1000U}) {
        filter one(bits{GetParam()}, hashes{7});
        filter many(bits{GetParam()}, hashes{7});
        const auto keys = some_keys(count, count);
        const bitmap fresh = many.try_insert_many(keys);
        ASSERT_EQ(fresh.bit_count(), count);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(fresh[i], one.try_insert(keys[i])) << i;
        }
        EXPECT_EQ(one, many);
        const auto others = some_keys(count, count + 1);
        const bitmap maybe = many.may_contain_many(others);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(maybe[i], one.may_contain(others[i])) << i;
        }
    }
}

TEST_P(Bulk, TellsWhatWasNew) {
    filter f(bits{GetParam()}, hashes{7});
    f.insert_many(std::list<int>{1, 2, 3, 2, 1});
    EXPECT_EQ(f.try_insert_many(std::vector<int>{1, 4}).count(), 1U);
}

TEST(BulkCalls, SeesARepetitionInsideOneBatch) {
    filter f(bits{64'000'057}, hashes{7});
    const bitmap fresh = f.try_insert_many(std::vector<std::string>{"a", "b", "a"});
    EXPECT_TRUE(fresh[0] && fresh[1] && !fresh[2]);
}

TEST(BulkCalls, TakesDigestsMadeOnce) {
    filter a(bits{1000}, hashes{3});
    filter b(bits{5000}, hashes{4});
    const std::vector digests{a.digest("x"), a.digest("y")};
    a.insert_many(digests);
    b.insert_many(digests);
    EXPECT_TRUE(a.may_contain("x") && b.may_contain("y"));
    EXPECT_TRUE(b.may_contain(a.digest("x")));
    EXPECT_EQ(b.may_contain_many(digests).count(), 2U);
}

TEST(BulkCalls, WorksThroughTheHandle) {
    any_filter f = filter(bits{10'007}, hashes{7});
    const std::vector<std::string_view> keys{"a", "b", "a"};
    bitmap answers;
    f.try_insert_many(keys, answers);
    EXPECT_EQ(answers.count(), 2U);
    f.insert_many(keys);
    f.may_contain_many(keys, answers);
    EXPECT_EQ(answers.count(), 3U);
    const std::vector<std::uint64_t> numbers{1, 2};
    f.insert_many(numbers);
    f.try_insert_many(numbers, answers);
    EXPECT_EQ(answers.count(), 0U);
    f.may_contain_many(numbers, answers);
    EXPECT_EQ(answers.count(), 2U);
    EXPECT_TRUE(f.get_if<filter>()->may_contain(1)) << "integers are integer keys";
}

TEST(AnyFilter, TakesEveryKindOfKeyAsTheFilterInsideDoes) {
    filter plain(bits{10'007}, hashes{7});
    any_filter handle = plain;
    const std::vector<std::string> words{"a", "b"};
    const std::tuple compound{1, std::string("x")};
    plain.insert_many(words);
    plain.insert(42);
    plain.insert(compound);
    handle.insert_many(words);
    EXPECT_TRUE(handle.try_insert(42));
    EXPECT_FALSE(handle.try_insert(42));
    EXPECT_TRUE(handle.try_insert(compound));
    EXPECT_EQ(*handle.get_if<filter>(), plain);
    EXPECT_TRUE(handle.may_contain("a") && handle.may_contain(42) && handle.may_contain(compound));
    EXPECT_FALSE(handle.may_contain("42"));
    any_filter narrow = basic_filter<layout::classic<>, hash::xxh3_64>(bits{10'007}, hashes{7});
    narrow.insert_many(words);
    narrow.insert(42);
    narrow.insert(compound);
    EXPECT_TRUE(std::ranges::equal(narrow.words(), plain.words()));
    EXPECT_TRUE(narrow.may_contain("b") && !narrow.may_contain("c"));
    EXPECT_EQ(any_filter::view_of(plain).words().data(), plain.words().data());
}

TEST(Locations, ServeFiltersOfEverySize) {
    classic_filter small(bits{1000}, hashes{5});
    classic_filter large(bits{1'000'000}, hashes{5});
    small.insert("x");
    large.insert("x");
    const auto raw = small.locations("x", 5);
    EXPECT_EQ(raw, large.locations("x", 5));
    EXPECT_TRUE(small.test_locations(raw));
    EXPECT_TRUE(large.test_locations(raw));
    EXPECT_FALSE(large.test_locations(small.locations("y", 5)));
    EXPECT_TRUE(large.test_locations({}));
}

} // namespace
} // namespace bloomery
