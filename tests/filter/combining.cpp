// Union, intersection, equality, and what refuses to be combined.
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

namespace bloomery {
namespace {

filter of(const std::vector<int>& keys, bits m = bits{10'007}, hashes k = hashes{7},
          native_hash h = {}) {
    filter f(m, k, h);
    f.insert_many(keys);
    return f;
}

std::vector<int> combining_range(int from, int to) {
    std::vector<int> numbers;
    for (int i = from; i < to; ++i) {
        numbers.push_back(i);
    }
    return numbers;
}

RC_GTEST_PROP(Merge, EqualsTheFilterOfTheUnion,
              (const std::vector<int>& a, const std::vector<int>& b)) {
    filter merged = of(a);
    merged.merge(of(b));
    std::vector<int> both = a;
    both.insert(both.end(), b.begin(), b.end());
    RC_ASSERT(merged == of(both));
}

TEST(Intersect, HoldsEveryCommonKey) {
    filter both = of(combining_range(0, 600));
    both.intersect(of(combining_range(400, 1000)));
    for (const int key : combining_range(400, 600)) {
        EXPECT_TRUE(both.may_contain(key));
    }
    int wrong = 0;
    for (const int key : combining_range(0, 400)) {
        wrong += both.may_contain(key) ? 1 : 0;
    }
    EXPECT_LT(wrong, 60) << "most keys of one side only are gone";
}

TEST(Intersect, SaysThatItsBitsDoNotTellHowManyKeysAreIn) {
    filter both = of(combining_range(0, 600));
    EXPECT_FALSE(both.stats().intersected);
    both.intersect(of(combining_range(500, 1100)));
    EXPECT_TRUE(both.stats().intersected);
    EXPECT_GT(both.estimated_items().items, 150); // of 100: bits meet by chance
    filter more = of({7});
    more.merge(both);
    EXPECT_TRUE(more.stats().intersected);
    both.clear();
    EXPECT_FALSE(both.stats().intersected);

    any_filter any = of({1, 2});
    any.intersect(of({2, 3}));
    EXPECT_TRUE(any.stats().intersected);
    classic_filter plain(bits{10'007}, hashes{7}); // of another type, and of the same spec
    any_filter other = plain;
    other.merge(any);
    EXPECT_TRUE(other.stats().intersected);
}

TEST(Merge, OfIncompatibleFiltersThrowsAndChangesNothing) {
    filter f = of(combining_range(0, 100));
    const filter before = f;
    const auto refused = [&](const filter& other, const char* reason) {
        const compatibility verdict = f.compatible_with(other);
        EXPECT_FALSE(verdict);
        EXPECT_NE(verdict.reason.find(reason), std::string::npos) << verdict.reason;
        EXPECT_THROW(f.merge(other), incompatible);
        EXPECT_THROW(f.intersect(other), incompatible);
        EXPECT_EQ(f, before);
    };
    refused(of({1}, bits{10'008}), "number of bits: 10007 and 10008");
    refused(of({1}, bits{10'007}, hashes{6}), "hashes per key: 7 and 6");
    refused(of({1}, bits{10'007}, hashes{7}, native_hash::seeded(1)), "seeds or keys");
    refused(of({1}, bits{10'007}, hashes{7}, native_hash::keyed({1, 2})), "hash: xxh3_64");
    EXPECT_TRUE(f.compatible_with(before));
    EXPECT_EQ(f.compatible_with(before).reason, "");
}

struct salted {
    int salt;
    std::uint64_t operator()(byte_view bytes) const {
        return bytes.size() + static_cast<unsigned>(salt);
    }
};

TEST(Merge, RefusesHashesThatItCannotCompare) {
    using salted_filter = basic_filter<layout::classic<>, salted>;
    salted_filter a(bits{100}, hashes{2}, salted{1});
    EXPECT_THROW(a.merge(salted_filter(bits{100}, hashes{2}, salted{2})), incompatible);
}

TEST(Merge, WorksAcrossStorages) {
    filter source = of(combining_range(0, 50));
    std::vector<std::uint64_t> array(source.words().size());
    borrowed_filter target(source.layout(), storage::borrowed_words(array));
    target.insert(1000);
    target.merge(source);
    EXPECT_TRUE(target.may_contain(49) && target.may_contain(1000));
    EXPECT_NE(array, std::vector<std::uint64_t>(array.size()));
    source.merge(target);
    EXPECT_TRUE(source.may_contain(1000));
    EXPECT_EQ(source, target);
}

TEST(Equality, IsOfSpecAndBits) {
    EXPECT_EQ(of({1, 2, 3}), of({3, 2, 1, 1}));
    EXPECT_NE(of({1, 2, 3}), of({1, 2}));
    EXPECT_NE(of({}), of({}, bits{10'008}));
}

TEST(Copying, IsDeepAndMovingIsNot) {
    filter a = of({1});
    filter b = a;
    b.insert(2);
    EXPECT_FALSE(a.may_contain(2));
    const std::uint64_t* const where = b.words().data();
    const filter c = std::move(b);
    EXPECT_EQ(c.words().data(), where);
    a = c;
    EXPECT_EQ(a, c);
}

TEST(Clear, ForgetsEverything) {
    filter f = of(combining_range(0, 100));
    f.clear();
    EXPECT_EQ(f, of({}));
    EXPECT_EQ(f.fill_ratio(), 0);
}

TEST(AnyFilter, CombinesOnlyWhatIsTheSame) {
    any_filter a = of({1});
    const any_filter b = of({2});
    a.merge(b);
    EXPECT_EQ(a.stats().bits_set, of({1, 2}).stats().bits_set);
    any_filter copy = a;
    copy.clear();
    EXPECT_GT(a.stats().bits_set, 0U);
    EXPECT_THROW(a.merge(of({1}, bits{9})), incompatible);
    using other_type = basic_filter<layout::classic<>, hash::xxh3_64>;
    const any_filter same_spec = other_type(bits{10'007}, hashes{7});
    any_filter of_other_type = same_spec;
    of_other_type.insert(3);
    a.merge(of_other_type);
    EXPECT_TRUE(a.may_contain(3)) << "what is the same need not be of one type";
    a.intersect(of_other_type);
    EXPECT_TRUE(a.may_contain(3));
    EXPECT_FALSE(a.may_contain(1));
    a.merge(b);
    struct anonymous {
        std::uint64_t operator()(byte_view bytes) const { return bytes.size(); }
    };
    const any_filter unnamed = basic_filter<layout::classic<>, anonymous>(bits{10'007}, hashes{7});
    EXPECT_THROW(a.merge(unnamed), incompatible);
    EXPECT_EQ(a.get_if<other_type>(), nullptr);
    ASSERT_NE(a.get_if<filter>(), nullptr);
    EXPECT_TRUE(a.get_if<filter>()->may_contain(2));
}

} // namespace
} // namespace bloomery
