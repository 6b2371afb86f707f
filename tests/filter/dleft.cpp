// The d-left filter against exact counts of fingerprints: cells, stash, counters that stay.
#include <bloomery/filter/dleft.hpp>

#include "random.hpp"
#include "saved_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace bloomery {
namespace {

using testing::random_source;

/// A filter and what should be in it: how often each fingerprint, up to where counters stay.
struct pair_of {
    dleft_filter made;
    std::uint64_t most;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> in{};

    explicit pair_of(items n, dleft_options options = {}, rate p = {0.01})
        : made(n, p, options), most((1U << options.counter_bits) - 1) {}

    [[nodiscard]] auto fingerprint(digest128 key) const {
        return std::pair(hash::fastrange(key.low, made.buckets()),
                         key.high >> (64 - made.remainder_bits()));
    }
    void insert(digest128 key) {
        const dleft_filter before = made;
        const insertion done = made.try_insert(key);
        const auto found = in.find(fingerprint(key));
        ASSERT_EQ(done.fresh, found == in.end());
        if (done.state == status::full) {
            ASSERT_EQ(made, before);
            ASSERT_EQ(found, in.end());
            ASSERT_EQ(made.stash_size(), made.spec().parameters[4]);
            return;
        }
        std::uint64_t& now = in[fingerprint(key)];
        now = std::min(now + 1, most);
        ASSERT_EQ(done.state, now == most ? status::saturated : status::ok);
        if (now != most) { // taken out again, it leaves no trace
            dleft_filter back = made;
            ASSERT_EQ(back.erase(key), status::ok);
            ASSERT_EQ(back, before);
        }
    }
    void erase(digest128 key) {
        const auto found = in.find(fingerprint(key));
        const status done = made.erase(key);
        if (found == in.end()) {
            ASSERT_EQ(done, status::not_present);
        } else if (found->second == most) {
            ASSERT_EQ(done, status::saturated);
        } else {
            ASSERT_EQ(done, status::ok);
            if (--found->second == 0) {
                in.erase(found);
            }
        }
    }
    void expect_equal(const std::vector<digest128>& keys) const {
        for (const digest128 key : keys) {
            const auto found = in.find(fingerprint(key));
            ASSERT_EQ(made.may_contain(key), found != in.end());
            ASSERT_EQ(made.count(key), found == in.end() ? 0 : found->second);
            ASSERT_EQ(made.match_count(key), found == in.end() ? 0U : 1U);
        }
        std::uint64_t cells = 0;
        const auto loads = made.load_histogram();
        for (std::size_t load = 0; load < loads.size(); ++load) {
            cells += load * loads[load];
        }
        ASSERT_EQ(cells, made.stats().bits_set);
        ASSERT_EQ(cells + made.stash_size(), in.size());
        ASSERT_EQ(std::accumulate(loads.begin(), loads.end(), std::uint64_t{0}),
                  4 * made.buckets());
    }
};

/// Keys of which many share a remainder's bits, a bucket, or both.
std::vector<digest128> near_keys(std::uint64_t count, random_source& random) {
    std::vector<digest128> keys(count);
    for (digest128& key : keys) {
        key = {random.next(), random.below(3) == 0 ? random.below(4) << 52U : random.next()};
    }
    return keys;
}

TEST(DLeft, IsAnExactCountOfFingerprintsInRandomHistories) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        random_source random(seed);
        dleft_options options;
        options.counter_bits = 2 + static_cast<std::uint32_t>(seed % 3);
        options.stash_entries = seed % 4 == 0 ? 0 : static_cast<std::uint32_t>(seed);
        pair_of both(items{1 + random.below(100)}, options, {seed % 2 == 0 ? 0.01 : 1e-6});
        const auto keys = near_keys(40 + random.below(120), random);
        for (int turn = 0; turn < 600; ++turn) {
            const digest128 key = keys[random.below(keys.size())];
            ASSERT_NO_FATAL_FAILURE(random.below(5) < 3 ? both.insert(key) : both.erase(key));
            if (turn % 20 == 0) {
                ASSERT_NO_FATAL_FAILURE(both.expect_equal(keys));
                ASSERT_EQ(testing::copy_of(both.made), both.made);
            }
        }
        ASSERT_NO_FATAL_FAILURE(both.expect_equal(keys));
    }
}

TEST(DLeft, FillsTheStashThenSaysFullAndChangesNothing) {
    pair_of both(items{20}); // one bucket a table: 32 cells
    random_source random(3);
    std::vector<digest128> keys;
    while (both.in.size() < 32 + 64) {
        keys.push_back({random.next(), random.next()});
        ASSERT_NO_FATAL_FAILURE(both.insert(keys.back()));
    }
    EXPECT_EQ(both.made.stash_size(), 64U);
    const dleft_filter before = both.made;
    const digest128 more{1, 1};
    EXPECT_EQ(both.made.try_insert(more), (insertion{true, status::full}));
    EXPECT_FALSE(both.made.may_contain(more));
    EXPECT_EQ(both.made, before);
    EXPECT_THROW(both.made.insert_many(std::vector{more}), filter_full);
    ASSERT_NO_FATAL_FAILURE(both.expect_equal(keys));
    for (const digest128 key : keys) {
        ASSERT_TRUE(both.made.may_contain(key));
        ASSERT_NO_FATAL_FAILURE(both.erase(key));
    }
    EXPECT_EQ(both.made, dleft_filter(items{20}, rate{0.01}));
}

TEST(DLeft, CountersThatReachTheTopStay) {
    dleft_filter made(items{100}, rate{0.01});
    EXPECT_EQ(made.try_insert("key"), (insertion{true, status::ok}));
    EXPECT_EQ(made.try_insert("key"), (insertion{false, status::ok}));
    EXPECT_EQ(made.try_insert("key"), (insertion{false, status::saturated}));
    EXPECT_EQ(made.try_insert("key"), (insertion{false, status::saturated}));
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(made.erase("key"), status::saturated);
    }
    EXPECT_TRUE(made.may_contain("key"));
    EXPECT_EQ(made.count("key"), 3U);
    dleft_filter wide(items{100}, rate{0.01}, {8, 64});
    for (int i = 0; i < 254; ++i) {
        EXPECT_EQ(wide.try_insert("key").state, status::ok);
    }
    EXPECT_EQ(wide.count("key"), 254U);
    EXPECT_EQ(wide.try_insert("key").state, status::saturated);
}

TEST(DLeft, MergeCountsTheKeysOfBoth) {
    random_source random(11);
    for (int turn = 0; turn < 20; ++turn) {
        pair_of a(items{200});
        pair_of b(items{200});
        const auto keys = near_keys(150, random);
        for (int i = 0; i < 100; ++i) {
            ASSERT_NO_FATAL_FAILURE(a.insert(keys[random.below(keys.size())]));
            ASSERT_NO_FATAL_FAILURE(b.insert(keys[random.below(keys.size())]));
        }
        for (const auto& [of, count] : b.in) {
            a.in[of] = std::min(a.in[of] + count, a.most);
        }
        a.made.merge(b.made);
        ASSERT_NO_FATAL_FAILURE(a.expect_equal(keys));
        for (auto& [of, count] : b.in) {
            count = std::min(2 * count, b.most);
        }
        b.made.merge(b.made);
        ASSERT_NO_FATAL_FAILURE(b.expect_equal(keys));
    }
}

TEST(DLeft, MergeIsAllOrNothing) {
    pair_of a(items{20});
    pair_of b(items{20});
    random_source random(5);
    for (int i = 0; i < 60; ++i) {
        a.insert({random.next(), random.next()});
        b.insert({random.next(), random.next()});
    }
    const dleft_filter before = a.made;
    EXPECT_THROW(a.made.merge(b.made), filter_full);
    EXPECT_EQ(a.made, before);
    dleft_filter empty(items{20}, rate{0.01});
    empty.merge(b.made); // cells and stash
    EXPECT_EQ(empty.stash_size(), b.made.stash_size());
    EXPECT_THROW(empty.merge(dleft_filter(items{200}, rate{0.01})), incompatible);
    EXPECT_THROW(empty.merge(dleft_filter(items{20}, rate{0.01}, {3, 64})), incompatible);
    EXPECT_THROW(empty.merge(dleft_filter(items{20}, rate{0.01}, {}, native_hash::seeded(1))),
                 incompatible);
}

TEST(DLeft, EstimatesItsKeysAndItsRate) {
    dleft_filter made(items{20'000}, rate{0.01});
    for (int i = 0; i < 20'000; ++i) {
        made.insert(i);
    }
    const statistics now = made.stats();
    EXPECT_NEAR(now.items.items, 20'000, 6 * now.items.standard_error + 1);
    EXPECT_NEAR(now.expected_rate, made.rate_at(items{20'000}), 1e-4);
    EXPECT_EQ(now.bit_count, 32 * made.buckets());
    bool found = false;
    for (const fact& each : made.facts()) {
        found = found || (each.name == "sum of counters" && each.value == "20000");
    }
    EXPECT_TRUE(found);
}

TEST(DLeft, WithAllFingerprintsInCannotTellHowManyKeysItHas) {
    dleft_filter made(items{1}, rate{0.9}, {2, 1024});
    for (int i = 0; i < 20'000; ++i) {
        made.insert(i);
    }
    const statistics now = made.stats();
    EXPECT_EQ(now.expected_rate, 1);
    EXPECT_TRUE(now.items.saturated);
    EXPECT_EQ(now.items.standard_error, std::numeric_limits<double>::infinity());
}

TEST(DLeft, RefusesWhatNoFilterIsMadeOf) {
    EXPECT_THROW(dleft_filter(items{0}, rate{0.01}), bad_argument);
    EXPECT_THROW(dleft_filter(items{1}, rate{0}), bad_argument);
    EXPECT_THROW(dleft_filter(items{1}, rate{1}), bad_argument);
    EXPECT_THROW(dleft_filter(items{1}, rate{1e-18}), bad_argument);
    EXPECT_THROW(dleft_filter(items{1}, rate{0.01}, {1, 64}), bad_argument);
    EXPECT_THROW(dleft_filter(items{1}, rate{0.01}, {9, 64}), bad_argument);
    EXPECT_THROW(dleft_filter(items{1}, rate{0.01}, {2, 1025}), bad_argument);
    EXPECT_THROW(dleft_filter(items{~std::uint64_t{0}}, rate{0.01}), bad_argument);
    EXPECT_EQ(dleft_filter(items{1}, rate{1e-10}).hash().id(), hash::hash_id::xxh3_128);
}

TEST(DLeft, MapsDigestsAsItsFilesDo) {
    EXPECT_EQ(testing::print_of_three_digests(dleft_filter(items{100}, rate{0.01})),
              17698164096907607694U);
}

} // namespace
} // namespace bloomery
