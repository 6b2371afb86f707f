// What a mistyped word was meant to be: the nearest one, if it is near.
#include <bloomery/detail/text/words.hpp>
#include <bloomery/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::text {
namespace {

TEST(Nearest, CountsLettersPutInLeftOutExchangedAndSwapped) {
    EXPECT_EQ(edit_distance("grep", "grep"), 0U);
    EXPECT_EQ(edit_distance("gre", "grep"), 1U);
    EXPECT_EQ(edit_distance("greep", "grep"), 1U);
    EXPECT_EQ(edit_distance("grip", "grep"), 1U);
    EXPECT_EQ(edit_distance("gerp", "grep"), 1U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
}

TEST(Nearest, FindsTheClosestAndTheFirstOfSeveral) {
    const std::vector<std::string> verbs{"plan", "test", "grep", "uniq", "merge"};
    EXPECT_EQ(nearest("grpe", verbs), "grep");
    EXPECT_EQ(nearest("tset", verbs), "test");
    const std::vector<std::string> alike{"f32le", "f64le"};
    EXPECT_EQ(nearest("f62le", alike), "f32le");
}

TEST(Nearest, SaysNothingOfWhatIsNotCloseEnough) {
    const std::vector<std::string> verbs{"plan", "test", "grep", "-x"};
    EXPECT_EQ(nearest("nonsense", verbs), std::nullopt);
    EXPECT_EQ(nearest("pl", verbs), std::nullopt);
    EXPECT_EQ(nearest("", verbs), std::nullopt);
    EXPECT_EQ(nearest("y", verbs), std::nullopt);
    EXPECT_EQ(nearest("grep", {}), std::nullopt);
}

TEST(Nearest, DoesNotCountDashes) {
    const std::vector<std::string> options{"-j", "--json", "--rate"};
    EXPECT_EQ(nearest("-json", options), "--json");
    EXPECT_EQ(nearest("--jsn", options), "--json");
    EXPECT_EQ(nearest("--", options), std::nullopt);
}

TEST(Nearest, RefusesWithTheNearestOrWithAll) {
    const std::vector<std::string> kinds{"bloom", "counting"};
    const auto refusal = [&](std::string_view typed) -> std::string {
        try {
            refuse_unknown("kind", typed, kinds);
        } catch (const bad_argument& e) {
            return e.what();
        }
    };
    EXPECT_EQ(refusal("cuonting"), "there is no kind \"cuonting\"; did you mean counting?");
    EXPECT_EQ(refusal("x"), "there is no kind \"x\"; choose one of: bloom, counting");
}

} // namespace
} // namespace bloomery::text
