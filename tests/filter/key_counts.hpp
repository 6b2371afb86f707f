// What the tests of filters that count occurrences share: spectral and dynamic count filters.
#pragma once

#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/spectral.hpp>

#include "random.hpp"
#include "saved_state.hpp"
#include "verbs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace bloomery::testing {

inline constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

template <class F>
concept erases_something =
    requires(F& f, digest128 d) { f.erase(d); } || requires(F& f, digest128 d) { f.erase(d, 1); } ||
    requires(F& f) { f.erase("key"); } || requires(F& f) { f.erase("key", 1); } ||
    requires(F& f, std::vector<int> keys, bitmap b) { f.erase_many(keys, b); };
template <class F>
concept bounds_above = requires(const F& f) { f.upper_bound("key"); };

using spectral_policies =
    ::testing::Types<spectral_filter, minimal_increase_filter, recurring_minimum_filter>;

/// Small arrays, so that keys share counters and probes of a key meet.
template <class Filter>
Filter crowded(std::uint64_t seed, std::uint32_t width = 4) {
    return Filter(bits{40 + seed % 60}, hashes{static_cast<std::uint32_t>(2 + seed % 6)}, {width},
                  native_hash::seeded(seed));
}

/// What the counters would be without any cleverness.
class plain_counters {
public:
    template <class Filter>
    explicit plain_counters(const Filter& like)
        : values(like.counter_count()), k_(like.hash_count()) {}

    /// Where a key has its counters; one that two of its probes share is there once.
    [[nodiscard]] std::set<std::uint64_t> places(digest128 key) const {
        std::set<std::uint64_t> found;
        auto walk = layout::native_scheme::walk(key);
        for (std::uint32_t i = 0; i < k_; ++i) {
            found.insert(layout::native_scheme::reduce(walk.next(), values.size()));
        }
        return found;
    }
    /// Or takes out, with a number below 0.
    void add(digest128 key, std::int64_t by) {
        for (const std::uint64_t at : places(key)) values[at] += static_cast<std::uint64_t>(by);
    }
    [[nodiscard]] std::uint64_t count(digest128 key) const {
        std::uint64_t least = most;
        for (const std::uint64_t at : places(key)) least = std::min(least, values[at]);
        return least;
    }
    std::vector<std::uint64_t> values;

private:
    std::uint32_t k_;
};

/// A legal history: only keys that are in are taken out. Calls `check` after each step.
template <class Filter, class Check>
void live(Filter& made, std::map<std::uint64_t, std::uint64_t>& truth, random_source& random,
          int steps, Check check) {
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

/// Inserting several is inserting one after another, of filters that `make` makes from a seed.
template <class Make>
void expect_several_as_one_by_one(Make make, std::uint64_t several) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        random_source random(seed);
        auto at_once = make(seed);
        auto singly = make(seed);
        for (int step = 0; step < 60; ++step) {
            const std::uint64_t key = random.below(20);
            const std::uint64_t r = random.below(several);
            at_once.insert(key, r);
            for (std::uint64_t i = 0; i < r; ++i) singly.insert(key);
            ASSERT_EQ(at_once, singly) << seed << ", " << step;
            if constexpr (requires { singly.overflow_bits(); }) {
                ASSERT_EQ(at_once.overflow_bits(), singly.overflow_bits());
            }
        }
    }
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
    if constexpr (merges<Filter>) made.merge(made);
    ASSERT_EQ(copy_of(made), made);
    made.clear();
}

/// Saved words of the filters that `make` makes, with one changed: refused, or of use.
template <class Make, class Change>
void expect_refused_or_usable(Make make, Change change) {
    std::uint64_t refused = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto made = make(seed);
        random_source random(seed);
        const auto words = payload_of(made);
        for (int turn = 0; turn < 40; ++turn) {
            auto damaged = words;
            change(damaged, random);
            try {
                auto back = restored_from(made, damaged);
                use(back);
            } catch (const bad_data&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 500U);
}

/// `read` restores a filter with a spec that it may change.
template <class Read>
void expect_other_shapes_refused(Read read) {
    for (const std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1} << 40, most / 2 + 1, most}) {
        EXPECT_THROW(read([=](spec& s) { s.shape.bit_count = m; }), bad_data);
    }
    for (const std::uint32_t k : {0U, 65U, 256U, ~0U}) {
        EXPECT_THROW(read([=](spec& s) { s.shape.hash_count = k; }), bad_data);
    }
    EXPECT_THROW(read([](spec& s) { s.kind = filter_kind::counting; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.seed ^= 1; }), bad_data);
}

} // namespace bloomery::testing
