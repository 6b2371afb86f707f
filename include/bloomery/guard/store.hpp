// What a guard asks of the stores behind it: a source, which has the truth, and a cache before it.
//
// A store is a handle: copies share one connection pool, one table. Any number of threads may call
// any of its functions at once. Keys and values are bytes, of any length.
#pragma once

#include <bloomery/error.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::store {

/// The base of what stores throw: they refused, for a reason of their own (no such table, no right
/// to it, a value that the column does not take). Nothing was changed.
class store_error : public error {
public:
    using error::error;
};

/// Nobody answered: not there, too slow, out of connections. Nothing was changed.
class unavailable : public store_error {
public:
    using store_error::store_error;
};

/// The connection was lost after a change was sent: it was made, or not, or will be in a moment.
class outcome_unknown : public unavailable {
public:
    using unavailable::unavailable;
};

using keys = std::span<const std::string_view>;
/// Receives the keys of a scan, some thousands at a time; they are gone when it returns. What it
/// throws ends the scan and reaches the caller.
using key_visitor = std::function<void(keys)>;

/// Something to remember about a key: its value, or that there is none.
struct entry {
    std::string_view key;
    std::optional<std::string_view> value;
};

/// What a cache knows of a key.
struct cached {
    enum class knowledge : std::uint8_t {
        nothing, ///< ask the source
        value,   ///< this value
        absence, ///< the source did not have it, a short while ago
    };

    knowledge is = knowledge::nothing;
    std::string value{};
};

/// The data set itself. All throw store_error, unavailable; those that change it outcome_unknown.
template <class S>
concept source =
    std::copy_constructible<S> && requires(S& in, const S& of, std::string_view key,
                                           std::string_view value, keys all, key_visitor visit) {
        /// The value of a key, if there is such a key. A write that returned is seen.
        { in.get(key) } -> std::same_as<std::optional<std::string>>;
        /// The same for many, in their order, in as few round trips as can be.
        { in.get_many(all) } -> std::same_as<std::vector<std::optional<std::string>>>;
        /// Sets the value; true if there was no such key before.
        { in.put(key, value) } -> std::same_as<bool>;
        /// Removes a key; true if it was there.
        { in.erase(key) } -> std::same_as<bool>;
        /// Visits every key that was there when the call began and still is; of the others any or
        /// none. Bounded memory, whatever the number of keys.
        { in.scan(visit) } -> std::same_as<void>;
        /// How many keys there are, or about how many.
        { in.count() } -> std::same_as<std::uint64_t>;
        /// What it is, without secrets: "sqlite shop.db items.id". Two handles on different data
        /// have different names.
        { of.name() } -> std::same_as<std::string>;
    };

/// A source that knows what came since a moment, so that a filter which was right then is made
/// right again without a whole scan.
template <class S>
concept marked_source = source<S> && requires(S& in, const std::string& since, key_visitor visit) {
    /// Whether every key that came after a mark is found, whoever put it there and whatever else
    /// happened. Marks that are not exact serve to notice writers that go past the guard, as well
    /// as they can; after a crash that took writes away the guard scans again.
    { S::marks_are_exact } -> std::convertible_to<bool>;
    /// This moment: a line of text that means something to the source alone. A key that comes in
    /// later, or is on its way in, comes after it.
    { in.mark() } -> std::same_as<std::string>;
    /// Visits at least every key that has come after a mark and is still there; false if that can
    /// no longer be told, and a whole scan is needed.
    { in.scan_since(since, visit) } -> std::same_as<bool>;
};

/// What stands before the source and forgets. All throw store_error, unavailable. What a cache
/// knows may be old by as much as longest_life().
template <class C>
concept cache = std::copy_constructible<C> && requires(C& in, const C& of, std::string_view key,
                                                       keys all, std::span<const entry> entries) {
    { in.get(key) } -> std::same_as<cached>;
    /// The same for many, in their order, in one round trip.
    { in.get_many(all) } -> std::same_as<std::vector<cached>>;
    /// Remembers values, and absences if it is made to; in one round trip.
    { in.put(entries) } -> std::same_as<void>;
    /// Forgets keys, in one round trip.
    { in.erase(all) } -> std::same_as<void>;
    /// No entry lives longer; zero if they live for ever.
    { of.longest_life() } -> std::same_as<std::chrono::milliseconds>;
};

} // namespace bloomery::store
