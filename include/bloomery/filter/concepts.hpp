// What a filter can do, one concept per capability.
//
// If a filter of this library has a verb, it has it as written here: filters of bits, the other
// kinds, any_filter, views for several threads, redis_filter and the filters of other systems. What
// a kind cannot do is absent from its type; any_filter, whose kind is known only at run time, has
// all verbs and throws unsupported. tests/contract checks all types.
#pragma once

#include <bloomery/detail/layout/status.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bloomery::inline v0 {

/// Answers "definitely not" or "maybe": for one key, and for many into a given or a new bitmap,
/// with bit i for key i.
template <class F, class Key = std::string_view>
concept queryable =
    requires(const F& filter, const Key& key, const std::vector<Key>& keys, bitmap& maybe) {
        { filter.may_contain(key) } -> std::same_as<bool>;
        { filter.may_contain_many(keys, maybe) } -> std::same_as<void>;
        { filter.may_contain_many(keys) } -> std::same_as<bitmap>;
    };

/// Takes keys. `insert` returns nothing and throws filter_full if there is no room; `try_insert` is
/// true if the key was definitely new and is in now. Bulk calls throw filter_full at the first key
/// without room; earlier keys are then in.
template <class F, class Key = std::string_view>
concept filter_like = queryable<F, Key> && requires(F& filter, const Key& key,
                                                    const std::vector<Key>& keys, bitmap& fresh) {
    { filter.insert(key) } -> std::same_as<void>;
    { filter.try_insert(key) } -> std::convertible_to<bool>;
    { filter.insert_many(keys) } -> std::same_as<void>;
    { filter.try_insert_many(keys, fresh) } -> std::same_as<void>;
    { filter.try_insert_many(keys) } -> std::same_as<bitmap>;
};

/// Erases one occurrence of a key: not_present, and nothing changes, if it is definitely not in the
/// filter. For many keys, bit i is whether key i was erased. Erase only what is in the filter:
/// erasing a false positive makes it deny keys that are in it. Callers may ignore the answer, as
/// there is no other way to erase.
template <class F, class Key = std::string_view>
concept erasable =
    requires(F& filter, const Key& key, const std::vector<Key>& keys, bitmap& erased) {
        { filter.erase(key) } -> std::same_as<status>;
        { filter.erase_many(keys, erased) } -> std::same_as<void>;
        { filter.erase_many(keys) } -> std::same_as<bitmap>;
    };

/// Counts how often a key is in the filter.
template <class F, class Key = std::string_view>
concept countable = requires(const F& filter, const Key& key) {
    { filter.count(key) } -> std::convertible_to<std::uint64_t>;
};

/// Becomes the union with another; throws incompatible, and changes nothing, unless
/// compatible_with(other).
template <class F>
concept mergeable = requires(F& filter, const F& other) {
    { other.compatible_with(other) } -> std::same_as<compatibility>;
    { filter.merge(other) } -> std::same_as<void>;
};

/// Becomes the intersection; throws as merge.
template <class F>
concept intersectable = mergeable<F> && requires(F& filter, const F& other) {
    { filter.intersect(other) } -> std::same_as<void>;
};

/// Removes all keys.
template <class F>
concept clearable = requires(F& filter) {
    { filter.clear() } -> std::same_as<void>;
};

/// Knows what it is, what it was made for, and how full it is.
template <class F>
concept measurable = requires(const F& filter, items n) {
    { filter.spec() } -> std::same_as<spec>;
    { filter.made_for() } -> std::convertible_to<design>;
    { filter.stats() } -> std::same_as<statistics>;
    { filter.fill_ratio() } -> std::same_as<double>;
    { filter.expected_rate() } -> std::same_as<double>;
    { filter.estimated_items() } -> std::same_as<plan::cardinality>;
    { filter.rate_at(n) } -> std::same_as<double>;
};

/// Has a view through which any number of threads insert and query at once.
template <class F, class Key = std::string_view>
concept shareable = requires(F& filter) { requires filter_like<decltype(filter.shared()), Key>; };

} // namespace bloomery::inline v0
