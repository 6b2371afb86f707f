// The contract of filter/concepts.hpp, checked for one type after another.
//
// A subject is a type with `type`, `make()` (an empty filter for about a thousand keys) and what
// the type can do: `can`. The checks below are compiled once for each.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/concepts.hpp>
#include <bloomery/hash/digest.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// What a type can do besides taking keys in and answering.
struct abilities {
    bool erase = false;
    bool count = false;
    bool merge = true;
    bool intersect = true;
    bool clear = true;
    bool share = true;
    bool equality = true;     ///< of bits; a filter in Redis would have to read all of them
    bool at_run_time = false; ///< any_filter: it has all verbs, and throws unsupported
};

inline constexpr abilities bits_can{};
inline constexpr abilities counters_can{
    .erase = true, .count = true, .intersect = false, .share = false};
inline constexpr abilities growing_can{.intersect = false, .share = false};

using compound_key = std::tuple<std::string, int>;

/// The same keys in every form: members, and strangers that are not among them.
template <class Key>
std::vector<Key> keys_from(std::uint64_t first, std::uint64_t count) {
    std::vector<Key> made;
    for (std::uint64_t i = first; i < first + count; ++i) {
        if constexpr (std::same_as<Key, std::uint64_t>) {
            made.push_back(i * 0x9e3779b97f4a7c15U);
        } else if constexpr (std::same_as<Key, compound_key>) {
            made.emplace_back("user " + std::to_string(i), static_cast<int>(i));
        } else {
            made.push_back("key-" + std::to_string(i));
        }
    }
    return made;
}

/// How many types the suites of this program run over.
inline std::vector<std::string>& covered_types() {
    static std::vector<std::string> names;
    return names;
}
template <class... Subjects>
std::size_t cover() {
    (covered_types().emplace_back(Subjects::name), ...);
    return sizeof...(Subjects);
}

/// How the four ways to insert came out, for one list of keys.
struct outcome_of_inserts {
    std::vector<bool> fresh_one_by_one;
    std::vector<bool> fresh_in_bulk;
    std::vector<bool> fresh_returned;
    std::vector<std::vector<bool>> answers; ///< of members, then strangers: one by one, bulk, ...
    std::size_t members = 0;
};
inline void expect_agreement(const outcome_of_inserts& all) {
    EXPECT_EQ(all.fresh_one_by_one, all.fresh_in_bulk);
    EXPECT_EQ(all.fresh_one_by_one, all.fresh_returned);
    for (std::size_t i = all.members; i < all.fresh_in_bulk.size(); ++i) {
        EXPECT_FALSE(all.fresh_in_bulk[i]) << "key " << i - all.members << " for the second time";
    }
    if (all.members != 0) {
        EXPECT_TRUE(all.fresh_in_bulk.front()) << "an empty filter has not seen it";
    }
    for (std::size_t way = 0; way < all.answers.size(); ++way) {
        EXPECT_EQ(all.answers[way], all.answers.front()) << "way " << way;
    }
    for (std::size_t i = 0; i < all.fresh_in_bulk.size(); ++i) {
        EXPECT_TRUE(all.answers.front()[i]) << "a false negative: key " << i;
    }
}

inline std::vector<bool> bits_of(const bitmap& from) {
    std::vector<bool> made;
    for (std::size_t i = 0; i < from.bit_count(); ++i) {
        made.push_back(from[i]);
    }
    return made;
}

template <class F>
bool are_equal(const F& a, const F& b) {
    if constexpr (requires { a == b; }) {
        return a == b;
    } else {
        return false;
    }
}
template <class F>
bool has_equality(const F& of) {
    const F copy = of;
    return are_equal(copy, of);
}

/// The keys that the filter has a place for; some of other systems refuse a few, or all of a form.
template <class F, class Key>
std::vector<Key> placeable(F (*make)(), const std::vector<Key>& wanted) {
    std::vector<Key> kept;
    F trial = make();
    for (const Key& key : wanted) {
        try {
            (void)trial.may_contain(key);
            trial.insert(key);
            kept.push_back(key);
        } catch (const no_place&) { // NOLINT(bugprone-empty-catch): as the original refuses it
        }
    }
    return kept;
}

template <class Key, class F>
void check_inserts(F (*make)()) {
    std::vector<Key> keys = placeable(make, keys_from<Key>(0, 300));
    const std::vector<Key> strangers = placeable(make, keys_from<Key>(10'000, 300));
    outcome_of_inserts all;
    all.members = keys.size();
    const std::vector<Key> again(keys.begin(),
                                 keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 3));
    keys.insert(keys.end(), again.begin(), again.end());
    F one = make();
    F tried = make();
    F bulk = make();
    F tried_bulk = make();
    F returned = make();
    for (const Key& key : keys) {
        one.insert(key);
        all.fresh_one_by_one.push_back(bool(tried.try_insert(key)));
    }
    bulk.insert_many(keys);
    bitmap fresh(5);
    tried_bulk.try_insert_many(keys, fresh);
    all.fresh_in_bulk = bits_of(fresh);
    all.fresh_returned = bits_of(returned.try_insert_many(keys));
    keys.insert(keys.end(), strangers.begin(), strangers.end());
    for (const F* const asked : {&one, &tried, &bulk, &tried_bulk, &returned}) {
        std::vector<bool> answers;
        for (const Key& key : keys) {
            answers.push_back(asked->may_contain(key));
        }
        all.answers.push_back(std::move(answers));
        bitmap maybe;
        asked->may_contain_many(keys, maybe);
        all.answers.push_back(bits_of(maybe));
        all.answers.push_back(bits_of(asked->may_contain_many(keys)));
    }
    if (has_equality(one)) {
        for (const F* const other : {&tried, &bulk, &tried_bulk, &returned}) {
            EXPECT_TRUE(are_equal(one, *other));
        }
    }
    expect_agreement(all);
}

/// Digests of texts are the same keys.
template <class F>
void check_digests(F (*make)()) {
    F whole = make();
    if constexpr (requires { whole.hashes_ahead(); }) {
        if (!whole.hashes_ahead()) {
            EXPECT_THROW(whole.insert(digest128{}), unsupported);
            return;
        }
    }
    if constexpr (requires { whole.insert(whole.digest("key")); }) {
        F hashed = make();
        const auto keys = placeable(make, keys_from<std::string>(0, 100));
        std::vector<decltype(whole.digest("key"))> digests;
        for (const std::string& key : keys) {
            digests.push_back(whole.digest(key));
            whole.insert(key);
            const bool claimed = hashed.may_contain(key);
            EXPECT_EQ(bool(hashed.try_insert(digests.back())), !claimed) << key;
        }
        F bulk = make();
        bulk.insert_many(digests);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            EXPECT_TRUE(whole.may_contain(digests[i]) && hashed.may_contain(keys[i]));
        }
        EXPECT_EQ(bulk.may_contain_many(digests).count(), keys.size());
        if (has_equality(whole)) {
            EXPECT_TRUE(are_equal(whole, hashed) && are_equal(whole, bulk));
        }
    }
}

/// One of the calls that erase, whatever it returns.
template <class F>
concept erases_something =
    requires(F& f) { f.erase("key"); } || requires(F& f, digest128 key) { f.erase(key); } ||
    requires(F& f, std::vector<std::string> keys, bitmap& erased) { f.erase_many(keys, erased); } ||
    requires(F& f, std::vector<std::string> keys) { f.erase_many(keys); };

/// Every way to erase does the same: of keys that are in, once and twice, and of strangers.
template <class Key, class F>
void check_erases(F (*make)()) {
    std::vector<Key> keys = placeable(make, keys_from<Key>(0, 200));
    const std::vector<Key> kept = placeable(make, keys_from<Key>(1000, 50));
    F one = make();
    one.insert_many(keys);
    one.insert_many(kept);
    F bulk = one;
    F returned = one;
    const std::vector<Key> others = placeable(make, keys_from<Key>(10'000, 100));
    keys.insert(keys.end(), others.begin(), others.end());
    keys.insert(keys.end(), keys.begin(), keys.begin() + 20);
    std::vector<bool> erased_one_by_one;
    for (const Key& key : keys) {
        erased_one_by_one.push_back(one.erase(key) != status::not_present);
    }
    EXPECT_EQ(erased_one_by_one.front(), true);
    bitmap erased(5);
    bulk.erase_many(keys, erased);
    EXPECT_EQ(bits_of(erased), erased_one_by_one);
    EXPECT_EQ(bits_of(returned.erase_many(keys)), erased_one_by_one);
    EXPECT_TRUE(one == bulk && one == returned);
    EXPECT_FALSE(one.may_contain(keys[0]));
    EXPECT_EQ(one.may_contain_many(kept).count(), kept.size());
    if constexpr (requires { one.hashes_ahead(); }) {
        if (!one.hashes_ahead()) {
            EXPECT_THROW(one.erase(digest128{}), unsupported);
            EXPECT_THROW(one.erase_many(std::vector{digest128{}}), unsupported);
            return;
        }
    }
    if constexpr (requires { one.erase(one.digest(keys[0])); }) {
        F hashed = make();
        hashed.insert_many(kept);
        F hashed_bulk = hashed;
        std::vector<decltype(one.digest(keys[0]))> digests;
        for (const Key& key : kept) {
            digests.push_back(one.digest(key));
            EXPECT_NE(hashed.erase(digests.back()), status::not_present);
        }
        EXPECT_EQ(hashed_bulk.erase_many(digests).count(), kept.size());
        EXPECT_TRUE(hashed == hashed_bulk);
        EXPECT_EQ(hashed.fill_ratio(), 0);
    }
}

/// Runs what a type may be unable to do; true if it did it.
template <class Verb>
bool done(Verb verb) {
    try {
        verb();
        return true;
    } catch (const unsupported&) {
        return false;
    }
}

} // namespace bloomery::testing
