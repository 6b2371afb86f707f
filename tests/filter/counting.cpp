// The counting filter against an exact multiset and plain arrays of counters.
#include <bloomery/error.hpp>

#include "counting_case.hpp"
#include "random.hpp"
#include "verbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bloomery {
namespace {

static_assert(testing::erases<counting_filter> && !testing::erases<filter>);
static_assert(requires(const counting_filter& f) { f.count("key"); });
static_assert(!testing::intersects<counting_filter> && testing::intersects<filter>);

using enum counter_layout;

/// The places of a digest, once more: as the documentation has them.
std::vector<std::uint64_t> counting_places(const counting_filter& f, digest128 key) {
    std::vector<std::uint64_t> found;
    if (f.layout() == flat) {
        auto walk = layout::native_scheme::walk(key);
        for (std::uint32_t i = 0; i < f.hash_count(); ++i) {
            found.push_back(hash::fastrange(walk.next(), f.bit_count()));
        }
        return found;
    }
    const std::uint64_t in_word = 64 / f.counter_bits();
    const std::uint64_t line = hash::fastrange(key.low, f.bit_count() / (8 * in_word));
    const unsigned choice = f.counter_bits() == 2   ? 5
                            : f.counter_bits() == 4 ? 4
                            : f.counter_bits() == 8 ? 3
                                                    : 2;
    for (std::uint32_t i = 0; i < f.hash_count(); ++i) {
        const std::uint64_t word = ((key.high >> 61U) + i) % 8;
        const std::uint64_t at = key.high << (3 + choice * word) >> (64 - choice);
        found.push_back((line * 8 + word) * in_word + at);
    }
    return found;
}

/// Counters as plain numbers, with the rules of the class comment.
struct counting_oracle {
    explicit counting_oracle(const counting_filter& f)
        : filter(f), most((std::uint64_t{1} << f.counter_bits()) - 1), counters(f.bit_count()) {}

    insertion insert(digest128 key) {
        insertion done;
        for (const std::uint64_t at : counting_places(filter, key)) {
            done.fresh |= counters[at] == 0;
            counters[at] = std::min(counters[at] + 1, most);
            if (counters[at] == most) done.state = status::saturated;
        }
        return done;
    }
    status erase(digest128 key) {
        std::vector<std::uint64_t> after = counters;
        status done = status::ok;
        for (const std::uint64_t at : counting_places(filter, key)) {
            if (after[at] == 0) return status::not_present;
            if (after[at] == most) done = status::saturated;
            if (after[at] != most) --after[at];
        }
        counters = after;
        return done;
    }
    std::uint64_t count(digest128 key) const {
        std::uint64_t least = most;
        for (const std::uint64_t at : counting_places(filter, key)) {
            least = std::min(least, counters[at]);
        }
        return least;
    }

    const counting_filter& filter;
    std::uint64_t most;
    std::vector<std::uint64_t> counters;
};

class Counting : public testing::counting_case {};
INSTANTIATE_TEST_SUITE_P(EveryOption, Counting, ::testing::ValuesIn(testing::every_option),
                         testing::option_name);

TEST_P(Counting, CountsAsAPlainArrayDoesInAnyHistory) {
    for (const std::uint32_t k : {1U, 5U, 8U}) {
        counting_filter f = small(k);
        counting_oracle plain(f);
        testing::random_source random(k);
        for (int step = 0; step < 3000; ++step) {
            // Some keys that were never in are erased too: that harms others, but not the rules.
            const digest128 key = f.digest(random.below(60));
            if (random.below(5) < 3) {
                ASSERT_EQ(f.try_insert(key), plain.insert(key));
            } else {
                ASSERT_EQ(f.erase(key), plain.erase(key));
            }
            const digest128 other = f.digest(random.below(100));
            ASSERT_EQ(f.count(other), plain.count(other));
            ASSERT_EQ(f.may_contain(other), plain.count(other) != 0);
        }
        ASSERT_EQ(testing::counters_of(f), plain.counters);
    }
}

TEST_P(Counting, SharedCountersOfAKeyGoUpAndDownAlike) {
    if (GetParam().layout == blocked || GetParam().counter_bits < 4) return;
    // So few places that most keys meet one of theirs twice.
    counting_filter f(bits{7}, hashes{4}, GetParam());
    const counting_filter empty = f;
    f.insert(1);
    EXPECT_EQ(f.tally().sum, 4U);
    EXPECT_EQ(f.erase(1), status::ok);
    EXPECT_EQ(f, empty);
    // A counter of 1 that a key asks for twice: it surely is not in, and all is as it was.
    std::uint64_t refused = 0;
    testing::random_source random(3);
    for (int round = 0; round < 2000; ++round) {
        counting_filter g = empty;
        g.insert(random.next());
        const counting_filter before = g;
        const std::uint64_t stranger = random.next();
        const bool maybe = g.may_contain(stranger);
        if (g.erase(stranger) == status::not_present) {
            refused += maybe ? 1U : 0U;
            ASSERT_EQ(g, before);
        } else {
            ASSERT_EQ(g.tally().sum, 0U) << "four were taken";
        }
    }
    EXPECT_GT(refused, 10U);
}

TEST_P(Counting, NeverDeniesAKeyInALegalHistory) {
    counting_filter f(items{150}, rate{0.05}, GetParam());
    std::map<std::uint64_t, std::uint64_t> exact;
    testing::random_source random(11);
    const std::uint64_t most = (std::uint64_t{1} << f.counter_bits()) - 1;
    std::uint64_t stuck = 0;
    for (int step = 0; step < 30'000; ++step) {
        const std::uint64_t key = random.below(200);
        if (random.below(2) == 0) {
            f.insert(key);
            ++exact[key];
        } else if (exact[key] != 0) {
            ASSERT_NE(f.erase(key), status::not_present);
            --exact[key];
        }
        if (step % 100 == 0) {
            for (const auto& [each, times] : exact) {
                ASSERT_GE(f.count(each), std::min(times, most));
                ASSERT_TRUE(times == 0 || f.may_contain(each));
            }
            ASSERT_GE(f.stuck_counters(), stuck) << "stuck counters stay";
            stuck = f.stuck_counters();
        }
    }
    EXPECT_EQ(f.stuck_counters() != 0, f.counter_bits() < 8)
        << "the walk of a key goes to 20 or so";
}

TEST_P(Counting, AddAllAndRemoveAllLeavesNothing) {
    counting_filter f(items{2000}, rate{0.01}, GetParam());
    const counting_filter empty = f;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        EXPECT_EQ(f.tally().sum % f.hash_count(), 0U) << "as long as none is stuck";
        f.insert(i);
        if (i == 200) break;
    }
    const bool lost = f.stuck_counters() != 0;
    EXPECT_TRUE(lost || f.tally().sum == 201U * f.hash_count());
    for (std::uint64_t i = 0; i < 201; ++i) {
        EXPECT_NE(f.erase(i), status::not_present);
        EXPECT_TRUE(lost || f.tally().sum == (200 - i) * f.hash_count());
    }
    EXPECT_EQ(f == empty, !lost);
    f.clear();
    EXPECT_EQ(f, empty);
}

TEST_P(Counting, ErasingFromAnEmptyFilterChangesNothing) {
    counting_filter f = small();
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(f.erase(i), status::not_present);
    }
    EXPECT_EQ(f, small());
}

TEST_P(Counting, GuardRefusesWithoutATrace) {
    counting_filter f = small();
    for (std::uint64_t i = 0; i < 20; ++i) {
        f.insert(i);
    }
    std::uint64_t refused = 0;
    for (std::uint64_t i = 1000; i < 2000; ++i) {
        counting_filter before = f;
        if (f.erase(i) == status::not_present) {
            ++refused;
            ASSERT_EQ(f, before);
        }
        f = before;
    }
    EXPECT_GT(refused, 500U);
}

TEST_P(Counting, StuckCountersStayAndSaySo) {
    if (GetParam().counter_bits > 8) return;
    counting_filter f = small();
    const std::uint64_t most = (std::uint64_t{1} << f.counter_bits()) - 1;
    status last = status::ok;
    for (std::uint64_t i = 0; i < most; ++i) {
        EXPECT_EQ(f.count(7), i);
        last = f.try_insert(7).state;
        EXPECT_EQ(last, f.stuck_counters() != 0 ? status::saturated : status::ok);
    }
    EXPECT_EQ(last, status::saturated);
    EXPECT_EQ(f.count(7), most);
    const std::uint64_t stuck = f.stuck_counters();
    EXPECT_GT(stuck, 0U);
    for (std::uint64_t i = 0; i < 3 * most; ++i) {
        EXPECT_EQ(f.erase(7), status::saturated);
    }
    EXPECT_TRUE(f.may_contain(7)) << "it may be in more often than the counters know";
    EXPECT_EQ(f.stuck_counters(), stuck);
}

TEST_P(Counting, ManyAreAsOneByOne) {
    for (const std::size_t n : {0U, 1U, 127U, 128U, 129U, 3000U}) {
        counting_filter bulk(items{1000}, rate{0.02}, GetParam());
        counting_filter single = bulk;
        std::vector<std::uint64_t> keys(n);
        std::vector<std::string> texts(n);
        testing::random_source random(n);
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = random.below(2000);
            texts[i] = std::to_string(random.below(500));
        }
        bitmap answers;
        bulk.insert_many(keys);
        for (const std::uint64_t key : keys) single.insert(key);
        ASSERT_EQ(bulk, single);
        bulk.try_insert_many(texts, answers);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(answers[i], single.try_insert(texts[i]).fresh) << i;
        }
        ASSERT_EQ(bulk, single);
        for (std::uint64_t& key : keys) key += 1000;
        bulk.may_contain_many(keys, answers);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(answers[i], single.may_contain(keys[i])) << i;
        }
        bulk.erase_many(keys, answers);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(answers[i], single.erase(keys[i]) != status::not_present) << i;
        }
        ASSERT_EQ(bulk, single);
    }
}

TEST_P(Counting, KnowsItself) {
    counting_filter f(items{3000}, rate{0.01}, GetParam());
    EXPECT_EQ(f.stats().bits_set, 0U);
    EXPECT_EQ(f.stats().expected_rate, 0.0);
    for (std::uint64_t i = 0; i < 3000; ++i) f.insert(i);
    const statistics now = f.stats();
    EXPECT_EQ(now.bit_count, f.bit_count());
    EXPECT_EQ(now.bits_set, f.tally().used);
    EXPECT_NEAR(now.items.items, 3000, 6.5 * now.items.standard_error);
    EXPECT_LT(now.items.standard_error, 60);
    EXPECT_NEAR(now.expected_rate, 0.01, 0.003);
    EXPECT_LE(f.rate_at(items{3000}), 0.01);
    EXPECT_GT(f.rate_at(items{6000}), 0.05);
    const std::vector<fact> facts = f.facts();
    ASSERT_EQ(facts.size(), 4U);
    EXPECT_EQ(facts[0].value, std::to_string(GetParam().counter_bits));
    EXPECT_EQ(facts[1].value, GetParam().layout == flat ? "flat" : "blocked");
    EXPECT_EQ(facts[2].value, std::to_string(f.stuck_counters()));
    EXPECT_EQ(facts[3].value, std::to_string(f.tally().largest));
    EXPECT_EQ(f.spec().parameters,
              (kind_parameters{GetParam().counter_bits, GetParam().layout == flat ? 0U : 1U}));
}

TEST(CountingMaking, RefusesWhatNoFilterIs) {
    const items n{100};
    const rate p{0.01};
    EXPECT_THROW(counting_filter(items{0}, p), bad_argument);
    EXPECT_THROW(counting_filter(n, rate{0}), bad_argument);
    EXPECT_THROW(counting_filter(n, rate{1}), bad_argument);
    for (const std::uint32_t width : {0U, 1U, 33U, 64U, 65U}) {
        EXPECT_THROW(counting_filter(n, p, {width, flat}), bad_argument) << width;
    }
    for (const std::uint32_t width : {0U, 1U, 3U, 5U, 32U, 64U}) {
        EXPECT_THROW(counting_filter(n, p, {width, blocked}), bad_argument) << width;
    }
    EXPECT_THROW(counting_filter(n, p, {4, static_cast<counter_layout>(2)}), bad_argument);
    EXPECT_THROW(counting_filter(bits{0}, hashes{4}), bad_argument);
    EXPECT_THROW(counting_filter(bits{100}, hashes{0}), bad_argument);
    EXPECT_THROW(counting_filter(bits{100}, hashes{256}), bad_argument);
    EXPECT_THROW(counting_filter(bits{100}, hashes{4}, {4, blocked}), bad_argument);
    EXPECT_THROW(counting_filter(bits{128}, hashes{9}, {4, blocked}), bad_argument);
    EXPECT_THROW(counting_filter(bits{~std::uint64_t{0}}, hashes{4}), bad_argument);
    EXPECT_THROW(counting_filter(bits{std::uint64_t{1} << 58}, hashes{4}), memory_refused);
}

TEST(CountingMaking, TakesAWideHashForVastNumbers) {
    const counting_filter f(items{10}, rate{1e-10});
    EXPECT_EQ(f.hash().id(), hash::hash_id::xxh3_128);
    EXPECT_EQ(testing::copy_of(f), f);
    EXPECT_EQ(f.to_bloom().hash(), f.hash());
}

TEST(CountingKeys, AreOfEveryKind) {
    counting_filter f(items{100}, rate{1e-4});
    EXPECT_TRUE(f.try_insert("text"));
    EXPECT_TRUE(f.try_insert(std::pair(1, std::string("x"))));
    EXPECT_FALSE(f.try_insert("text"));
    EXPECT_EQ(f.count(std::string("text")), 2U);
    EXPECT_EQ(f.erase("text"), status::ok);
    EXPECT_EQ(f.erase("text"), status::ok);
    EXPECT_EQ(f.erase("text"), status::not_present);
    EXPECT_TRUE(f.may_contain(std::pair(1, std::string("x"))));
}

RC_GTEST_PROP(CountingHistories, EraseUndoesInsert,
              (const std::vector<std::int64_t>& keys, const std::vector<std::int64_t>& more)) {
    for (const counter_layout where : {flat, blocked}) {
        counting_filter f(items{200}, rate{0.05}, {8, where});
        for (const std::int64_t key : keys) f.insert(key);
        const counting_filter before = f;
        for (const std::int64_t key : more) f.insert(key);
        if (f.stuck_counters() != 0) continue;
        for (const std::int64_t key : more) RC_ASSERT(f.erase(key) == status::ok);
        RC_ASSERT(f == before);
        for (const std::int64_t key : keys) RC_ASSERT(f.may_contain(key));
        RC_ASSERT(f.tally().sum == keys.size() * f.hash_count());
    }
}

} // namespace
} // namespace bloomery
