// A table in a PostgreSQL database as the source behind a guard.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/guard/store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::store {

/// How to use a server.
struct postgres_options {
    bool create = false;              ///< creates the table if it does not exist
    sql_keys keys = sql_keys::text;   ///< of a table that is created
    std::size_t most_connections = 8; ///< more threads wait for each other; scans have their own
    std::chrono::milliseconds connect_timeout{2'000};
    /// The server cancels a statement after this time; the client waits a little longer for its
    /// reply. Scans, counts and loads have no limit.
    std::chrono::milliseconds statement_timeout{30'000};
};

/// A table in PostgreSQL. Copies share the connections. Thread-safe; each call uses a connection of
/// its own. A model of `marked_source`.
///
/// The key column may have any type that supports equality. An index on it makes lookups fast, and
/// `put` needs a unique index. Values are returned as text, or as the bytes of a bytea.
///
/// Errors: unavailable if the server is down, not ready, too busy or too slow; outcome_unknown if
/// the connection was lost after a change was sent; store_error if the server refuses. A read whose
/// connection was lost is retried once on a new connection; a change that was sent is never
/// retried.
class BLOOMERY_EXPORT postgres {
public:
    /// Connects and inspects the table. `where` is a URL (postgresql://USER@HOST:PORT/DATABASE) or
    /// a list of settings (host=... dbname=...); libpq takes the rest from the environment. Throws
    /// unavailable, and store_error that names what is missing: the table or a column.
    explicit postgres(std::string where, const sql_table& table, postgres_options how = {});

    /// The value of a key. One round trip; O(log table) with an index.
    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    /// The same for many keys: one statement per 10,000 keys, or several if some are not valid text
    /// of the key's type.
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(keys all);
    /// Sets the value; true if there was no such key. Throws store_error for a key or a value that
    /// the column does not accept. One round trip.
    bool put(std::string_view key, std::string_view value);
    /// Removes a key; true if it was there. One round trip.
    bool erase(std::string_view key);
    /// Adds rows with COPY, all or none; a missing value is NULL. Throws store_error for an
    /// existing key if the table requires unique keys. O(rows log table).
    void load(std::span<const entry> rows);

    /// Visits the keys as of one moment, with COPY on a connection of its own, in memory for a few
    /// thousand keys. O(table).
    void scan(const key_visitor& visit);
    /// The number of rows, counted one by one. O(table).
    [[nodiscard]] std::uint64_t count();
    /// "postgres 127.0.0.1:5432/shop public.items.id", without user and password.
    [[nodiscard]] std::string name() const;

    static constexpr bool marks_are_exact = true;
    /// The current point in time: the oldest transaction in progress, for this table on this
    /// server. O(1).
    [[nodiscard]] std::string mark();
    /// Visits the keys of rows that this transaction or later ones wrote, including updated rows;
    /// the server reads the whole table and sends only what is new. False, without visiting
    /// anything, if it cannot tell: the mark is invalid, or belongs to another table, server or
    /// timeline (after a restore or a failover), or is two billion transactions old; the table is
    /// not a plain one (a view, or partitions, which may be attached with old rows); or the server
    /// is a standby.
    ///
    /// What it cannot see: a data directory that was restored from a copy without recovery.
    [[nodiscard]] bool scan_since(const std::string& mark, const key_visitor& visit);

private:
    class impl;
    std::shared_ptr<impl> impl_;
};

static_assert(marked_source<postgres>);

} // namespace bloomery::inline v0::store
