// Keys without a position: a handle reports them before an insert sets some of their bits.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace bloomery {
namespace {

bool has_place(const any_filter& in, const std::string& key) {
    try {
        in.require_place(key);
        return true;
    } catch (const no_place&) {
        return false;
    }
}

bool takes_key(any_filter& into, const std::string& key) {
    try {
        into.insert(key);
        return true;
    } catch (const no_place&) {
        return false;
    }
}

/// Each key goes in exactly if the question says so, and the question changes nothing.
void expect_told(const any_filter& empty, std::size_t least, std::size_t most) {
    EXPECT_TRUE(empty.may_lack_places());
    std::size_t without = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string key = i == 0 ? "" : "key " + std::to_string(i);
        const bool found = has_place(empty, key);
        EXPECT_TRUE(std::ranges::all_of(empty.words(), [](auto word) { return word == 0; }));
        any_filter filled = empty;
        ASSERT_EQ(takes_key(filled, key), found) << key;
        without += found ? 0 : 1;
    }
    EXPECT_GE(without, least);
    EXPECT_LE(without, most);
}

TEST(Places, AreToldOfFiltersThatLackSome) {
    expect_told(hutool_32_filter(bits{127}, hashes{1}, hash::java_text_hash()), 100, 900);
    expect_told(hadoop_filter(bits{1000}, hashes{3}), 1, 1);
    expect_told(any_filter(std::in_place, hadoop_counting_filter(bits{1000}, hashes{3})), 1, 1);
}

TEST(Places, AreAskedForByDigestToo) {
    const any_filter made = hutool_32_filter(bits{127}, hashes{1}, hash::java_text_hash());
    ASSERT_TRUE(made.hashes_ahead());
    for (int i = 0; i < 500; ++i) {
        const std::string key = std::to_string(i);
        bool found = true;
        try {
            made.require_place(made.digest(key));
        } catch (const no_place&) {
            found = false;
        }
        ASSERT_EQ(found, has_place(made, key));
    }
    const any_filter listed = with_exceptions(made);
    EXPECT_TRUE(listed.may_lack_places());
    for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(has_place(listed, std::to_string(i)), has_place(made, std::to_string(i)));
    }
}

TEST(Places, AreNeverLackingInOurs) {
    const any_filter ours = filter(items{10}, rate{0.1});
    EXPECT_FALSE(ours.may_lack_places());
    EXPECT_TRUE(has_place(ours, ""));
    EXPECT_FALSE(with_exceptions(ours).may_lack_places());
}

} // namespace
} // namespace bloomery
