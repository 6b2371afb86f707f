// Bulk calls take every kind of range, and survive one that throws.
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <deque>
#include <iterator>
#include <memory>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {
namespace {

TEST(BulkRanges, MayBeViewsThatOnlyMoveOn) {
    filter f(items{1000}, rate{1e-9});
    f.insert_many(std::views::iota(0, 100) | std::views::filter([](int i) { return i % 2 == 0; }));
    EXPECT_TRUE(f.may_contain(42));
    EXPECT_FALSE(f.may_contain(43));
    std::istringstream words("one two three");
    f.insert_many(std::ranges::istream_view<std::string>(words));
    EXPECT_TRUE(f.may_contain("two"));
    any_filter handle = f;
    handle.insert_many(std::views::iota(200, 300) |
                       std::views::filter([](int i) { return i % 2 == 0; }));
    EXPECT_TRUE(handle.may_contain(202) && !handle.may_contain(203));
}

TEST(BulkRanges, MayHaveProxies) {
    filter f(items{1000}, rate{1e-9});
    const std::vector<bool> bits{true, true};
    f.insert_many(bits);
    EXPECT_TRUE(f.may_contain(true));
    EXPECT_FALSE(f.may_contain(false));
}

TEST(BulkRanges, OfSmallIntegersAreHashedAsSingleOnes) {
    filter f(items{5000}, rate{1e-9});
    std::deque<short> numbers;
    for (short i = -2000; i < 2000; ++i) {
        numbers.push_back(i);
    }
    f.insert_many(numbers);
    for (const short i : numbers) {
        ASSERT_TRUE(f.may_contain(i));
    }
    EXPECT_EQ(f.may_contain_many(numbers).count(), numbers.size());
}

TEST(BulkRanges, OfTextsAreHashedAsSingleOnes) {
    const auto text = [](int i) {
        return std::string(static_cast<std::size_t>(i % 70), 'x') + std::to_string(i);
    };
    std::deque<std::string> texts;
    std::string lines;
    for (int i = 0; i < 1000; ++i) {
        texts.push_back(text(i));
        lines += texts.back() + '\n';
    }
    std::vector<const char*> pointers;
    filter one_by_one(items{1000}, rate{1e-9});
    for (const std::string& each : texts) {
        one_by_one.insert(each);
        pointers.push_back(each.c_str());
    }
    const auto expect_same = [&](auto&& keys) {
        filter f(items{1000}, rate{1e-9});
        f.insert_many(keys);
        EXPECT_TRUE(f == one_by_one);
    };
    expect_same(texts);
    expect_same(pointers);
    expect_same(std::vector<std::string_view>(texts.begin(), texts.end()));
    // Texts that are gone when the next one is read.
    expect_same(std::views::iota(0, 1000) | std::views::transform(text));
    std::istringstream in(lines);
    expect_same(std::ranges::istream_view<std::string>(in));
    any_filter handle = filter(items{1000}, rate{1e-9});
    handle.insert_many(texts);
    EXPECT_EQ(handle.may_contain_many(texts).count(), texts.size());
    EXPECT_TRUE(std::ranges::equal(handle.words(), one_by_one.words()));
}

TEST(BulkRanges, AreHashedWithTheSecretOfAKeyedHash) {
    const auto keyed = native_hash::keyed(hash::sip_key{1, 2});
    filter f(items{1000}, rate{1e-9}, keyed);
    f.insert_many(std::views::iota(std::uint64_t{0}, std::uint64_t{500}));
    for (std::uint64_t i = 0; i < 500; ++i) {
        ASSERT_TRUE(f.may_contain(i));
    }
    const filter wide = [] {
        filter made(items{1000}, rate{1e-12});
        made.insert_many(std::vector<std::uint64_t>{1, 2, 3});
        return made;
    }();
    EXPECT_TRUE(wide.may_contain(std::uint64_t{2}) && !wide.may_contain(std::uint64_t{4}));
}

TEST(Survivors, AreCopiedAndSelected) {
    filter f(items{20'000}, rate{1e-9});
    std::vector<int> keys;
    std::vector<int> members;
    std::vector<int> others;
    std::vector<std::size_t> positions;
    for (int i = 0; i < 10'000; ++i) {
        keys.push_back(i);
        if (i % 3 == 0) {
            f.insert(i);
            members.push_back(i);
            positions.push_back(static_cast<std::size_t>(i));
        } else {
            others.push_back(i);
        }
    }
    std::vector<int> found;
    f.copy_possible(keys, std::back_inserter(found));
    EXPECT_EQ(found, members);
    found.clear();
    f.copy_absent(std::views::iota(0, 10'000), std::back_inserter(found));
    EXPECT_EQ(found, others);
    std::vector<std::size_t> selected(keys.size());
    selected.resize(
        static_cast<std::size_t>(f.select_possible(keys, selected.begin()) - selected.begin()));
    EXPECT_EQ(selected, positions);
    found.clear();
    f.copy_possible(std::vector<int>{}, std::back_inserter(found));
    EXPECT_TRUE(found.empty());
}

TEST(BulkRanges, ThatThrowLeaveNoStaleAnswers) {
    const filter f(items{1000}, rate{0.01});
    bitmap answers(300);
    for (std::size_t i = 0; i < 300; ++i) {
        answers.set(i);
    }
    const auto bad = std::views::iota(0, 70) | std::views::transform([](int i) -> std::string {
                         if (i == 69) {
                             throw std::runtime_error("no such key");
                         }
                         return std::to_string(i);
                     });
    EXPECT_THROW(f.may_contain_many(bad, answers), std::runtime_error);
    EXPECT_EQ(answers.bit_count(), 70U);
    EXPECT_EQ(answers.count(), 0U);
}

// 1 << n was once made by a conversion that a processor calls invalid for n = 31.
TEST(SingleKeys, RaiseNoFloatingPointFlag) {
    filter f(items{1000}, rate{1e-6});
    std::feclearexcept(FE_ALL_EXCEPT);
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        f.insert(i);
        found += f.may_contain(i) ? 1U : 0U;
    }
    EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
    EXPECT_EQ(found, 1000U);
}

} // namespace
} // namespace bloomery
