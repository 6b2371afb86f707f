// The contract for filters of bits, chosen at run time and at compile time.
#include <bloomery/bloomery.hpp>
#include <bloomery/filter/pmr.hpp>

#include "suite.hpp"

#include <deque>

namespace bloomery::testing {
namespace {

template <class F>
struct of_bits : usual_subject {
    using type = F;
    static F make() { return F(items{1000}, rate{0.001}); }
    static F make_other() { return F(items{5000}, rate{0.001}); }
};
struct plain : of_bits<filter> {
    static constexpr const char* name = "filter";
};
struct with_arena : of_bits<pmr::filter> {
    static constexpr const char* name = "pmr_filter";
};
struct classic : of_bits<classic_filter> {
    static constexpr const char* name = "classic_filter";
};
struct blocked : of_bits<blocked_filter> {
    static constexpr const char* name = "blocked_filter";
};
struct fast : of_bits<fast_filter> {
    static constexpr const char* name = "fast_filter";
};
struct line : of_bits<line_filter> {
    static constexpr const char* name = "line_filter";
};
struct deep : of_bits<deep_filter> {
    static constexpr const char* name = "deep_filter";
};
struct borrowed : usual_subject {
    static constexpr const char* name = "borrowed_filter";
    static constexpr bool stays_when_moved = true;
    using type = borrowed_filter;
    static type over(std::uint64_t n) {
        static std::deque<std::vector<std::uint64_t>> arrays;
        const layout::native places(layout::native::shape_for(items{n}, rate{0.001}));
        arrays.emplace_back(places.word_count());
        return type(places, storage::borrowed_words(arrays.back()));
    }
    static type make() { return over(1000); }
    static type make_other() { return over(5000); }
};

using native_subjects =
    ::testing::Types<plain, with_arena, classic, blocked, fast, line, deep, borrowed>;
INSTANTIATE_TYPED_TEST_SUITE_P(Native, FilterContract, native_subjects, subject_names);
const std::size_t native_count =
    cover<plain, with_arena, classic, blocked, fast, line, deep, borrowed>();

/// Views have no statistics and no state of their own; their verbs change what they view.
template <class View, class F>
void check_view(F& viewed, const View& view) {
    static_assert(filter_like<View> && filter_like<View, std::uint64_t> &&
                  filter_like<View, compound_key>);
    F alone = viewed;
    const auto keys = keys_from<std::string>(0, 300);
    const std::vector<bool> fresh = bits_of(alone.try_insert_many(keys));
    EXPECT_EQ(bits_of(view.try_insert_many(keys)), fresh);
    EXPECT_TRUE(viewed == alone);
    EXPECT_EQ(view.may_contain_many(keys).count(), keys.size());
    EXPECT_FALSE(view.try_insert(keys[0]));
    view.insert(std::uint64_t{7});
    alone.insert(std::uint64_t{7});
    view.insert_many(keys_from<compound_key>(0, 100));
    alone.insert_many(keys_from<compound_key>(0, 100));
    EXPECT_TRUE(viewed == alone);
}

TEST(ViewContract, ASharedViewSetsTheBitsOfItsFilter) {
    filter made = plain::make();
    check_view(made, made.shared());
    fast_filter quick = fast::make();
    check_view(quick, quick.shared());
    any_filter any = plain::make();
    check_view(any, any.shared());
    any_filter any_quick = fast::make();
    check_view(any_quick, any_quick.shared());
}
const std::size_t view_count = [] {
    covered_types().insert(covered_types().end(),
                           {"shared_view", "shared_view of fast_filter", "any_shared_view",
                            "any_shared_view of fast_filter", "filter_view"});
    return std::size_t{5};
}();

TEST(ViewContract, AViewOverConstWordsOnlyAnswers) {
    static_assert(queryable<filter_view> && measurable<filter_view> && !filter_like<filter_view> &&
                  !mergeable<filter_view> && !clearable<filter_view> && !shareable<filter_view>);
    filter made = plain::make();
    made.insert("one");
    const filter_view view(made.layout(), storage::viewed_words(made.words()), made.hash());
    EXPECT_TRUE(view.may_contain("one") && view == made);
    any_filter handle = any_filter::view_of(made);
    EXPECT_TRUE(handle == any_filter(made));
    EXPECT_THROW(handle.insert("two"), unsupported);
    EXPECT_THROW((void)handle.try_insert("two"), unsupported);
    EXPECT_THROW(handle.insert_many(keys_from<std::string>(0, 2)), unsupported);
    EXPECT_THROW(handle.clear(), unsupported);
    EXPECT_FALSE(made.may_contain("two"));
}

} // namespace
} // namespace bloomery::testing
