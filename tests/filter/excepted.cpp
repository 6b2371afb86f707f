// A filter with exceptions: reported keys are denied, and inserted keys never are.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/detail/filter/nibble_counting.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/window.hpp>

#include "saved_state.hpp"
#include "verbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>
#include <vector>

namespace bloomery {
namespace {

using testing::counts;
using testing::erases;
using testing::flattened;
using testing::merges;

template <class F>
concept takes_digests = requires(F& f, digest128 key) { f.insert(key); };
using counting = nibble_counting<layout::native_scheme, native_hash>;
static_assert(!erases<excepted<filter>> && !counts<excepted<filter>>);
static_assert(erases<excepted<counting>> && counts<excepted<counting>>);
static_assert(merges<excepted<filter>> && merges<excepted<any_filter>> &&
              !merges<excepted<window_filter>>);
static_assert(!takes_digests<excepted<filter>>);

// So small and so full that it claims half of all keys.
filter excepted_crowded() { return filter(bits{64}, hashes{1}); }

exception_options prints(hash::sip_key key = {1, 2}) { return {65'536, false, true, key}; }

TEST(Excepted, DeniesWhatWasReportedUntilItIsInserted) {
    for (const auto& options : {exception_options{}, prints()}) {
        excepted<filter> f(excepted_crowded(), options);
        for (std::uint64_t key = 0; key < 40; ++key) {
            f.insert(key);
        }
        std::uint64_t absent = 1000;
        while (!f.may_contain(absent)) {
            EXPECT_EQ(f.report_false_positive(absent), status::not_present);
            ++absent;
        }
        EXPECT_EQ(f.exceptions().entry_count(), 0U);
        EXPECT_EQ(f.report_false_positive(absent), status::ok);
        EXPECT_EQ(f.report_false_positive(absent), status::ok);
        EXPECT_EQ(f.exceptions().entry_count(), 1U);
        EXPECT_FALSE(f.may_contain(absent));
        EXPECT_TRUE(f.inner().may_contain(absent));
        EXPECT_TRUE(f.try_insert(absent).fresh) << "it was surely not in";
        EXPECT_TRUE(f.may_contain(absent));
        EXPECT_FALSE(f.try_insert(absent).fresh);
        EXPECT_EQ(f.exceptions().entry_count(), 0U);
        EXPECT_EQ(f.spec().kind, filter_kind::excepted);
    }
}

TEST(Excepted, TellsNumbersFromTheirBytes) {
    for (const auto& options : {exception_options{}, prints()}) {
        excepted<filter> f(filter(bits{1}, hashes{1}), options);
        f.insert("all bits are set");
        const std::array<std::byte, 8> bytes{std::byte{7}};
        f.report_false_positive(7);
        EXPECT_FALSE(f.may_contain(std::uint64_t{7}));
        EXPECT_FALSE(f.may_contain(std::int8_t{7})) << "the same number";
        EXPECT_TRUE(f.may_contain(bytes));
        f.report_false_positive(std::tuple(1, "a"));
        EXPECT_FALSE(f.may_contain(std::tuple(1, "a")));
        EXPECT_TRUE(f.may_contain(std::tuple(1, "b")));
        f.report_false_positive("");
        EXPECT_FALSE(f.may_contain(std::string()));
        EXPECT_TRUE(f.may_contain(std::string(1, char{0})));
        EXPECT_EQ(f.exceptions().entry_count(), 3U);
    }
}

/// A filter, what is in it, and what is listed.
struct model {
    excepted<any_filter> f;
    std::set<int> in{};
    std::set<int> listed{};

    void insert(int key) {
        f.insert(key);
        in.insert(key);
        listed.erase(key);
    }
    void report(int key) {
        if (!in.contains(key) && f.inner().may_contain(key)) {
            RC_ASSERT(f.report_false_positive(key) == status::ok);
            listed.insert(key);
        }
    }
    void check() const {
        for (int key = 0; key < 100; ++key) {
            RC_ASSERT(f.is_excepted(key) == listed.contains(key));
            RC_ASSERT(f.may_contain(key) == (f.inner().may_contain(key) && !listed.contains(key)));
            RC_ASSERT(!in.contains(key) || f.may_contain(key));
        }
    }
};

model random_model(const std::vector<std::tuple<bool, std::uint8_t>>& steps,
                   const exception_options& options = {}) {
    model made{excepted<any_filter>(any_filter(excepted_crowded()), options)};
    for (const auto& [insert, key] : steps) {
        insert ? made.insert(key % 100) : made.report(key % 100);
    }
    made.check();
    return made;
}

using steps = std::vector<std::tuple<bool, std::uint8_t>>;

RC_GTEST_PROP(Excepted, UnionKeepsWhatIsAbsentFromBoth, (const steps& left, const steps& right)) {
    const model a = random_model(left);
    const model b = random_model(right);
    model excepted_both = a;
    excepted_both.f.merge(b.f);
    excepted_both.in.insert(b.in.begin(), b.in.end());
    excepted_both.listed.clear();
    for (int e = 0; e < 100; ++e) {
        const bool absent_a = a.listed.contains(e) || !a.f.inner().may_contain(e);
        const bool absent_b = b.listed.contains(e) || !b.f.inner().may_contain(e);
        if (absent_a && absent_b && (a.listed.contains(e) || b.listed.contains(e))) {
            excepted_both.listed.insert(e);
        }
    }
    excepted_both.check();
}

RC_GTEST_PROP(Excepted, UnionOfFingerprintsKeepsWhatBothList,
              (const steps& left, const steps& right)) {
    const model a = random_model(left, prints());
    const model b = random_model(right, prints());
    model excepted_both = a;
    excepted_both.f.merge(b.f);
    excepted_both.in.insert(b.in.begin(), b.in.end());
    std::erase_if(excepted_both.listed, [&](int e) { return !b.listed.contains(e); });
    excepted_both.check();
}

RC_GTEST_PROP(Excepted, IntersectionListsWhatEitherLists,
              (const steps& left, const steps& right, bool fingerprints)) {
    const auto options = fingerprints ? prints() : exception_options{};
    const model a = random_model(left, options);
    const model b = random_model(right, options);
    model excepted_both = a;
    excepted_both.f.intersect(b.f);
    std::erase_if(excepted_both.in, [&](int key) { return !b.in.contains(key); });
    excepted_both.listed.insert(b.listed.begin(), b.listed.end());
    excepted_both.check();
}

RC_GTEST_PROP(Excepted, ManyKeysAreAsOneByOne, (const steps& before, const steps& then)) {
    std::set<int> keys;
    for (const auto& [unused, key] : then) {
        keys.insert(key % 100);
    }
    model one = random_model(before);
    model many = one;
    bitmap fresh;
    bitmap maybe;
    const std::vector<int> all(keys.begin(), keys.end());
    many.f.may_contain_many(all, maybe);
    for (std::size_t i = 0; i < all.size(); ++i) {
        RC_ASSERT(maybe[i] == one.f.may_contain(all[i]));
    }
    many.f.try_insert_many(all, fresh);
    model third = random_model(before);
    third.f.insert_many(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        RC_ASSERT(one.f.try_insert(all[i]).fresh == fresh[i]);
        RC_ASSERT(many.f.may_contain(all[i]) && third.f.may_contain(all[i]));
    }
    RC_ASSERT(flattened(one.f.saved()) == flattened(many.f.saved()));
    RC_ASSERT(flattened(one.f.saved()) == flattened(third.f.saved()));
}

TEST(Excepted, MergesOnlyLikeLists) {
    excepted<filter> exact(excepted_crowded());
    excepted<filter> print(excepted_crowded(), prints());
    EXPECT_THROW(exact.merge(print), incompatible);
    EXPECT_THROW(print.merge(excepted<filter>(excepted_crowded(), prints({3, 4}))), incompatible);
    EXPECT_THROW(exact.intersect(excepted<filter>(filter(bits{65}, hashes{1}))), incompatible);
    EXPECT_THROW(excepted<any_filter>(any_filter(std::in_place, counting(bits{64}, hashes{2})))
                     .merge(excepted<any_filter>(any_filter(excepted_crowded()))),
                 incompatible);
    EXPECT_NO_THROW(exact.merge(excepted<filter>(excepted_crowded())));
}

TEST(Excepted, GoesAroundEveryKind) {
    excepted<counting> counted(counting(bits{64}, hashes{1}));
    excepted<scalable_filter> grown(scalable_filter({1000}, {0.3}));
    excepted<window_filter> window(window_filter({1000}, {0.3}));
    for (int key = 0; key < 40; ++key) {
        counted.insert(key);
    }
    for (int key = 0; key < 1000; ++key) {
        grown.insert(key);
        window.insert(key);
    }
    const auto report = [](auto& f) {
        int absent = 10'000;
        while (!f.may_contain(absent)) {
            ++absent;
        }
        f.report_false_positive(absent);
        EXPECT_FALSE(f.may_contain(absent));
        return absent;
    };
    const int absent = report(counted);
    EXPECT_EQ(counted.count(absent), 0U);
    EXPECT_EQ(counted.erase(absent), status::not_present) << "it would take from others";
    EXPECT_TRUE(counted.is_excepted(absent));
    for (int key = 0; key < 40; ++key) {
        ASSERT_EQ(counted.erase(key), status::ok);
    }
    const int gone = report(grown);
    EXPECT_TRUE(grown.try_insert(gone).fresh);
    EXPECT_TRUE(grown.may_contain(gone));
    const int old = report(window);
    EXPECT_TRUE(window.try_insert(old).fresh);
    EXPECT_TRUE(window.may_contain(old));
    EXPECT_EQ(grown.facts().back().name, "exceptions refused");

    scalable_options single;
    single.most_layers = 1;
    excepted<scalable_filter> full(scalable_filter({1000}, {0.3}, single));
    int next = 0;
    while (full.try_insert(next).state == status::ok) {
        ++next;
    }
    const int listed = report(full);
    EXPECT_THROW(full.insert_many(std::vector{next}), filter_full);
    EXPECT_EQ(full.try_insert(listed).state, status::ok) << "its bits are set: it takes no room";
    EXPECT_TRUE(full.may_contain(listed));
}

TEST(Excepted, ClearsBoth) {
    excepted<filter> f(filter(bits{1}, hashes{1}));
    f.insert(1);
    f.report_false_positive(2);
    f.clear();
    EXPECT_EQ(f.exceptions().entry_count(), 0U);
    f.insert(1);
    EXPECT_TRUE(f.may_contain(2));
}

TEST(Excepted, ComesBackFromItsWords) {
    for (const auto& options : {exception_options{}, prints()}) {
        excepted<scalable_filter> f(scalable_filter({100}, {0.3}), options);
        for (int i = 0; i < 1500; ++i) {
            f.insert(i);
        }
        for (int i = 10'000; i < 10'100; ++i) {
            f.report_false_positive(i);
            f.report_false_positive(std::string(static_cast<std::size_t>(i % 30), 'x'));
        }
        const auto words = flattened(f.saved());
        const excepted_words parts = split_excepted(words);
        EXPECT_EQ(parts.inner, filter_kind::scalable);
        spec what = f.spec();
        what.kind = parts.inner;
        auto inner =
            scalable_filter::restored(what, f.made_for(), f.inner().hash(), parts.inner_words);
        const auto again =
            excepted<scalable_filter>::restored(std::move(inner), parts.list, options.key);
        EXPECT_EQ(flattened(again.saved()), words);
        for (int i = 10'000; i < 10'200; ++i) {
            ASSERT_EQ(again.may_contain(i), f.may_contain(i));
        }
        EXPECT_THROW((void)excepted<filter>::restored(excepted_crowded(), parts.list, options.key),
                     bad_data);
    }
    EXPECT_THROW((void)split_excepted({}), bad_data);
}

TEST(Excepted, TakesAKeyOffTheListAgain) {
    excepted<filter> f(filter(bits{1}, hashes{1}));
    f.insert("in");
    f.report_false_positive("out");
    f.report_false_positive(7);
    EXPECT_FALSE(f.withdraw("in"));
    EXPECT_TRUE(f.withdraw("out"));
    EXPECT_FALSE(f.withdraw("out"));
    EXPECT_TRUE(f.may_contain("out"));
    EXPECT_FALSE(f.may_contain(7));
    EXPECT_TRUE(f.withdraw(7));
    EXPECT_EQ(f.exceptions().entry_count(), 0U);
}

TEST(Excepted, AnyFilterGetsAListOnce) {
    const any_filter plain = filter(bits{1}, hashes{1});
    EXPECT_EQ(&without_exceptions(plain), &plain);
    any_filter listed = with_exceptions(plain, {.most_entries = 5});
    listed.insert("in");
    ASSERT_NE(listed.get_if<any_excepted>(), nullptr);
    listed.get_if<any_excepted>()->report_false_positive("out");
    listed = with_exceptions(std::move(listed), {.most_entries = 9});
    EXPECT_EQ(listed.get_if<any_excepted>()->exceptions().options().most_entries, 5U);
    EXPECT_FALSE(listed.may_contain("out"));
    EXPECT_EQ(without_exceptions(listed).spec().kind, filter_kind::bloom);
    EXPECT_TRUE(without_exceptions(listed).may_contain("out"));
    const any_filter again = std::move(*listed.get_if<any_excepted>()).inner();
    EXPECT_TRUE(again.may_contain("out"));
}

} // namespace
} // namespace bloomery
