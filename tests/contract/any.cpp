// The contract for any_filter, whatever is inside.
#include <bloomery/bloomery.hpp>
#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/file.hpp>

#include "suite.hpp"
#include "temporary_folder.hpp"

namespace bloomery::testing {
namespace {

constexpr abilities at_run_time(abilities can) {
    can.at_run_time = true;
    return can;
}

struct of_any : usual_subject {
    static constexpr abilities can = at_run_time(bits_can);
    using type = any_filter;
};
/// Holding an F.
template <class F>
struct any_of : of_any {
    static any_filter make() { return F(items{1000}, rate{0.001}); }
    static any_filter make_other() { return F(items{5000}, rate{0.001}); }
};
struct any_plain : any_of<filter> {
    static constexpr const char* name = "any_of_filter";
};
struct any_classic : any_of<classic_filter> {
    static constexpr const char* name = "any_of_classic_filter";
};
struct any_fast : any_of<fast_filter> {
    static constexpr const char* name = "any_of_fast_filter";
};
struct any_counting : any_of<counting_filter> {
    static constexpr const char* name = "any_of_counting_filter";
    static constexpr abilities can = at_run_time(counters_can);
};
struct any_spectral : any_of<spectral_filter> {
    static constexpr const char* name = "any_of_spectral_filter";
    static constexpr abilities can = at_run_time(counters_can);
};
struct any_minimal_increase : any_of<minimal_increase_filter> {
    static constexpr const char* name = "any_of_minimal_increase_filter";
    static constexpr abilities can =
        at_run_time({.count = true, .intersect = false, .share = false});
    static constexpr bool merge_differs = true;
};
struct any_recurring_minimum : any_of<recurring_minimum_filter> {
    static constexpr const char* name = "any_of_recurring_minimum_filter";
    static constexpr abilities can = at_run_time(
        {.erase = true, .count = true, .merge = false, .intersect = false, .share = false});
};
struct any_dynamic_count : any_of<dynamic_count_filter> {
    static constexpr const char* name = "any_of_dynamic_count_filter";
    static constexpr abilities can = at_run_time(counters_can);
};
struct any_dleft : any_of<dleft_filter> {
    static constexpr const char* name = "any_of_dleft_filter";
    static constexpr abilities can = at_run_time(counters_can);
    static constexpr bool merge_differs = true;
    static any_filter make_small() {
        return dleft_filter(items{50}, rate{0.0001}, {.stash_entries = 2});
    }
};
struct any_accurate : any_of<accurate_filter> {
    static constexpr const char* name = "any_of_accurate_filter";
    static constexpr abilities can = at_run_time(counters_can);
};
struct any_scalable : any_of<scalable_filter> {
    static constexpr const char* name = "any_of_scalable_filter";
    static constexpr abilities can = at_run_time(growing_can);
    static any_filter make_small() {
        return scalable_filter(items{100}, rate{1e-6}, {.most_layers = 2, .least_items = 100});
    }
};
struct any_window : any_of<window_filter> {
    static constexpr const char* name = "any_of_window_filter";
    static constexpr abilities can =
        at_run_time({.merge = false, .intersect = false, .share = false});
};
struct any_excepted_bits : of_any {
    static constexpr const char* name = "any_of_excepted_filter";
    static constexpr abilities can = at_run_time({.share = false});
    static any_filter make() { return excepted<filter>(filter(items{1000}, rate{0.001})); }
    static any_filter make_other() { return excepted<filter>(filter(items{5000}, rate{0.001})); }
};
struct any_layers : of_any {
    static constexpr const char* name = "any_of_redisbloom_layers";
    static constexpr abilities can =
        at_run_time({.merge = false, .intersect = false, .share = false});
    static any_filter with(std::uint64_t n, const layer_rules& rules) {
        return any_filter(std::in_place, redisbloom_layers(items{n}, rate{1e-6}, rules));
    }
    static any_filter make() { return with(1000, {}); }
    static any_filter make_small() {
        return with(100, {.options = redisbloom_no_scaling | redisbloom_force_64});
    }
};
struct any_guava : of_any {
    static constexpr const char* name = "any_of_guava_filter";
    static any_filter make() { return guava_filter(bits{20'032}, hashes{7}); }
    static any_filter make_other() { return guava_filter(bits{40'000}, hashes{7}); }
};
struct any_nibbles : of_any {
    static constexpr const char* name = "any_of_hadoop_counting_filter";
    static constexpr abilities can = at_run_time({.erase = true, .count = true, .share = false});
    static constexpr bool merge_differs = true;
    static any_filter make() {
        return any_filter(std::in_place, hadoop_counting_filter(bits{20'000}, hashes{7}));
    }
};
/// In a file that is changed where it lies. A copy of it is in memory, and equal.
struct any_mapped : of_any {
    static constexpr const char* name = "any_of_mapped_filter";
    static constexpr abilities can = at_run_time({.intersect = false, .clear = false});
    static any_filter with(std::uint64_t n) {
        static const temporary_folder folder;
        static int number = 0;
        const std::string path = folder / (std::to_string(++number) + ".bloom");
        save(filter(items{n}, rate{0.001}), path);
        return map(path, map_mode::read_write);
    }
    static any_filter make() { return with(1000); }
    static any_filter make_other() { return with(5000); }
};

using any_subjects =
    ::testing::Types<any_plain, any_classic, any_fast, any_counting, any_spectral,
                     any_minimal_increase, any_recurring_minimum, any_dynamic_count, any_dleft,
                     any_accurate, any_scalable, any_window, any_excepted_bits, any_layers,
                     any_guava, any_nibbles, any_mapped>;
INSTANTIATE_TYPED_TEST_SUITE_P(Any, FilterContract, any_subjects, subject_names);
const std::size_t any_count =
    cover<any_plain, any_classic, any_fast, any_counting, any_spectral, any_minimal_increase,
          any_recurring_minimum, any_dynamic_count, any_dleft, any_accurate, any_scalable,
          any_window, any_excepted_bits, any_layers, any_guava, any_nibbles, any_mapped>();

TEST(AnyContract, FiltersOfDifferentKindsDifferAndNothingThrows) {
    const std::vector<any_filter> all{
        any_plain::make(),  any_counting::make(), any_dleft::make(), any_window::make(),
        any_layers::make(), any_nibbles::make(),  any_guava::make(), any_excepted_bits::make()};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j) {
            EXPECT_EQ(all[i] == all[j], i == j) << i << ' ' << j;
        }
    }
}

TEST(AnyContract, FiltersOfEqualSpecsAreEqualWhateverTheirTypes) {
    filter made(items{1000}, rate{0.001});
    made.insert("one");
    const any_filter plain = made;
    const any_filter view = any_filter::view_of(made);
    EXPECT_TRUE(plain == view && view == plain);
    line_filter typed(items{1000}, rate{0.001});
    typed.insert("one");
    filter same(typed.layout().shape(), native_hash{}, {});
    EXPECT_FALSE(any_filter(typed) == any_filter(same));
    same.insert("one");
    EXPECT_TRUE(any_filter(typed) == any_filter(same));
    EXPECT_FALSE(plain == any_filter(filter(items{1000}, rate{0.001})));
}

TEST(AnyContract, AHandleWithoutAFilterEqualsOnlyItsLike) {
    any_filter empty = any_plain::make();
    any_filter taken = std::move(empty);
    any_filter other = any_plain::make();
    const any_filter kept = std::move(other);
    EXPECT_TRUE(empty == other);  // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_FALSE(empty == taken); // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(empty.can_share());
    EXPECT_THROW((void)empty.shared(), bad_argument);
}

TEST(AnyContract, DigestsOfManyKeysAreThoseOfOne) {
    for (const any_filter& of :
         {any_plain::make(), any_classic::make(), any_counting::make(), any_guava::make(),
          any_filter(filter(items{1000}, rate{0.001}, native_hash{}.widened())),
          any_filter(filter(items{1000}, rate{0.001}, native_hash::keyed({1, 2})))}) {
        const auto check = [&](const auto& keys) {
            const std::vector<digest128> many = of.digest_many(keys);
            ASSERT_EQ(many.size(), keys.size());
            for (std::size_t i = 0; i < keys.size(); ++i) {
                EXPECT_EQ(many[i], of.digest(keys[i])) << i;
            }
        };
        check(keys_from<std::string>(0, 300));
        check(keys_from<std::uint64_t>(0, 300));
        check(keys_from<compound_key>(0, 300));
    }
}

} // namespace
} // namespace bloomery::testing
