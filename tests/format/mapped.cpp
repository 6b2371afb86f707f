// Filters used in place: the same answers and the same bits as in memory.
#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>

#include "in_place.hpp"

#include <gtest/gtest.h>

#include <ranges>
#include <string>

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using testing::numbers;
using testing::planned;

class Mapped : public testing::InPlace {};

class MappedLayout : public testing::InPlace, public ::testing::WithParamInterface<layout_kind> {};

TEST_P(MappedLayout, HasTheBitsThatMemoryWouldHave) {
    filter expected = planned(GetParam());
    save(expected, path);
    const auto first = numbers(0, 60'000);
    const auto second = numbers(50'000, 100'000);
    {
        any_filter f = writer();
        f.insert_many(first);
        bitmap fresh;
        bitmap wanted;
        f.try_insert_many(second, fresh);
        expected.insert_many(first);
        expected.try_insert_many(second, wanted);
        EXPECT_EQ(fresh, wanted);
        EXPECT_EQ(f.try_insert(std::string_view("word")), expected.try_insert("word"));
        f.may_contain_many(second, fresh);
        EXPECT_EQ(fresh.count(), second.size());
        EXPECT_TRUE(std::ranges::equal(f.words(), expected.words()));
        EXPECT_EQ(f.stats().bits_set, expected.stats().bits_set);
    }
    EXPECT_EQ(load<filter>(path), expected);
    const any_filter f = map(path);
    bitmap maybe;
    bitmap wanted;
    const auto others = numbers(1'000'000, 1'100'000);
    f.may_contain_many(others, maybe);
    expected.may_contain_many(others, wanted);
    EXPECT_EQ(maybe, wanted);
    EXPECT_TRUE(f.may_contain(std::string_view("word")));
    EXPECT_EQ(f.stats().bits_set, expected.stats().bits_set);
    EXPECT_EQ(f.made_for(), expected.made_for());
}

TEST_P(MappedLayout, IsSealedByASync) {
    save(planned(GetParam()), path, if_exists::refuse, {"mine"});
    any_filter f = writer();
    f.insert(1);
    EXPECT_FALSE(load_header(path).state.sealed);
    EXPECT_GT(format::verify(path).unsealed_chunks, 0U);
    f.sync();
    EXPECT_TRUE(load_header(path).state.sealed);
    const format::verification found = format::verify(path);
    EXPECT_EQ(found.unsealed_chunks, 0U);
    EXPECT_TRUE(found.being_written);
    EXPECT_EQ(found.header.state.bits_set, load(path).stats().bits_set);
    EXPECT_EQ(found.header.comment, "mine");
    f.sync();
    EXPECT_EQ(load_header(path).state.generation, 3U) << "nothing changed, nothing to do";
    f.insert(1);
    f.insert(2);
    f.sync();
    EXPECT_EQ(load_header(path).state.generation, 5U);
}

TEST_P(MappedLayout, TakesInOtherFilters) {
    filter a = planned(GetParam());
    filter b = planned(GetParam());
    a.insert_many(numbers(0, 100));
    b.insert_many(numbers(100, 200));
    save(a, path);
    save(b, folder / "b.bloom");
    any_filter f = writer();
    f.merge(map(folder / "b.bloom"));
    filter both = a;
    both.merge(b);
    EXPECT_TRUE(std::ranges::equal(f.words(), both.words()));
    filter c = planned(GetParam());
    c.insert(12345);
    f.merge(any_filter(c));
    EXPECT_TRUE(f.may_contain(12345));
    any_filter in_memory(b);
    in_memory.merge(f);
    EXPECT_TRUE(in_memory.may_contain(12345));
    EXPECT_TRUE(in_memory.may_contain(0));
    EXPECT_THROW(f.merge(any_filter(planned(GetParam(), 5))), incompatible);
    f.sync();
    both.merge(c);
    EXPECT_EQ(load<filter>(path), both);
}

INSTANTIATE_TEST_SUITE_P(Layouts, MappedLayout,
                         ::testing::Values(layout_kind::classic, layout_kind::blocked_512,
                                           layout_kind::split_8x32, layout_kind::split_8x64,
                                           layout_kind::split_16x32));

TEST_F(Mapped, ForReadingTakesNoKeys) {
    save(planned(layout_kind::classic), path);
    any_filter f = map(path);
    EXPECT_THROW(f.insert(1), unsupported);
    EXPECT_THROW(f.insert_many(numbers(0, 5)), unsupported);
    EXPECT_THROW(f.merge(any_filter(planned(layout_kind::classic))), unsupported);
    EXPECT_NO_THROW(f.sync());
    EXPECT_EQ(load_header(path).state.generation, 1U);
}

// A child that ends, destructors and all, must not seal what its parent goes on changing.
// A sum that no header can have would make the file unreadable.
TEST_F(Mapped, OnlyGrows) {
    save(planned(layout_kind::classic), path);
    any_filter f = writer();
    EXPECT_THROW(f.clear(), unsupported);
    EXPECT_THROW(f.intersect(any_filter(planned(layout_kind::classic))), unsupported);
}

TEST_F(Mapped, HasCopiesOfItsOwn) {
    save(planned(layout_kind::classic), path);
    any_filter f = writer();
    f.insert(1);
    any_filter copy(static_cast<const any_filter&>(f));
    copy.insert(2);
    f.insert(3);
    EXPECT_TRUE(copy.may_contain(1));
    EXPECT_FALSE(f.may_contain(2));
    EXPECT_FALSE(copy.may_contain(3));
}

TEST_F(Mapped, MayBeHeldAsAnyFilter) {
    save(planned(layout_kind::classic), path);
    {
        any_filter f = writer();
        f.insert(1);
    }
    EXPECT_TRUE(load_header(path).state.sealed) << "whoever ends last seals";
    EXPECT_TRUE(load(path).may_contain(1));
}

// What a killed writer had not touched still has its checksum, in the same run of the system.
TEST_F(Mapped, NeedsTheSecretOfAKeyedFilterUnlessItIsKept) {
    const hash::sip_key secret{1, 2};
    filter f(bits{1000}, hashes{3}, native_hash::keyed(secret));
    f.insert("key");
    save(f, path);
    EXPECT_THROW(static_cast<void>(map(path)), bad_argument);
    EXPECT_TRUE(
        map(path, map_mode::read_only, {{.secret = secret}}).may_contain(std::string("key")));
    save(f, path, if_exists::replace, {.keep_secret = true});
    EXPECT_TRUE(map(path).may_contain(std::string("key")));
    update(path, [](any_filter& changed) { changed.insert(std::string("other")); },
           {.secret = secret});
    EXPECT_TRUE(map(path).may_contain(std::string("other"))) << "an update keeps it kept";
}

} // namespace
} // namespace bloomery
