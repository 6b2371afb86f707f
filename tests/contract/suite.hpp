// The suite of the contract: instantiate it with subjects (contract.hpp).
#pragma once

#include "contract.hpp"

namespace bloomery::testing {

/// For types that can be compared.
template <class Subject>
void expect_equal(const typename Subject::type& a, const typename Subject::type& b) {
    if constexpr (Subject::can.equality) {
        EXPECT_TRUE(a == b);
    }
}

template <class Subject>
class FilterContract : public ::testing::Test {
protected:
    /// Keys that the filter has a place for.
    static const std::string& word(std::size_t at) {
        static const std::vector<std::string> words =
            placeable(Subject::make, keys_from<std::string>(0, 100));
        return words.at(at);
    }
    const std::string& one = word(0);
    const std::string& two = word(1);
    const std::string& stranger = word(2);
};
TYPED_TEST_SUITE_P(FilterContract);

// What a kind cannot do is absent from its type, and so is what would change a const one.
TYPED_TEST_P(FilterContract, HasWhatItsKindCanDoAndNothingElse) {
    using type = typename TypeParam::type;
    constexpr abilities can = TypeParam::can;
    static_assert(filter_like<type> && filter_like<type, std::uint64_t> &&
                  filter_like<type, compound_key>);
    static_assert(measurable<type>);
    if constexpr (can.at_run_time) {
        type made = TypeParam::make();
        const type other = TypeParam::make();
        EXPECT_EQ(made.can_erase(), can.erase);
        EXPECT_EQ(made.can_count(), can.count);
        EXPECT_EQ(made.can_share(), can.share);
        EXPECT_EQ(done([&] { (void)made.shared(); }), can.share);
        EXPECT_EQ(done([&] { made.erase(this->one); }), can.erase);
        EXPECT_EQ(done([&] { made.erase_many(std::vector{this->one}); }), can.erase);
        EXPECT_EQ(done([&] { (void)made.count(this->one); }), can.count);
        EXPECT_EQ(done([&] { made.merge(other); }), can.merge);
        EXPECT_EQ(done([&] { made.intersect(other); }), can.intersect);
        EXPECT_EQ(done([&] { made.clear(); }), can.clear);
    } else {
        static_assert(erasable<type> == can.erase && erasable<type, std::uint64_t> == can.erase &&
                      erasable<type, compound_key> == can.erase);
        static_assert(erases_something<type> == can.erase);
        static_assert(countable<type> == can.count);
        static_assert(mergeable<type> == can.merge);
        static_assert(intersectable<type> == can.intersect);
        static_assert(clearable<type> == can.clear);
        static_assert(shareable<type> == can.share);
    }
    constexpr bool changes_const = requires(const type& f) { f.insert("key"); } ||
                                   requires(const type& f) { f.try_insert("key"); } ||
                                   requires(const type& f) { f.erase("key"); } ||
                                   requires(const type& f) { f.clear(); } ||
                                   requires(const type& f) { f.merge(f); };
    static_assert(!changes_const);
}

TYPED_TEST_P(FilterContract, EveryWayToInsertAndAskAgrees) {
    check_inserts<std::string>(TypeParam::make);
    check_inserts<std::uint64_t>(TypeParam::make);
    check_inserts<compound_key>(TypeParam::make);
    check_digests(TypeParam::make);
}

TYPED_TEST_P(FilterContract, EmptyRangesChangeNothing) {
    using type = typename TypeParam::type;
    type made = TypeParam::make();
    const std::vector<std::string> none;
    bitmap answers(7);
    made.insert_many(none);
    made.try_insert_many(none, answers);
    EXPECT_EQ(answers.bit_count(), 0U);
    answers.reset(7);
    made.may_contain_many(none, answers);
    EXPECT_EQ(answers.bit_count(), 0U);
    EXPECT_EQ(made.try_insert_many(none).bit_count(), 0U);
    if constexpr (TypeParam::can.erase) {
        answers.reset(7);
        made.erase_many(none, answers);
        EXPECT_EQ(answers.bit_count(), 0U);
    }
    EXPECT_FALSE(made.may_contain(this->one));
    expect_equal<TypeParam>(made, TypeParam::make());
    EXPECT_EQ(made.fill_ratio(), 0);
}

TYPED_TEST_P(FilterContract, EqualFiltersHaveEqualState) {
    using type = typename TypeParam::type;
    type a = TypeParam::make();
    type b = TypeParam::make();
    if constexpr (TypeParam::can.equality) {
        EXPECT_TRUE(a == b && !(a != b));
        a.insert(this->one);
        EXPECT_FALSE(a == b);
        b.insert(this->one);
        EXPECT_TRUE(a == b);
        const type copy = a;
        EXPECT_TRUE(copy == a);
    } else if constexpr (TypeParam::can.at_run_time) {
        EXPECT_FALSE(a == b);
    } else {
        static_assert(!std::equality_comparable<type>);
    }
}

TYPED_TEST_P(FilterContract, AFilterThatWasMovedFromIsEmpty) {
    using type = typename TypeParam::type;
    type made = TypeParam::make();
    made.insert(this->one);
    type taken = std::move(made);
    EXPECT_TRUE(taken.may_contain(this->one));
    if (!TypeParam::stays_when_moved) {
        // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
        EXPECT_FALSE(made.may_contain(this->one));
        EXPECT_EQ(made.may_contain_many(keys_from<std::string>(0, 3)).count(), 0U);
        EXPECT_THROW(made.insert(this->one), bad_argument);
        EXPECT_THROW((void)made.try_insert(this->one), bad_argument);
        EXPECT_THROW(made.insert_many(keys_from<std::string>(0, 3)), bad_argument);
        EXPECT_THROW((void)made.try_insert_many(keys_from<std::string>(0, 3)), bad_argument);
        if constexpr (TypeParam::can.erase && !TypeParam::can.at_run_time) {
            EXPECT_EQ(made.erase(this->one), status::not_present);
            EXPECT_EQ(made.erase_many(keys_from<std::string>(0, 3)).count(), 0U);
        } else if constexpr (TypeParam::can.at_run_time) {
            EXPECT_FALSE(made.can_erase());
            EXPECT_THROW(made.erase(this->one), bad_argument);
            EXPECT_THROW(made.erase_many(std::vector{this->one}), bad_argument);
        }
        // NOLINTEND(bugprone-use-after-move)
    }
    made = std::move(taken);
    EXPECT_TRUE(made.may_contain(this->one));
    made.insert(this->two);
    EXPECT_TRUE(made.may_contain(this->two));
}

TYPED_TEST_P(FilterContract, CombinesAsSetsDo) {
    using type = typename TypeParam::type;
    type a = TypeParam::make();
    type b = TypeParam::make();
    type both = TypeParam::make();
    a.insert(this->one);
    b.insert(this->two);
    both.insert(this->one);
    both.insert(this->two);
    if constexpr (TypeParam::can.merge) {
        EXPECT_TRUE(a.compatible_with(b));
        type united = a;
        united.merge(b);
        EXPECT_TRUE(united.may_contain(this->one) && united.may_contain(this->two));
        EXPECT_TRUE(united == both || TypeParam::merge_differs);
    }
    if constexpr (TypeParam::can.intersect) {
        type common = both;
        common.intersect(a);
        EXPECT_TRUE(common.may_contain(this->one));
    }
    if constexpr (TypeParam::can.clear) {
        both.clear();
        EXPECT_FALSE(both.may_contain(this->one));
        expect_equal<TypeParam>(both, TypeParam::make());
    }
}

TYPED_TEST_P(FilterContract, RefusesWhatDoesNotFitAndChangesNothing) {
    using type = typename TypeParam::type;
    if constexpr (TypeParam::can.merge && requires { TypeParam::make_other(); }) {
        type made = TypeParam::make();
        made.insert(this->one);
        const type before = made;
        const type other = TypeParam::make_other();
        EXPECT_FALSE(made.compatible_with(other));
        EXPECT_FALSE(made == other);
        EXPECT_THROW(made.merge(other), incompatible);
        if constexpr (TypeParam::can.intersect) {
            EXPECT_THROW(made.intersect(other), incompatible);
        }
        EXPECT_TRUE(made == before);
    }
}

TYPED_TEST_P(FilterContract, TakesOutWhatIsInAndCounts) {
    using type = typename TypeParam::type;
    if constexpr (TypeParam::can.erase) {
        type made = TypeParam::make();
        made.insert(this->one);
        made.insert(this->two);
        const type before = made;
        EXPECT_EQ(made.erase(this->stranger), status::not_present);
        EXPECT_TRUE(made == before);
        EXPECT_EQ(made.erase(this->one), status::ok);
        EXPECT_FALSE(made.may_contain(this->one));
        EXPECT_TRUE(made.may_contain(this->two));
        check_erases<std::string>(TypeParam::make);
        check_erases<std::uint64_t>(TypeParam::make);
        check_erases<compound_key>(TypeParam::make);
    }
    if constexpr (TypeParam::can.count) {
        type made = TypeParam::make();
        EXPECT_EQ(made.count(this->one), 0U);
        made.insert(this->one);
        EXPECT_GE(made.count(this->one), 1U);
        made.insert(this->one);
        EXPECT_GE(made.count(this->one), 2U);
    }
}

TYPED_TEST_P(FilterContract, StatisticsAreOneFamily) {
    using type = typename TypeParam::type;
    type made = TypeParam::make();
    made.insert_many(placeable(TypeParam::make, keys_from<std::string>(0, 500)));
    const statistics now = made.stats();
    EXPECT_EQ(made.fill_ratio(), now.fill_ratio);
    EXPECT_EQ(made.expected_rate(), now.expected_rate);
    EXPECT_EQ(made.estimated_items().items, now.items.items);
    EXPECT_GT(now.fill_ratio, 0);
    EXPECT_LE(now.fill_ratio, 1);
    EXPECT_GE(now.expected_rate, 0);
    EXPECT_LE(now.expected_rate, 1);
    EXPECT_LE(made.rate_at(items{10}), made.rate_at(items{1000}) + 1e-12);
    const design planned = made.made_for();
    if (planned.item_capacity != 0 && planned.target_rate != 0) {
        EXPECT_LE(made.rate_at(items{planned.item_capacity}),
                  planned.target_rate * TypeParam::most_over_target);
    }
}

// No key is dropped in silence, and nothing is half done.
TYPED_TEST_P(FilterContract, AFullFilterSaysSo) {
    using type = typename TypeParam::type;
    if constexpr (requires { TypeParam::make_small(); }) {
        type made = TypeParam::make_small();
        std::uint64_t next = 0;
        insertion told;
        while ((told = made.try_insert(next)).state != status::full) {
            EXPECT_TRUE(made.may_contain(next)) << next;
            ASSERT_LT(++next, 1'000'000U) << "it never fills up";
        }
        const type before = made;
        EXPECT_TRUE(told.fresh);
        EXPECT_FALSE(told) << "true for a key that was dropped";
        EXPECT_FALSE(made.may_contain(next));
        EXPECT_THROW(made.insert(next), filter_full);
        EXPECT_THROW(made.insert_many(std::vector{next}), filter_full);
        EXPECT_THROW((void)made.try_insert_many(std::vector{next}), filter_full);
        EXPECT_TRUE(made == before) << "nothing changed";
        EXPECT_FALSE(made.try_insert(std::uint64_t{0})) << "it is in already";
        made.insert(std::uint64_t{0});
        type bulk = TypeParam::make_small();
        std::vector<std::uint64_t> all(next + 1);
        for (std::uint64_t i = 0; i <= next; ++i) {
            all[i] = i;
        }
        EXPECT_THROW(bulk.insert_many(all), filter_full);
        all.pop_back();
        EXPECT_EQ(bulk.may_contain_many(all).count(), next) << "those before are in";
    }
}

REGISTER_TYPED_TEST_SUITE_P(FilterContract, HasWhatItsKindCanDoAndNothingElse,
                            EveryWayToInsertAndAskAgrees, EmptyRangesChangeNothing,
                            EqualFiltersHaveEqualState, AFilterThatWasMovedFromIsEmpty,
                            CombinesAsSetsDo, RefusesWhatDoesNotFitAndChangesNothing,
                            TakesOutWhatIsInAndCounts, StatisticsAreOneFamily, AFullFilterSaysSo);

/// Names a test after its type.
struct subject_names {
    template <class Subject>
    static std::string GetName(int /*index*/) {
        return Subject::name;
    }
};

/// What most subjects are like.
struct usual_subject {
    static constexpr abilities can = bits_can;
    static constexpr bool stays_when_moved = false; ///< over words of somebody else
    static constexpr bool merge_differs = false;    ///< a union is not what one filter would have
    static constexpr double most_over_target = 1.2; ///< the rate when full, over the one asked for
};

} // namespace bloomery::testing
