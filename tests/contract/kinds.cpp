// The contract for the other kinds.
#include <bloomery/bloomery.hpp>
#include <bloomery/detail/filter/layered.hpp>

#include "suite.hpp"

namespace bloomery::testing {
namespace {

template <class F>
struct of_kind : usual_subject {
    using type = F;
    static F make() { return F(items{1000}, rate{0.001}); }
    static F make_other() { return F(items{5000}, rate{0.001}); }
};
template <class F>
struct of_counters : of_kind<F> {
    static constexpr abilities can = counters_can;
};
struct flat_counting : of_counters<counting_filter> {
    static constexpr const char* name = "counting_filter_flat";
};
struct blocked_counting : of_counters<counting_filter> {
    static constexpr const char* name = "counting_filter_blocked";
    static counting_filter make() {
        return {items{1000}, rate{0.001}, {.layout = counter_layout::blocked}};
    }
};
struct spectral : of_counters<spectral_filter> {
    static constexpr const char* name = "spectral_filter";
};
struct minimal_increase : of_kind<minimal_increase_filter> {
    static constexpr const char* name = "minimal_increase_filter";
    static constexpr abilities can{.count = true, .intersect = false, .share = false};
    static constexpr bool merge_differs = true;
};
struct recurring_minimum : of_kind<recurring_minimum_filter> {
    static constexpr const char* name = "recurring_minimum_filter";
    static constexpr abilities can{
        .erase = true, .count = true, .merge = false, .intersect = false, .share = false};
};
struct dynamic_count : of_counters<dynamic_count_filter> {
    static constexpr const char* name = "dynamic_count_filter";
};
struct dleft : of_counters<dleft_filter> {
    static constexpr const char* name = "dleft_filter";
    static constexpr bool merge_differs = true;
    static dleft_filter make_small() { return {items{50}, rate{0.0001}, {.stash_entries = 2}}; }
};
struct accurate : of_counters<accurate_filter> {
    static constexpr const char* name = "accurate_filter";
};
struct accurate_large : of_counters<accurate_filter> {
    static constexpr const char* name = "accurate_filter_large_blocks";
    static accurate_filter make() { return {items{1000}, rate{0.001}, {.block_bits = 2048}}; }
};
struct scalable : of_kind<scalable_filter> {
    static constexpr const char* name = "scalable_filter";
    static constexpr abilities can = growing_can;
    static constexpr bool fast_layers = false;
    static scalable_filter make_small() {
        return {items{100}, rate{1e-6}, {.most_layers = 2, .least_items = 100}};
    }
};
struct fast_scalable : scalable {
    static constexpr const char* name = "scalable_filter_fast_layers";
    static scalable_filter make() { return {items{100}, rate{0.001}, {.fast_layers = true}}; }
    static scalable_filter make_small() {
        return {
            items{100}, rate{1e-6}, {.most_layers = 2, .least_items = 100, .fast_layers = true}};
    }
};
struct window : of_kind<window_filter> {
    static constexpr const char* name = "window_filter";
    static constexpr abilities can{.merge = false, .intersect = false, .share = false};
};
struct excepted_bits : usual_subject {
    static constexpr const char* name = "excepted_filter";
    static constexpr abilities can{.share = false};
    using type = excepted<filter>;
    static type make() { return type(filter(items{1000}, rate{0.001})); }
    static type make_other() { return type(filter(items{5000}, rate{0.001})); }
};
struct excepted_counting : usual_subject {
    static constexpr const char* name = "excepted_counting_filter";
    static constexpr abilities can = counters_can;
    using type = excepted<counting_filter>;
    static type make() { return type(flat_counting::make()); }
    static type make_other() { return type(flat_counting::make_other()); }
};
struct excepted_scalable : usual_subject {
    static constexpr const char* name = "excepted_scalable_filter";
    static constexpr abilities can = growing_can;
    using type = excepted<scalable_filter>;
    static type make() { return type(scalable::make()); }
    static type make_small() { return type(scalable::make_small()); }
};
template <class F>
struct of_layers : usual_subject {
    static constexpr abilities can{.merge = false, .intersect = false, .share = false};
    using type = F;
    static F make() { return F(items{1000}, rate{0.001}, layer_rules{}); }
    static F make_small() {
        return F(items{100}, rate{1e-6},
                 layer_rules{.options = redisbloom_no_scaling | redisbloom_force_64});
    }
};
struct redisbloom : of_layers<redisbloom_layers> {
    static constexpr const char* name = "redisbloom_layers";
};
struct redisbloom_32 : of_layers<redisbloom_32_layers> {
    static constexpr const char* name = "redisbloom_32_layers";
};

using kind_subjects =
    ::testing::Types<flat_counting, blocked_counting, spectral, minimal_increase, recurring_minimum,
                     dynamic_count, dleft, accurate, accurate_large, scalable, fast_scalable,
                     window, excepted_bits, excepted_counting, excepted_scalable, redisbloom,
                     redisbloom_32>;
INSTANTIATE_TYPED_TEST_SUITE_P(Kinds, FilterContract, kind_subjects, subject_names);
const std::size_t kind_count =
    cover<flat_counting, blocked_counting, spectral, minimal_increase, recurring_minimum,
          dynamic_count, dleft, accurate, accurate_large, scalable, fast_scalable, window,
          excepted_bits, excepted_counting, excepted_scalable, redisbloom, redisbloom_32>();

// A cascade is built once, and only answers.
TEST(CascadeContract, AnswersAsAllDoAndTakesNothingIn) {
    static_assert(queryable<cascade> && queryable<cascade, std::uint64_t> &&
                  !filter_like<cascade> && !mergeable<cascade> && !clearable<cascade> &&
                  !erasable<cascade>);
    const auto stored = keys_from<std::string>(0, 300);
    const auto others = keys_from<std::string>(1000, 3000);
    const cascade made = build_cascade(stored, others);
    static_assert(measurable<cascade>);
    EXPECT_TRUE(made == build_cascade(stored, others));
    std::vector<digest128> hashed;
    for (const std::string& key : stored) {
        EXPECT_TRUE(made.may_contain(key));
        hashed.push_back(made.digest(key));
    }
    EXPECT_EQ(made.may_contain_many(hashed).count(), stored.size());
    EXPECT_EQ(made.may_contain_many(stored).count(), stored.size());
    EXPECT_EQ(made.may_contain_many(others).count(), 0U);
    any_filter handle = made;
    EXPECT_EQ(handle.may_contain_many(stored).count(), stored.size());
    EXPECT_EQ(handle.may_contain_many(others).count(), 0U);
    EXPECT_TRUE(handle == any_filter(made));
    EXPECT_THROW(handle.insert("one"), unsupported);
    EXPECT_THROW((void)handle.try_insert("one"), unsupported);
    EXPECT_THROW(handle.insert_many(stored), unsupported);
    EXPECT_FALSE(handle.can_share());
}
const std::size_t cascade_count = [] {
    covered_types().insert(covered_types().end(), {"cascade", "any_filter of a cascade"});
    return std::size_t{2};
}();

} // namespace
} // namespace bloomery::testing
