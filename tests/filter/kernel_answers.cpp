// Accurate and d-left filters, which have kernels for queries: all kernels give the same answers,
// in bulk and one by one.
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/dleft.hpp>

#include "random.hpp"
#include "verbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace bloomery {
namespace {

template <class Filter>
class KernelAnswers : public ::testing::Test {
    static_assert(!testing::intersects<Filter>);
    static_assert(std::is_nothrow_move_constructible_v<Filter>);
};
using asked_by_kernels = ::testing::Types<accurate_filter, dleft_filter>;
TYPED_TEST_SUITE(KernelAnswers, asked_by_kernels);

TYPED_TEST(KernelAnswers, AreTheSameWithEveryKernel) {
    const kernel::id before = kernel::active();
    testing::random_source random(12);
    for (const double p : {0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4}) {
        TypeParam made(items{3000}, rate{p});
        std::vector<digest128> keys;
        for (int i = 0; i < 3000; ++i) {
            keys.push_back({random.next(), random.next()});
            made.insert(keys.back());
            keys.push_back({random.next(), random.next()});
        }
        for (const kernel::id each : kernel::all) {
            if (!kernel::is_usable(each)) {
                continue;
            }
            kernel::use(each);
            for (const std::size_t count :
                 {0U, 1U, 7U, 8U, 63U, 64U, 65U, 127U, 128U, 129U, 6000U}) {
                bitmap answers;
                made.may_contain_many(std::span(keys).first(count), answers);
                for (std::size_t i = 0; i < count; ++i) {
                    ASSERT_EQ(answers[i], made.may_contain(keys[i])) << i;
                }
                if (count % 64 != 0) {
                    ASSERT_EQ(answers.words().back() >> (count % 64), 0U) << "past the end";
                }
            }
        }
    }
    kernel::use(before);
}

TYPED_TEST(KernelAnswers, TakeManyKeysOfAnyKind) {
    TypeParam made(items{5000}, rate{0.01});
    std::vector<std::string> keys;
    for (int i = 0; i < 5000; ++i) {
        keys.push_back("key " + std::to_string(i));
    }
    made.insert_many(keys);
    bitmap answers;
    made.may_contain_many(keys, answers);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_TRUE(answers[i]);
        ASSERT_TRUE(made.may_contain(keys[i]));
    }
    made.erase_many(keys, answers);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_TRUE(answers[i]);
    }
    EXPECT_EQ(made.stats().bits_set, 0U);
    made.insert_many(keys);
    made.clear();
    EXPECT_EQ(made, TypeParam(items{5000}, rate{0.01}));
}

TYPED_TEST(KernelAnswers, EraseOfAnAbsentKeyChangesNothing) {
    TypeParam made(items{100}, rate{0.01});
    EXPECT_EQ(made.erase("key"), status::not_present);
    made.insert("one");
    const TypeParam before = made;
    EXPECT_EQ(made.erase("another"), status::not_present);
    EXPECT_EQ(made, before);
}

TYPED_TEST(KernelAnswers, OfManyAreThoseOfOneByOne) {
    EXPECT_TRUE(rc::check(
        [](const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& asked) {
            TypeParam made(items{keys.size() + 1}, rate{0.05});
            TypeParam one = made;
            made.insert_many(keys);
            for (const std::uint64_t key : keys) one.insert(key);
            RC_ASSERT(made == one);
            std::vector<std::uint64_t> all = keys;
            all.insert(all.end(), asked.begin(), asked.end());
            bitmap answers;
            made.may_contain_many(all, answers);
            for (std::size_t i = 0; i < all.size(); ++i) {
                RC_ASSERT(answers[i] == made.may_contain(all[i]));
                RC_ASSERT(i >= keys.size() || answers[i]);
            }
        }));
}

} // namespace
} // namespace bloomery
