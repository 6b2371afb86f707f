// What a dynamic count filter promises: the numbers of a plain array, at whatever width.
#include <bloomery/error.hpp>
#include <bloomery/filter/dynamic_count.hpp>

#include "failing_allocator.hpp"
#include "key_counts.hpp"
#include "random.hpp"
#include "saved_state.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace bloomery {
namespace {

using namespace std::string_literals;

using testing::most;

TEST(DynamicCount, CountsKeysOfEveryKind) {
    dynamic_count_filter made(items{100}, rate{1e-6});
    EXPECT_TRUE(made.try_insert("a"));
    EXPECT_FALSE(made.try_insert("a"s));
    made.insert(7, 1000);
    EXPECT_EQ(made.count("a"), 2U);
    EXPECT_EQ(made.count(7), 1000U);
    EXPECT_TRUE(made.may_contain_at_least(7, 1000));
    EXPECT_FALSE(made.may_contain_at_least(7, 1001));
    EXPECT_FALSE(made.may_contain("b"));
    EXPECT_EQ(made.erase(7, 999), status::ok);
    EXPECT_EQ(made.erase(7, 2), status::not_present);
    EXPECT_EQ(made.count(7), 1U);
    EXPECT_EQ(made.erase(7), status::ok);
    EXPECT_FALSE(made.may_contain(7));
    bitmap answers;
    made.insert_many(std::vector{"a"s, "c"s});
    made.may_contain_many(std::vector{"a"s, "b"s, "c"s}, answers);
    EXPECT_TRUE(answers[0] && !answers[1] && answers[2]);
    made.insert("a", 100'000);
    made.clear();
    EXPECT_EQ(made.overflow_bits(), 0U);
    EXPECT_EQ(made.rebuild_count(), 0U);
    EXPECT_EQ(made, dynamic_count_filter(items{100}, rate{1e-6}));
}

TEST(DynamicCount, SaysWhatItIs) {
    dynamic_count_filter made(items{1000}, rate{0.01}, {10, 0, 25}, native_hash::seeded(5));
    EXPECT_EQ(made.spec().kind, filter_kind::dynamic_count);
    EXPECT_EQ(made.spec().parameters, (kind_parameters{6, 25}));
    EXPECT_LE(made.rate_at(items{1000}), 0.01);
    made.insert("a", 64 * 5);
    std::map<std::string, std::string> facts;
    for (const fact& known : made.facts()) facts[known.name] = known.value;
    EXPECT_EQ(facts["fixed bits"], "6");
    EXPECT_EQ(facts["overflow bits"], "3");
    EXPECT_EQ(facts["rebuilds"], "1");
    EXPECT_EQ(facts["largest counter"], "320");
    EXPECT_EQ(facts["stuck counters"], "0");
    EXPECT_EQ(made.stats().bits_set, made.hash_count());
    EXPECT_EQ(dynamic_count_filter(items{10}, rate{0.01}).fixed_bits(), 4U);
    EXPECT_EQ(dynamic_count_filter(items{10}, rate{0.01}, {1e9}).fixed_bits(), 8U);
    EXPECT_EQ(dynamic_count_filter(items{10}, rate{0.01}, {1, 16}).fixed_bits(), 16U);
}

TEST(DynamicCount, RefusesWhatNoFilterHas) {
    using made = dynamic_count_filter;
    EXPECT_THROW(made(items{0}, rate{0.01}), bad_argument);
    EXPECT_THROW(made(items{10}, rate{1}), bad_argument);
    EXPECT_THROW(made(items{10}, rate{0.01}, {0.5}), bad_argument);
    EXPECT_THROW(made(items{10}, rate{0.01}, {std::numeric_limits<double>::quiet_NaN()}),
                 bad_argument);
    EXPECT_THROW(made(items{10}, rate{0.01}, {1, 17}), bad_argument);
    EXPECT_THROW(made(items{10}, rate{0.01}, {1, 4, 0}), bad_argument);
    EXPECT_THROW(made(items{10}, rate{0.01}, {1, 4, 101}), bad_argument);
    EXPECT_THROW(made(bits{0}, hashes{3}), bad_argument);
    EXPECT_THROW(made(bits{100}, hashes{65}), bad_argument);
    EXPECT_THROW(made(bits{std::uint64_t{1} << 63}, hashes{3}), memory_refused);
}

dynamic_count_filter dynamic_count_crowded(std::uint64_t seed) {
    return {bits{40 + seed % 60},
            hashes{static_cast<std::uint32_t>(2 + seed % 6)},
            {1, static_cast<std::uint32_t>(1 + seed % 8), seed % 3 == 0 ? 100U : 50U},
            native_hash::seeded(seed)};
}

std::uint64_t value_in(const dynamic_count_filter& made, std::uint64_t at) {
    const saved_words saved = made.saved();
    const auto field = [&](std::span<const std::uint64_t> array, std::uint64_t width) {
        std::uint64_t value = 0;
        for (std::uint64_t i = 0; i < width; ++i) {
            const std::uint64_t bit = at * width + i;
            value |= (array[bit / 64] >> (bit % 64) & 1) << i;
        }
        return value;
    };
    return field(saved.arrays[0], made.fixed_bits()) | field(saved.arrays[1], made.overflow_bits())
                                                           << made.fixed_bits();
}

/// A legal history beside plain counters.
struct history {
    explicit history(std::uint64_t seed)
        : made(dynamic_count_crowded(seed)), plain(made), random(seed) {}

    void step(bool growing) {
        const std::uint64_t key = random.below(25);
        const std::uint64_t r = 1 + random.below(std::uint64_t{1} << random.below(12));
        if (random.below(10) < (growing ? 7U : 2U)) {
            made.insert(key, r);
            truth[key] += r;
            plain.add(made.digest(key), static_cast<std::int64_t>(r));
        } else if (const std::uint64_t out = std::min(growing ? r : 8 * r, truth[key]); out != 0) {
            ASSERT_EQ(made.erase(key, out), status::ok);
            truth[key] -= out;
            plain.add(made.digest(key), -static_cast<std::int64_t>(out));
        }
    }
    void expect_equal() {
        for (std::uint64_t at = 0; at < plain.values.size(); ++at) {
            ASSERT_EQ(value_in(made, at), plain.values[at]) << at;
        }
        for (std::uint64_t key = 0; key < 40; ++key) {
            ASSERT_EQ(made.count(key), plain.count(made.digest(key)));
            ASSERT_GE(made.count(key), truth[key]);
        }
    }

    dynamic_count_filter made;
    testing::plain_counters plain;
    std::map<std::uint64_t, std::uint64_t> truth;
    testing::random_source random;
};

TEST(DynamicCount, EqualsAPlainArrayThroughEveryRebuild) {
    std::uint64_t rebuilds = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        history life(seed);
        for (int step = 0; step < 600; ++step) {
            life.step(step / 100 % 2 == 0);
            if (step % 20 == 0) life.expect_equal();
        }
        for (const auto& [key, in] : life.truth) life.made.erase(key, in);
        ASSERT_EQ(life.made, dynamic_count_crowded(seed)) << "nothing is left";
        ASSERT_EQ(life.made.overflow_bits(), 0U);
        rebuilds += life.made.rebuild_count();
    }
    EXPECT_GT(rebuilds, 60U * 8);
}

TEST(DynamicCount, InsertingSeveralIsInsertingOneAfterAnother) {
    testing::expect_several_as_one_by_one(dynamic_count_crowded, 40);
}

TEST(DynamicCount, AKeyOutThatIsNotInChangesNothing) {
    dynamic_count_filter made(bits{1000}, hashes{4});
    const auto empty = testing::payload_of(made);
    EXPECT_EQ(made.erase("a"), status::not_present);
    EXPECT_EQ(testing::payload_of(made), empty);
    made.insert("a", 100);
    const auto before = testing::payload_of(made);
    EXPECT_EQ(made.erase("a", 101), status::not_present);
    EXPECT_EQ(made.erase("b"), status::not_present);
    EXPECT_EQ(testing::payload_of(made), before);
}

TEST(DynamicCount, StaysAtTheMost) {
    dynamic_count_filter made(bits{1000}, hashes{4}, {1, 5});
    const std::uint64_t limit = (std::uint64_t{1} << 37) - 1;
    EXPECT_EQ(made.try_insert("a", limit - 1).state, status::ok);
    EXPECT_EQ(made.try_insert("a").state, status::saturated);
    EXPECT_EQ(made.try_insert("a", most).state, status::saturated);
    EXPECT_EQ(made.count("a"), limit);
    EXPECT_EQ(made.erase("a", 1000), status::saturated);
    EXPECT_EQ(made.count("a"), limit);
    EXPECT_EQ(made.overflow_bits(), 32U);
    made.merge(made);
    EXPECT_EQ(made.count("a"), limit);
}

TEST(DynamicCount, MergesToOneFilterOfAll) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        testing::random_source random(seed);
        auto left = dynamic_count_crowded(seed);
        auto right = dynamic_count_crowded(seed);
        auto both = dynamic_count_crowded(seed);
        for (int step = 0; step < 100; ++step) {
            const std::uint64_t key = random.below(30);
            const std::uint64_t r = random.below(50);
            (random.below(2) == 0 ? left : right).insert(key, r);
            both.insert(key, r);
        }
        left.merge(right);
        ASSERT_EQ(left, both);
        ASSERT_EQ(left.overflow_bits(), both.overflow_bits());
        dynamic_count_filter other(bits{left.counter_count() + 1}, hashes{left.hash_count()});
        EXPECT_THROW(left.merge(other), incompatible);
        ASSERT_EQ(left, both);
    }
}

TEST(DynamicCount, ARefusedRebuildLeavesAKeyAsItWas) {
    using counters = storage::dynamic_counters<testing::failing_allocator<std::uint64_t>>;
    key_counters<counters> made(counters(100, {4, 50}), {100, {5}});
    const digest128 key{0x123456789abcdef, 0xfedcba987654321};
    made.add(key, 15);
    std::vector<std::uint64_t> before(100);
    for (std::uint64_t at = 0; at < 100; ++at) before[at] = made.counters()[at];
    {
        const testing::no_memory none;
        EXPECT_THROW(made.add(key, 1), memory_refused);
        EXPECT_THROW(made.add(key, 1'000'000), memory_refused);
        for (std::uint64_t at = 0; at < 100; ++at) EXPECT_EQ(made.counters()[at], before[at]);
        EXPECT_EQ(made.counters().overflow_bits(), 0U);
        EXPECT_EQ(made.subtract(key, 15), status::ok);
        EXPECT_EQ(made.least(key), 0U);
    }
    made.add(key, 16);
    EXPECT_EQ(made.least(key), 16U);
}

// Files.

dynamic_count_filter some(std::uint64_t seed) {
    history life(seed);
    for (int step = 0; step < 100; ++step) life.step(true);
    return life.made;
}

TEST(DynamicCount, ComesBackFromItsWords) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto made = some(seed);
        const auto words = testing::payload_of(made);
        auto back = testing::restored_from(made, words);
        ASSERT_EQ(back, made);
        ASSERT_EQ(testing::payload_of(back), words);
        // It goes on as the other would: the same widths at the same keys.
        for (std::uint64_t key = 0; key < 25; ++key) {
            for (dynamic_count_filter* filter : {&made, &back}) {
                filter->erase(key, filter->count(key) / 2);
                filter->insert(key + 100, 7);
            }
            ASSERT_EQ(testing::payload_of(back), testing::payload_of(made));
        }
    }
}

TEST(DynamicCount, RefusesOtherLengths) { testing::expect_lengths_refused(some(7)); }

TEST(DynamicCount, RefusesOrSurvivesAnyChangedWord) {
    testing::expect_refused_or_usable(some, [](auto& words, auto& random) {
        std::uint64_t& word = words[random.below(random.below(2) == 0 ? 2 : words.size())];
        word = random.below(2) == 0 ? random.next() : word ^ 1;
    });
}

TEST(DynamicCount, RefusesParametersOutOfRange) {
    const auto made = some(3);
    auto words = testing::payload_of(made);
    const auto read = [&](auto change) { return testing::restored_with(made, words, change); };
    EXPECT_EQ(read([](spec&) {}), made);
    for (const std::uint64_t bad :
         {std::uint64_t{0}, std::uint64_t{101}, (std::uint64_t{1} << 32) + 4, most}) {
        EXPECT_THROW(read([=](spec& s) { s.parameters[0] = bad; }), bad_data);
        EXPECT_THROW(read([=](spec& s) { s.parameters[1] = bad; }), bad_data);
    }
    EXPECT_THROW(read([](spec& s) { s.parameters[2] = 1; }), unsupported);
    testing::expect_other_shapes_refused(read);
    for (const std::uint64_t bits : {std::uint64_t{33}, (std::uint64_t{1} << 32) + 1, most}) {
        words[0] = bits;
        EXPECT_THROW(read([](spec&) {}), bad_data);
    }
}

} // namespace
} // namespace bloomery
