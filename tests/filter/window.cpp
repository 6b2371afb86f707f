// A window over a stream: what is in it is found, what is long gone is not.
#include <bloomery/filter/window.hpp>
#include <bloomery/plan/family.hpp>

#include "saved_state.hpp"
#include "verbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <set>
#include <vector>

namespace bloomery {
namespace {

using testing::copy_of;
using testing::flattened;

static_assert(!testing::erases<window_filter> && !testing::merges<window_filter>);

// So rare that no test meets a false positive, and every answer can be told beforehand.
constexpr rate exact{1e-12};

window_options with(std::uint32_t generations, bool refresh = true, std::uint64_t span = 0,
                    when_crowded policy = when_crowded::shorten) {
    return {generations, span, refresh, policy};
}

bool all_zero(const window_filter& f) {
    return std::ranges::all_of(f.saved().arrays[0], [](auto word) { return word == 0; });
}

class Window : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Generations, Window, ::testing::Values(8U, 16U));

TEST_P(Window, FindsTheLastKeysAtEveryRotationEdge) {
    window_filter f({700}, {0.01}, with(GetParam()));
    const std::uint64_t covered = (GetParam() - 1) * f.generation_capacity();
    ASSERT_GE(covered, 700U);
    std::uint64_t edges = 0;
    for (std::uint64_t key = 0; key < 10'000; ++key) {
        const std::uint64_t before = f.generation_items();
        f.insert(key);
        const bool edge = f.generation_items() < before;
        edges += edge ? 1U : 0U;
        if (edge || before == 0 || key % 97 == 0) {
            for (std::uint64_t back = 0; back < covered && back <= key; ++back) {
                ASSERT_TRUE(f.may_contain(key - back)) << key << " " << back;
            }
        }
    }
    EXPECT_GE(edges, 10'000 / f.generation_capacity() - 2);
}

TEST_P(Window, ForgetsWhatIsOlderThanAllGenerations) {
    window_filter f({700}, exact, with(GetParam()));
    const std::uint64_t whole = GetParam() * f.generation_capacity();
    for (std::uint64_t key = 0; key < 5000; ++key) {
        ASSERT_TRUE(f.try_insert(key).fresh);
        if (key >= whole) {
            ASSERT_FALSE(f.may_contain(key - whole));
        }
    }
}

TEST_P(Window, IsEmptyAfterARoundWithoutKeys) {
    window_filter f({500}, {0.01}, with(GetParam()));
    for (std::uint64_t key = 0; key < 5000; ++key) {
        f.insert(key);
    }
    for (std::uint32_t i = 0; i < GetParam(); ++i) {
        EXPECT_FALSE(all_zero(f));
        f.rotate();
    }
    EXPECT_TRUE(all_zero(f));
    EXPECT_EQ(f.stats().expected_rate, 0);
}

TEST_P(Window, SeesAKeyThatCameJustBefore) {
    for (const bool refresh : {true, false}) {
        window_filter f({7}, exact, with(GetParam(), refresh));
        for (std::uint64_t key = 0; key < 500; ++key) {
            ASSERT_TRUE(f.try_insert(key).fresh);
            ASSERT_FALSE(f.try_insert(key).fresh);
        }
    }
}

// The window as it would be without a filter: sets of keys.
class window_oracle {
public:
    explicit window_oracle(const window_filter& like)
        : options_(like.options()), capacity_(like.generation_capacity()), lanes_(1) {}
    bool insert(int key) {
        const bool seen = contains(key);
        if (!lanes_.back().keys.contains(key) && (!seen || options_.refresh)) {
            if (is_full()) {
                end();
            }
            began_ = lanes_.back().keys.empty() ? now_ : began_;
            lanes_.back().keys.insert(key);
            if (is_full() && options_.span == 0) {
                rotate();
            }
        }
        return !seen;
    }
    [[nodiscard]] bool contains(int key) const {
        return std::ranges::any_of(lanes_, [key](const lane& l) { return l.keys.contains(key); });
    }
    void rotate() {
        lanes_.back().ended = now_;
        lanes_.emplace_back();
        if (lanes_.size() > options_.generations) {
            lanes_.pop_front();
        }
    }
    void advance(std::uint64_t now) {
        if (options_.span == 0) {
            return;
        }
        if (!started_) {
            started_ = true;
            now_ = began_ = now;
            std::ranges::for_each(lanes_, [now](lane& l) { l.ended = now; });
        }
        forget(now);
        const std::uint64_t steps = options_.generations - 1;
        const bool over = now - began_ >= (options_.span + steps - 1) / steps;
        if (over && !lanes_.back().keys.empty()) {
            end();
        }
        now_ = now;
        forget(now);
    }

private:
    struct lane {
        std::set<int> keys;
        std::uint64_t ended = 0;
    };
    [[nodiscard]] bool is_full() const { return lanes_.back().keys.size() >= capacity_; }
    void end() {
        if (lanes_.size() < options_.generations || options_.policy == when_crowded::shorten) {
            rotate();
        }
    }
    void forget(std::uint64_t now) {
        while (lanes_.size() > 1 && now - lanes_.front().ended > options_.span) {
            lanes_.pop_front();
        }
    }

    window_options options_;
    std::uint64_t capacity_;
    std::deque<lane> lanes_;
    bool started_ = false;
    std::uint64_t now_ = 0, began_ = 0;
};

RC_GTEST_PROP(WindowHistory, IsThatOfSetsOfKeys,
              (const std::vector<std::tuple<std::uint8_t, std::uint8_t>>& steps,
               std::uint8_t kind)) {
    const std::uint64_t span = (kind & 1) != 0 ? 30 : 0;
    const bool overfills = span != 0 && (kind & 8) != 0;
    window_filter f({overfills ? 400U : 20U}, exact,
                    with((kind & 2) != 0 ? 16 : 8, (kind & 4) != 0, span,
                         overfills ? when_crowded::overfill : when_crowded::shorten));
    window_oracle expected(f);
    std::uint64_t now = 1'000'000;
    for (const auto& [verb, what] : steps) {
        if (verb % 8 < 5) {
            RC_ASSERT(f.try_insert(what % 40).fresh == expected.insert(what % 40));
        } else if (verb % 8 == 5) {
            now += what < 240 ? what % 8 : what;
            f.advance(now);
            expected.advance(now);
            f.advance(now - what % 8); // backwards
        } else if (verb % 8 == 6) {
            f.rotate();
            expected.rotate();
        } else {
            const window_filter window_again = copy_of(f);
            RC_ASSERT(window_again == f);
            f = window_again;
        }
        for (int key = 0; key < 40; ++key) {
            RC_ASSERT(f.may_contain(key) == expected.contains(key));
        }
    }
}

TEST(WindowTime, RemembersForTheSpanAndNotForLong) {
    for (const std::uint32_t generations : {8U, 16U}) {
        window_filter f({2000}, exact, with(generations, true, 1000));
        const std::uint64_t longest = generations * (1000 / (generations - 1) + 1);
        f.advance(5'000'000);
        for (std::uint64_t second = 0; second < 10'000; ++second) {
            f.advance(5'000'000 + second);
            f.insert(second);
            for (const std::uint64_t age : {0U, 1U, 500U, 999U, 1000U}) {
                ASSERT_TRUE(age > second || f.may_contain(second - age)) << second << " " << age;
            }
            ASSERT_FALSE(second >= longest && f.may_contain(second - longest));
        }
        EXPECT_FALSE(f.window_shortened());
    }
}

TEST(WindowTime, IgnoresAClockThatGoesBackwardsAndAGapForgetsAll) {
    window_filter f({100}, exact, with(8, true, 70));
    f.insert("before the clock was set");
    f.advance(1'000'000);
    EXPECT_TRUE(f.may_contain("before the clock was set"));
    f.advance(1'000'065);
    f.insert("a");
    const window_filter before = f;
    f.advance(3);
    f.advance(1'000'064);
    EXPECT_EQ(f, before);
    f.advance(1'000'135);
    EXPECT_TRUE(f.may_contain("a")) << "70 ago";
    f.advance(1'000'065 + 81);
    EXPECT_FALSE(f.may_contain("a"));
    f.insert("b");
    f.advance(~std::uint64_t{0});
    EXPECT_TRUE(all_zero(f));
    EXPECT_EQ(copy_of(f), f);
    f.insert("c");
    EXPECT_TRUE(f.may_contain("c"));
}

// As many as it was made for, whether they come evenly or all at once, and not longer.
TEST(WindowTime, KeepsAllKeysOfASpan) {
    for (const bool at_once : {false, true}) {
        window_filter f({700}, exact, with(8, true, 700));
        for (std::uint64_t second = 0; second < 5000; ++second) {
            f.advance(second);
            for (std::uint64_t i = 0; i < (at_once ? 700 : 1) && second % (at_once ? 1000 : 1) == 0;
                 ++i) {
                f.insert(second + i);
            }
            if (at_once) {
                const std::uint64_t burst = second / 1000 * 1000;
                const std::uint64_t age = second - burst;
                for (const std::uint64_t key : {burst, burst + 350, burst + 699}) {
                    ASSERT_TRUE(age > 700 || f.may_contain(key)) << second;
                    ASSERT_FALSE(age > 800 && f.may_contain(key)) << second;
                }
            } else {
                ASSERT_TRUE(second < 700 || f.may_contain(second - 700)) << second;
                ASSERT_FALSE(second >= 801 && f.may_contain(second - 801)) << second;
            }
        }
        EXPECT_FALSE(f.window_shortened());
    }
}

TEST(WindowTime, ACrowdShortensOrOverfills) {
    window_filter shortened({700}, {0.01}, with(8, true, 7000));
    window_filter full({700}, {0.01}, with(8, true, 7000, when_crowded::overfill));
    for (auto* f : {&shortened, &full}) {
        f->advance(1);
        for (std::uint64_t key = 0; key < 5000; ++key) {
            f->insert(key);
        }
    }
    EXPECT_TRUE(shortened.window_shortened());
    EXPECT_LT(shortened.stats().expected_rate, 0.02);
    EXPECT_EQ(shortened.facts().back().value, "42") << "of 50 generations, 8 are there";
    EXPECT_FALSE(full.window_shortened());
    EXPECT_GT(full.stats().expected_rate, 0.5);
    for (std::uint64_t key = 0; key < 5000; ++key) {
        ASSERT_TRUE(full.may_contain(key));
    }
    EXPECT_EQ(copy_of(full), full);
    EXPECT_EQ(copy_of(shortened), shortened);
    shortened.clear();
    EXPECT_FALSE(shortened.window_shortened());
    EXPECT_TRUE(all_zero(shortened));
}

TEST(WindowRefresh, DecidesHowLongAKeyThatComesAgainStays) {
    for (const bool refresh : {true, false}) {
        window_filter f({700}, exact, with(8, refresh));
        std::uint64_t next = 1;
        f.insert(0);
        for (; next < 500; ++next) {
            f.insert(next);
        }
        EXPECT_FALSE(f.try_insert(0).fresh);
        for (; next < 1000; ++next) {
            f.insert(next);
        }
        EXPECT_EQ(f.may_contain(0), refresh);
    }
}

TEST(WindowBulk, IsTheSameKeyByKey) {
    std::vector<std::string> keys;
    for (int i = 0; i < 3000; ++i) {
        keys.push_back(std::to_string(i * 7919 % 1000));
    }
    window_filter one({500}, {0.01}, {}, native_hash::keyed({3, 4}));
    window_filter many = one;
    bitmap fresh;
    many.try_insert_many(keys, fresh);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(one.try_insert(keys[i]).fresh, fresh[i]);
    }
    EXPECT_EQ(one, many);
}

TEST(WindowArguments, RefusesWhatMakesNoWindow) {
    EXPECT_THROW(window_filter({0}, {0.01}), bad_argument);
    EXPECT_THROW(window_filter({1}, {0}), bad_argument);
    for (const std::uint32_t generations : {0U, 1U, 2U, 7U, 9U, 32U, 64U}) {
        EXPECT_THROW(window_filter({1}, {0.01}, with(generations)), bad_argument);
    }
    EXPECT_THROW(window_filter({1}, {0.01}, with(8, true, 0, when_crowded::overfill)),
                 bad_argument);
    EXPECT_EQ(window_filter({1}, {1e-10}).hash().id(), hash::hash_id::xxh3_128);
}

TEST(WindowSaved, ComesBackFromItsWordsOrNotAtAll) {
    for (const auto& options :
         {with(8), with(16, false, 100), with(8, true, 50, when_crowded::overfill)}) {
        window_filter f({60}, {0.1}, options);
        for (std::uint64_t i = 0; i < 500; ++i) {
            f.advance(1000 + i / 5);
            f.insert(i);
        }
        const auto restore = [&](std::span<const std::uint64_t> words) {
            return testing::restored_from(f, words);
        };
        const std::size_t refused =
            testing::damage(flattened(f.saved()), 2000, restore, [](auto& made) {
                for (std::uint64_t key = 0; key < 100; ++key) {
                    made.insert(key);
                }
                made.advance(1'000'000);
                (void)made.stats();
                (void)made.facts();
                made.rotate();
                made.clear();
            });
        EXPECT_GT(refused, 300U);
    }
}

TEST(WindowSaved, RefusesRecordsThatDoNotFitTheCells) {
    window_filter f({1050}, {0.01}, with(8, true, 100));
    f.advance(50);
    for (std::uint64_t key = 0; key < 200; ++key) {
        f.insert(key);
    }
    ASSERT_NE(f.spec().shape.bit_count % 8, 0U);
    const auto refused = [&](std::size_t at, std::uint64_t value) {
        testing::expect_refused(f, at, value);
    };
    refused(0, 8);
    refused(0, 5); // an empty generation
    refused(1, 0);
    refused(1, 3);
    refused(1, f.generation_capacity() + 1);
    refused(2, 51); // begun in the future
    refused(4, 0);
    refused(4, 2);
    refused(6, 0); // of two generations
    refused(6, 2);
    refused(6, 8);
    refused(7, 51); // ended in the future
    refused(flattened(f.saved()).size() - 1, std::uint64_t{1} << 63);
}

TEST(WindowSaved, RefusesParametersThatNoWindowHas) {
    const window_filter f({1000}, {0.01}, with(8, true, 100));
    const auto words = flattened(f.saved());
    const auto restore = [&](auto change) { (void)testing::restored_with(f, words, change); };
    for (const std::uint64_t bad : {0U, 2U, 7U, 9U, 16U, 63U, 65U}) {
        EXPECT_THROW(restore([&](spec& s) { s.parameters[0] = bad; }), bad_data);
    }
    EXPECT_THROW(restore([](spec& s) { s.parameters[0] = 32; }), unsupported);
    EXPECT_THROW(restore([](spec& s) { s.parameters[1] = 0; }), bad_data);
    EXPECT_THROW(restore([](spec& s) { s.parameters = {8, 143, 0, 2}; }), bad_data);
    EXPECT_THROW(restore([](spec& s) { s.parameters[3] = 4; }), unsupported);
    EXPECT_THROW(restore([](spec& s) { s.parameters[7] = 1; }), unsupported);
    EXPECT_THROW(restore([](spec& s) { s.shape.bit_count = 0; }), bad_data);
    EXPECT_THROW(restore([](spec& s) { s.shape.bit_count = ~std::uint64_t{0}; }), bad_data);
    EXPECT_THROW(restore([](spec& s) { s.shape.hash_count = 0; }), bad_data);
    EXPECT_THROW(restore([](spec& s) { s.shape.hash_count = 65; }), bad_data);
    EXPECT_THROW(restore([](spec& s) { s.shape.layout = layout_kind::blocked_512; }), bad_data);
}

} // namespace
} // namespace bloomery
