// The stores behind a guard: a source, which has the truth, and a cache in front of it.
//
// A store is a handle: copies share one connection pool, one table. Stores are thread-safe. Keys
// and values are bytes, of any length.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/error.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::store {

/// The base class of store errors: the store refused the request (no such table, no permission, a
/// value that the column does not accept). Nothing was changed.
class BLOOMERY_EXPORT store_error : public error {
public:
    using error::error;
};

/// The store did not answer: it is down, too slow or out of connections. Nothing was changed.
class BLOOMERY_EXPORT unavailable : public store_error {
public:
    using store_error::store_error;
};

/// The connection was lost after a change was sent: it was done, or not, or will be in a moment.
class BLOOMERY_EXPORT outcome_unknown : public unavailable {
public:
    using unavailable::unavailable;
};

using keys = std::span<const std::string_view>;
/// Receives the keys of a scan, a few thousand at a time; they are valid only during the call. An
/// exception from it ends the scan and is passed to the caller.
using key_visitor = std::function<void(keys)>;

/// Something to remember about a key: its value, or that there is none.
struct entry {
    std::string_view key;
    std::optional<std::string_view> value;
};

/// What a cache knows about a key.
struct cached {
    enum class knowledge : std::uint8_t {
        nothing, ///< query the source
        value,   ///< this value
        absence, ///< the source recently did not have it
    };

    knowledge is = knowledge::nothing;
    std::string value{};
};

/// The data set itself. All functions throw store_error and unavailable; those that change it also
/// throw outcome_unknown.
template <class S>
concept source =
    std::copy_constructible<S> && requires(S& in, const S& of, std::string_view key,
                                           std::string_view value, keys all, key_visitor visit) {
        /// The value of a key, if there is such a key. Must see every write that has returned.
        { in.get(key) } -> std::same_as<std::optional<std::string>>;
        /// The same for many keys, in order, in as few round trips as possible.
        { in.get_many(all) } -> std::same_as<std::vector<std::optional<std::string>>>;
        /// Sets the value; true if there was no such key before.
        { in.put(key, value) } -> std::same_as<bool>;
        /// Removes a key; true if it was there.
        { in.erase(key) } -> std::same_as<bool>;
        /// Visits every key that existed when the call began and still exists; others may be
        /// visited or not. Uses bounded memory, whatever the number of keys.
        { in.scan(visit) } -> std::same_as<void>;
        /// The number of keys, or an estimate.
        { in.count() } -> std::same_as<std::uint64_t>;
        /// A description without secrets: "sqlite shop.db items.id". Handles on different data must
        /// have different names.
        { of.name() } -> std::same_as<std::string>;
    };

/// A source that knows what was written since a point in time, so that a filter from that time can
/// be brought up to date without a full scan.
template <class S>
concept marked_source = source<S> && requires(S& in, const std::string& since, key_visitor visit) {
    /// Whether every key that came after a mark is found, no matter who put it there and what else
    /// happened. Inexact marks are used only to detect, as far as possible, writers that bypass the
    /// guard; after a crash that lost writes, the guard scans again.
    { S::marks_are_exact } -> std::convertible_to<bool>;
    /// The current point in time: a line of text that only the source interprets. A key that is
    /// added later, or is being added now, comes after it.
    { in.mark() } -> std::same_as<std::string>;
    /// Visits at least every key that came after a mark and still exists; false if that is no
    /// longer known and a full scan is needed.
    { in.scan_since(since, visit) } -> std::same_as<bool>;
};

/// A cache in front of the source. All functions throw store_error and unavailable. A cached entry
/// may be stale by up to longest_life().
template <class C>
concept cache = std::copy_constructible<C> && requires(C& in, const C& of, std::string_view key,
                                                       keys all, std::span<const entry> entries) {
    { in.get(key) } -> std::same_as<cached>;
    /// The same for many keys, in order, in one round trip.
    { in.get_many(all) } -> std::same_as<std::vector<cached>>;
    /// Stores values, and absences if configured; in one round trip.
    { in.put(entries) } -> std::same_as<void>;
    /// Removes keys, in one round trip.
    { in.erase(all) } -> std::same_as<void>;
    /// The maximum lifetime of an entry; zero if entries never expire.
    { of.longest_life() } -> std::same_as<std::chrono::milliseconds>;
};

// Where keys and values are stored in an SQL database.

/// A table with a key column and an optional value column. Names are quoted as they are; in
/// `table`, a dot separates the schema from the table.
///
/// A key is the bytes of its text form, as the database prints it: 7, not 007; times in UTC. In a
/// binary column (BLOB, bytea), it is the bytes themselves. A key that the column cannot hold is
/// never found, and putting it is refused. Rows whose key is NULL are ignored.
struct sql_table {
    std::string table;
    std::string key_column;
    /// Empty: there are only keys, whose value is "". A NULL value is also "".
    std::string value_column{};
};

/// The key type of a table that a store creates.
enum class sql_keys : std::uint8_t {
    text,     ///< UTF-8 without the character zero
    bytes,    ///< any bytes
    integers, ///< signed 64-bit
};

// Stores in memory: for tests, experiments and small caches.

/// No cache at all.
class no_cache {
public:
    [[nodiscard]] cached get(std::string_view /*key*/) { return {}; }
    [[nodiscard]] std::vector<cached> get_many(keys all) { return std::vector<cached>(all.size()); }
    void put(std::span<const entry> /*entries*/) {}
    void erase(keys /*all*/) {}
    [[nodiscard]] std::chrono::milliseconds longest_life() const noexcept { return {}; }
};

/// A source in memory. Its marks are exact: it keeps a list of all keys that were ever put.
class BLOOMERY_EXPORT memory {
public:
    static constexpr bool marks_are_exact = true;

    /// An empty source. Throws std::bad_alloc, like everything here.
    explicit memory(std::string name = "memory");

    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(keys all);
    bool put(std::string_view key, std::string_view value);
    bool erase(std::string_view key);
    /// Visits a copy of the keys; the source may be used meanwhile, even from the visitor.
    void scan(const key_visitor& visit);
    [[nodiscard]] std::uint64_t count();
    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string mark();
    [[nodiscard]] bool scan_since(const std::string& mark, const key_visitor& visit);

private:
    struct impl;
    std::shared_ptr<impl> impl_;
};

/// A cache in memory with a maximum number of entries; the oldest make room for new ones.
class BLOOMERY_EXPORT memory_cache {
public:
    /// With `absences`, it also stores absences. Entries never expire if `expiry` is zero.
    explicit memory_cache(std::size_t most_entries, std::chrono::milliseconds expiry = {},
                          bool absences = false);

    [[nodiscard]] cached get(std::string_view key);
    [[nodiscard]] std::vector<cached> get_many(keys all);
    void put(std::span<const entry> entries);
    void erase(keys all);
    [[nodiscard]] std::chrono::milliseconds longest_life() const noexcept;

private:
    struct impl;
    std::shared_ptr<impl> impl_;
};

static_assert(cache<no_cache> && cache<memory_cache> && marked_source<memory>);

} // namespace bloomery::inline v0::store
