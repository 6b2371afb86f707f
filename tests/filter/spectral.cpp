// What spectral filters promise: counts that are never too low, whatever happened.
#include <bloomery/error.hpp>
#include <bloomery/filter/spectral.hpp>

#include "failing_allocator.hpp"
#include "random.hpp"
#include "saved_filter.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bloomery {
namespace {

using namespace std::string_literals;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

template <class F>
concept erases_something =
    requires(F& f, digest128 d) { f.erase(d); } || requires(F& f, digest128 d) { f.erase(d, 1); } ||
    requires(F& f) { f.erase("key"); } || requires(F& f) { f.erase("key", 1); } ||
    requires(F& f, std::vector<int> keys, bitmap b) { f.erase_many(keys, b); };
template <class F>
concept merges_something = requires(F& f) { f.merge(f); };
template <class F>
concept bounds_above = requires(const F& f) { f.upper_bound("key"); };

static_assert(erases_something<spectral_filter> && merges_something<spectral_filter>);
static_assert(!erases_something<minimal_increase_filter>, "it would take counts from other keys");
static_assert(merges_something<minimal_increase_filter>);
static_assert(erases_something<recurring_minimum_filter>);
static_assert(!merges_something<recurring_minimum_filter>);
static_assert(bounds_above<recurring_minimum_filter> && !bounds_above<spectral_filter>);

template <class Filter>
class Spectral : public ::testing::Test {};
using policies =
    ::testing::Types<spectral_filter, minimal_increase_filter, recurring_minimum_filter>;
TYPED_TEST_SUITE(Spectral, policies);

TYPED_TEST(Spectral, CountsKeysOfEveryKind) {
    TypeParam made(items{100}, rate{1e-6});
    EXPECT_EQ(made.count("a"), 0U);
    EXPECT_FALSE(made.may_contain("a"));
    EXPECT_TRUE(made.insert("a"));
    EXPECT_FALSE(made.insert("a"s));
    made.insert(7, 1000);
    made.insert("b", 0);
    EXPECT_EQ(made.count("a"), 2U);
    EXPECT_EQ(made.count(7), 1000U);
    EXPECT_EQ(made.count("b"), 0U);
    EXPECT_EQ(made.count(made.digest(7)), 1000U);
    EXPECT_TRUE(made.may_contain(7));
    EXPECT_TRUE(made.may_contain_at_least(7, 1000));
    EXPECT_FALSE(made.may_contain_at_least(7, 1001));
    EXPECT_TRUE(made.may_contain_at_least("nobody", 0));
    EXPECT_FALSE(made.may_contain_at_least("nobody", 1));
    bitmap answers;
    made.insert_many(std::vector{"a"s, "c"s});
    made.may_contain_many(std::vector{"a"s, "b"s, "c"s}, answers);
    EXPECT_TRUE(answers[0] && !answers[1] && answers[2]);
    EXPECT_EQ(made.count("a"), 3U);
    made.clear();
    EXPECT_EQ(made, TypeParam(items{100}, rate{1e-6}));
}

TYPED_TEST(Spectral, SaysWhatItIs) {
    const TypeParam made(items{1000}, rate{0.01}, {16}, native_hash::seeded(5));
    const spec is = made.spec();
    EXPECT_EQ(is.kind, filter_kind::spectral);
    EXPECT_EQ(is.seed, 5U);
    EXPECT_EQ(is.shape.bit_count, made.counter_count());
    EXPECT_EQ(is.shape.hash_count, made.hash_count());
    EXPECT_EQ(is.parameters, (kind_parameters{static_cast<std::uint64_t>(TypeParam::policy), 16}));
    EXPECT_LE(made.fpp_at(items{1000}), 0.01);
    EXPECT_EQ(made.made_for(), (design{1000, 0.01}));
    EXPECT_EQ(made.facts().at(0).value, name_of(TypeParam::policy));
    EXPECT_EQ(made.stats().bits_set, 0U);
    EXPECT_EQ(TypeParam(items{1000}, rate{1e-10}).hash().id(), hash::hash_id::xxh3_128);
}

TYPED_TEST(Spectral, RefusesWhatNoFilterHas) {
    EXPECT_THROW(TypeParam(items{0}, rate{0.01}), bad_argument);
    EXPECT_THROW(TypeParam(items{10}, rate{0}), bad_argument);
    EXPECT_THROW(TypeParam(items{10}, rate{1}), bad_argument);
    EXPECT_THROW(TypeParam(items{10}, rate{0.01}, {7}), bad_argument);
    EXPECT_THROW(TypeParam(bits{0}, hashes{5}), bad_argument);
    EXPECT_THROW(TypeParam(bits{100}, hashes{0}), bad_argument);
    EXPECT_THROW(TypeParam(bits{100}, hashes{65}), bad_argument);
    EXPECT_THROW(TypeParam(bits{std::uint64_t{1} << 63}, hashes{3}), memory_refused);
}

// Small arrays, so that keys share counters and probes of a key meet.
template <class Filter>
Filter crowded(std::uint64_t seed, std::uint32_t width = 4) {
    return Filter(bits{40 + seed % 60}, hashes{static_cast<std::uint32_t>(2 + seed % 6)}, {width},
                  native_hash::seeded(seed));
}

TYPED_TEST(Spectral, InsertingSeveralIsInsertingOneAfterAnother) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        testing::random_source random(seed);
        auto at_once = crowded<TypeParam>(seed);
        auto singly = crowded<TypeParam>(seed);
        for (int step = 0; step < 60; ++step) {
            const std::uint64_t key = random.below(20);
            const std::uint64_t r = random.below(12);
            at_once.insert(key, r);
            for (std::uint64_t i = 0; i < r; ++i) singly.insert(key);
            ASSERT_EQ(at_once, singly) << seed << ", " << step;
        }
    }
}

TYPED_TEST(Spectral, StaysAtTheMost) {
    TypeParam made(items{100}, rate{1e-6});
    EXPECT_EQ(made.insert("a", most - 1).state, status::ok);
    EXPECT_EQ(made.insert("a").state, status::saturated);
    EXPECT_EQ(made.insert("a", most).state, status::saturated);
    EXPECT_EQ(made.count("a"), most);
    if constexpr (erases_something<TypeParam>) {
        EXPECT_EQ(made.erase("a"), status::saturated);
        EXPECT_EQ(made.erase("a", 1'000'000), status::saturated);
        EXPECT_EQ(made.count("a"), most);
    }
    EXPECT_EQ(made.facts().at(4).value, std::to_string(made.hash_count()));
    if constexpr (merges_something<TypeParam>) {
        made.merge(made);
        EXPECT_EQ(made.count("a"), most);
    }
}

/// What the counters would be without any cleverness.
class oracle {
public:
    oracle(std::uint64_t m, std::uint32_t k) : counters(m), k_(k) {}

    [[nodiscard]] std::set<std::uint64_t> places(digest128 key) const {
        std::set<std::uint64_t> found;
        auto walk = layout::native_scheme::walk(key);
        for (std::uint32_t i = 0; i < k_; ++i) {
            found.insert(layout::native_scheme::reduce(walk.next(), counters.size()));
        }
        return found;
    }
    [[nodiscard]] std::uint64_t count(digest128 key) const {
        std::uint64_t least = most;
        for (const std::uint64_t at : places(key)) least = std::min(least, counters[at]);
        return least;
    }
    std::vector<std::uint64_t> counters;

private:
    std::uint32_t k_;
};

/// The first array of a filter, from its saved words.
template <class Filter>
std::vector<std::uint64_t> counters_of(const Filter& made) {
    const saved_words saved = made.saved();
    const std::uint64_t width = made.spec().parameters[1];
    std::vector<std::uint64_t> all(made.counter_count());
    for (std::uint64_t at = 0; at < all.size(); ++at) {
        all[at] = saved.arrays[0][at * width / 64] >> (at * width % 64) &
                  ((std::uint64_t{1} << width) - 1);
    }
    for (std::uint64_t i = 0; i < saved.record[0]; ++i) {
        all.at(saved.record[2 + 2 * i]) = saved.record[3 + 2 * i];
    }
    return all;
}

/// A legal history: only keys that are in are taken out. Calls `check` now and then.
template <class Filter, class Check>
void live(Filter& made, std::map<std::uint64_t, std::uint64_t>& truth,
          testing::random_source& random, int steps, Check check) {
    for (int step = 0; step < steps; ++step) {
        const std::uint64_t key = random.below(25);
        const std::uint64_t r = 1 + random.below(random.below(20) == 0 ? 600 : 3);
        if constexpr (erases_something<Filter>) {
            if (random.below(2) == 0) {
                const std::uint64_t out = std::min(r, truth[key]);
                if (out != 0) {
                    ASSERT_EQ(made.erase(key, out), status::ok);
                }
                truth[key] -= out;
                check(key, -static_cast<std::int64_t>(out));
                continue;
            }
        }
        made.insert(key, r);
        truth[key] += r;
        check(key, static_cast<std::int64_t>(r));
    }
}

TEST(SpectralMinimumSelection, EqualsAPlainArray) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        testing::random_source random(seed);
        for (const std::uint32_t width : {4U, 8U, 16U}) {
            auto made = crowded<spectral_filter>(seed, width);
            oracle plain(made.counter_count(), made.hash_count());
            std::map<std::uint64_t, std::uint64_t> truth;
            live(made, truth, random, 150, [&](std::uint64_t key, std::int64_t by) {
                for (const std::uint64_t at : plain.places(made.digest(key))) {
                    plain.counters[at] += static_cast<std::uint64_t>(by);
                }
                ASSERT_EQ(counters_of(made), plain.counters);
            });
            for (std::uint64_t key = 0; key < 50; ++key) {
                ASSERT_EQ(made.count(key), plain.count(made.digest(key)));
                ASSERT_GE(made.count(key), truth[key]);
            }
            for (const auto& [key, in] : truth) made.erase(key, in);
            ASSERT_EQ(made, crowded<spectral_filter>(seed, width)) << "nothing is left";
        }
    }
}

TEST(SpectralMinimalIncrease, EqualsAPlainArray) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        testing::random_source random(seed);
        auto made = crowded<minimal_increase_filter>(seed, 8);
        oracle plain(made.counter_count(), made.hash_count());
        std::map<std::uint64_t, std::uint64_t> truth;
        live(made, truth, random, 150, [&](std::uint64_t key, std::int64_t by) {
            const digest128 hashed = made.digest(key);
            const std::uint64_t raised = plain.count(hashed) + static_cast<std::uint64_t>(by);
            for (const std::uint64_t at : plain.places(hashed)) {
                plain.counters[at] = std::max(plain.counters[at], raised);
            }
            ASSERT_EQ(counters_of(made), plain.counters);
        });
        for (const auto& [key, in] : truth) ASSERT_GE(made.count(key), in);
    }
}

RC_GTEST_PROP(SpectralMinimalIncrease, IsNeverAboveMinimumSelection,
              (std::uint16_t m, std::uint8_t k, const std::vector<std::uint8_t>& keys)) {
    const bits counters{m % 200U + 1U};
    const hashes probes{k % 64U + 1U};
    spectral_filter all(counters, probes);
    minimal_increase_filter few(counters, probes);
    std::map<std::uint8_t, std::uint64_t> truth;
    for (const std::uint8_t key : keys) {
        all.insert(key);
        few.insert(key);
        ++truth[key];
    }
    for (std::uint64_t key = 0; key < 300; ++key) {
        RC_ASSERT(few.count(key) <= all.count(key));
    }
    for (const auto& [key, in] : truth) {
        RC_ASSERT(few.count(key) >= in);
    }
}

TEST(SpectralRecurringMinimum, NeverDeniesAKeyAndIsBoundedAbove) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        testing::random_source random(seed);
        auto made = crowded<recurring_minimum_filter>(seed, 8);
        spectral_filter first(bits{made.counter_count()}, hashes{made.hash_count()}, {8},
                              made.hash());
        std::map<std::uint64_t, std::uint64_t> truth;
        live(made, truth, random, 200, [&](std::uint64_t key, std::int64_t by) {
            by > 0 ? static_cast<void>(first.insert(key, static_cast<std::uint64_t>(by)))
                   : static_cast<void>(first.erase(key, static_cast<std::uint64_t>(-by)));
            for (std::uint64_t asked = 0; asked < 25; ++asked) {
                ASSERT_GE(made.upper_bound(asked), truth[asked]);
                ASSERT_EQ(made.upper_bound(asked), first.count(asked));
                ASSERT_LE(made.count(asked), made.upper_bound(asked));
                ASSERT_EQ(made.may_contain(asked), made.upper_bound(asked) != 0);
                ASSERT_EQ(made.count(asked) == 0, !made.may_contain(asked));
            }
        });
    }
}

TYPED_TEST(Spectral, DoesNothingForAKeyThatIsNotInOftenEnough) {
    if constexpr (erases_something<TypeParam>) {
        TypeParam made(items{100}, rate{1e-6});
        const TypeParam empty = made;
        EXPECT_EQ(made.erase("a"), status::not_present);
        EXPECT_EQ(made, empty);
        made.insert("a", 300);
        const TypeParam before = made;
        EXPECT_EQ(made.erase("a", 301), status::not_present);
        EXPECT_EQ(made.erase("b"), status::not_present);
        EXPECT_EQ(made, before);
        EXPECT_EQ(made.erase("a", 0), status::ok);
        EXPECT_EQ(made, before);
        EXPECT_EQ(made.erase("a", 300), status::ok);
        EXPECT_FALSE(made.may_contain("a"));
        bitmap erased;
        made.insert("c");
        made.erase_many(std::vector{"c"s, "d"s}, erased);
        EXPECT_TRUE(erased[0] && !erased[1]);
    }
}

TEST(SpectralMerge, OfMinimumSelectionIsOneFilterOfAll) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        testing::random_source random(seed);
        auto left = crowded<spectral_filter>(seed);
        auto right = crowded<spectral_filter>(seed);
        auto both = crowded<spectral_filter>(seed);
        for (int step = 0; step < 100; ++step) {
            const std::uint64_t key = random.below(30);
            const std::uint64_t r = random.below(20);
            (random.below(2) == 0 ? left : right).insert(key, r);
            both.insert(key, r);
        }
        left.merge(right);
        ASSERT_EQ(left, both);
        both.merge(both);
        for (std::uint64_t key = 0; key < 40; ++key) {
            ASSERT_EQ(both.count(key), 2 * left.count(key));
        }
    }
}

TEST(SpectralMerge, OfMinimalIncreaseIsAnUpperBound) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        testing::random_source random(seed);
        auto left = crowded<minimal_increase_filter>(seed);
        auto right = crowded<minimal_increase_filter>(seed);
        auto all = crowded<spectral_filter>(seed);
        std::map<std::uint64_t, std::uint64_t> truth;
        for (int step = 0; step < 200; ++step) {
            if (step == 100) left.merge(right);
            const std::uint64_t key = random.below(30);
            (step >= 100 || random.below(2) == 0 ? left : right).insert(key);
            all.insert(key);
            ++truth[key];
        }
        for (const auto& [key, in] : truth) {
            ASSERT_GE(left.count(key), in);
            ASSERT_LE(left.count(key), all.count(key));
        }
    }
}

TEST(SpectralMerge, RefusesFiltersOfAnotherSpec) {
    spectral_filter made(bits{100}, hashes{4});
    made.insert("a");
    const spectral_filter before = made;
    for (const spectral_filter& other :
         {spectral_filter(bits{101}, hashes{4}), spectral_filter(bits{100}, hashes{5}),
          spectral_filter(bits{100}, hashes{4}, {16}),
          spectral_filter(bits{100}, hashes{4}, {}, native_hash::seeded(1))}) {
        EXPECT_FALSE(made.compatible_with(other));
        EXPECT_THROW(made.merge(other), incompatible);
        EXPECT_EQ(made, before);
    }
}

TEST(SpectralMemory, RefusedLeavesAKeyAsItWas) {
    using counters = storage::escaped_counters<testing::failing_allocator<std::uint64_t>>;
    key_counters<counters> made(counters(100, 8), {100, {4}});
    const digest128 key{0x123456789abcdef, 0xfedcba987654321};
    made.add(key, 254);
    {
        const testing::no_memory none;
        EXPECT_THROW(made.add(key, 1), memory_refused);
        EXPECT_THROW(made.raise(key, 1), memory_refused);
        EXPECT_EQ(made.least(key), 254U);
        EXPECT_EQ(made.counters().used(), 4U);
        EXPECT_EQ(made.counters().escaped(), 0U);
    }
    made.make_room(key, 1);
    const testing::no_memory none;
    made.add(key, 1);
    EXPECT_EQ(made.least(key), 255U);
}

// Files.

template <class Filter>
Filter some(std::uint64_t seed) {
    auto made = crowded<Filter>(seed);
    testing::random_source random(seed);
    std::map<std::uint64_t, std::uint64_t> truth;
    live(made, truth, random, 100, [](auto...) {});
    return made;
}

/// Every verb, whatever the state.
template <class Filter>
void use(Filter& made) {
    for (std::uint64_t key = 0; key < 30; ++key) {
        made.insert(key, key * 40);
        static_cast<void>(made.count(key));
        if constexpr (erases_something<Filter>) {
            made.erase(key);
            made.erase(key, key * 39);
        }
        if constexpr (bounds_above<Filter>) static_cast<void>(made.upper_bound(key));
    }
    static_cast<void>(made.stats());
    static_cast<void>(made.facts());
    if constexpr (merges_something<Filter>) made.merge(made);
    const Filter again = testing::restored_from(made, testing::payload_of(made));
    ASSERT_EQ(again, made);
    made.clear();
}

TYPED_TEST(Spectral, ComesBackFromItsWords) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto made = some<TypeParam>(seed);
        const auto words = testing::payload_of(made);
        auto back = testing::restored_from(made, words);
        ASSERT_EQ(back, made);
        ASSERT_EQ(testing::payload_of(back), words);
        ASSERT_EQ(back.made_for(), made.made_for());
        made.insert(1, 500);
        back.insert(1, 500);
        ASSERT_EQ(back, made);
        TypeParam copy = back;
        TypeParam moved = std::move(back);
        ASSERT_EQ(copy, moved);
    }
}

TYPED_TEST(Spectral, RefusesOtherLengths) {
    const auto made = some<TypeParam>(7);
    auto words = testing::payload_of(made);
    for (std::size_t length = 0; length < words.size(); ++length) {
        EXPECT_THROW(testing::restored_from(made, std::span(words).first(length)), bad_data);
    }
    words.push_back(0);
    EXPECT_THROW(testing::restored_from(made, words), bad_data);
}

TYPED_TEST(Spectral, RefusesOrSurvivesAnyChangedWord) {
    std::uint64_t refused = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto made = some<TypeParam>(seed);
        testing::random_source random(seed);
        const auto words = testing::payload_of(made);
        for (int turn = 0; turn < 40; ++turn) {
            auto damaged = words;
            std::uint64_t& word = damaged[random.below(words.size())];
            switch (random.below(4)) {
            case 0:
                word ^= std::uint64_t{1} << random.below(64);
                break;
            case 1:
                word = random.next();
                break;
            case 2:
                word = most;
                break;
            default:
                word += random.below(3) - 1;
            }
            try {
                auto back = testing::restored_from(made, damaged);
                use(back);
            } catch (const bad_data&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 500U);
}

TYPED_TEST(Spectral, RefusesAMapThatDoesNotFit) {
    TypeParam made(bits{50}, hashes{3}, {8});
    made.insert("a", 1000);
    const auto words = testing::payload_of(made);
    ASSERT_EQ(words[0], 3U);
    const auto refuses = [&](auto change) {
        auto damaged = words;
        change(damaged);
        EXPECT_THROW(testing::restored_from(made, damaged), bad_data);
    };
    refuses([](auto& w) { std::swap(w[2], w[4]); }); // not by place
    refuses([](auto& w) { w[4] = w[2]; });           // twice the same
    refuses([](auto& w) { w[6] = 50; });             // past the end
    refuses([](auto& w) { w[3] = 254; });            // would fit its counter
    refuses(
        [](auto& w) { w[2] = w[2] + 1 < w[4] ? w[2] + 1 : w[2] - 1; }); // a counter that is small
    refuses([](auto& w) { w[0] = most; });
    refuses([](auto& w) { w[0] = most / 2 + 2; }); // 2 w[0] is 4
    refuses([](auto& w) { w[1] = most; });
    const std::size_t first = made.saved().record.size();
    refuses([&](auto& w) { w[first + 6] |= std::uint64_t{1} << 16; }); // counter 50 of 50
    if constexpr (std::same_as<TypeParam, recurring_minimum_filter>) {
        refuses([](auto& w) { w.back() |= std::uint64_t{1} << 50; }); // mark 50 of 50
    }
}

TYPED_TEST(Spectral, RefusesParametersOutOfRange) {
    const auto made = some<TypeParam>(3);
    const auto words = testing::payload_of(made);
    const auto read = [&](auto change) {
        spec what = made.spec();
        change(what);
        return TypeParam::restored(what, {}, made.hash(), words);
    };
    EXPECT_EQ(read([](spec&) {}), made);
    EXPECT_THROW(read([](spec& s) { s.parameters[0] = 4; }), unsupported);
    EXPECT_THROW(read([](spec& s) { s.parameters[0] = s.parameters[0] % 3 + 1; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.parameters[0] = 0; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.parameters[7] = 1; }), unsupported);
    for (const std::uint64_t width : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{64},
                                      (std::uint64_t{1} << 32) + 8, most}) {
        EXPECT_THROW(read([=](spec& s) { s.parameters[1] = width; }), bad_data);
    }
    for (const std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1} << 40, most / 2 + 1, most}) {
        EXPECT_THROW(read([=](spec& s) { s.shape.bit_count = m; }), bad_data);
    }
    for (const std::uint32_t k : {0U, 65U, 256U, ~0U}) {
        EXPECT_THROW(read([=](spec& s) { s.shape.hash_count = k; }), bad_data);
    }
    EXPECT_THROW(read([](spec& s) { s.kind = filter_kind::counting; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.seed ^= 1; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.shape.layout = layout_kind::blocked_512; }), bad_data);
}

} // namespace
} // namespace bloomery
