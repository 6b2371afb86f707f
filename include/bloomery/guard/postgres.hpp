// A table of a PostgreSQL database as the source behind a guard.
#pragma once

#include <bloomery/guard/sql_table.hpp>
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

namespace bloomery::store {

/// How a server is spoken to.
struct postgres_options {
    bool create = false;              ///< makes the table where there is none
    sql_keys keys = sql_keys::text;   ///< of a table that is made
    std::size_t most_connections = 8; ///< more threads wait for each other; scans have their own
    std::chrono::milliseconds connect_timeout{2'000};
    /// The server gives a statement up after that; we wait a little longer for it to say so. Scans,
    /// counts and loads have no limit.
    std::chrono::milliseconds statement_timeout{30'000};
};

/// See above. A copy shares the connections. All calls may come from any thread; each takes a
/// connection for itself. A model of `marked_source`.
///
/// The key's column may have any type that has an equality; an index on it is what makes lookups
/// fast, and `put` needs a unique one. Values are given as text, or as the bytes of a bytea.
///
/// Errors: unavailable where the server is not there, not ready, too busy or too slow;
/// outcome_unknown where the connection was lost after a change was sent; store_error for what the
/// server refuses. A read whose connection was lost is sent once more, through a new one; a change
/// never is, once it was sent.
class postgres {
public:
    /// Connects and looks at the table. `where` is a URL (postgresql://USER@HOST:PORT/DATABASE) or
    /// a list of settings (host=... dbname=...); what it leaves out libpq takes from the
    /// environment. Throws unavailable, and store_error that names what is missing: the table, a
    /// column.
    explicit postgres(std::string where, const sql_table& table, postgres_options how = {});

    /// The value of a key. One round trip; O(log table) with an index.
    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    /// The same for many: one statement for 10,000 keys, or several where some are no text of the
    /// key's type.
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(keys all);
    /// Sets the value; true if there was no such key. Throws store_error for a key or a value that
    /// the column does not take. One round trip.
    bool put(std::string_view key, std::string_view value);
    /// Removes a key; true if it was there. One round trip.
    bool erase(std::string_view key);
    /// Adds rows by COPY, all or none; a missing value is NULL. Throws store_error for a key that
    /// is there already, if the table minds. O(rows log table).
    void load(std::span<const entry> rows);

    /// Visits the keys as they were at one moment, by COPY through a connection of its own, in the
    /// memory of some thousand keys. O(table).
    void scan(const key_visitor& visit);
    /// How many rows there are, counted one by one. O(table).
    [[nodiscard]] std::uint64_t count();
    /// "postgres 127.0.0.1:5432/shop public.items.id", without user and password.
    [[nodiscard]] std::string name() const;

    static constexpr bool marks_are_exact = true;
    /// This moment: the oldest transaction that is not over, of this table of this server. O(1).
    [[nodiscard]] std::string mark();
    /// Visits the keys of rows that were written by this transaction or later ones, updated rows
    /// too; the server reads the whole table for it and sends what is new. False, and visits
    /// nothing, if that cannot be told: the mark is of another table, server or timeline (one that
    /// was restored or has failed over), of two thousand million transactions ago, or of none; the
    /// table is no plain one (a view, partitions, which may come with old rows), or the server is a
    /// standby.
    ///
    /// What it cannot see: a data directory that was put back from a copy, without recovery.
    [[nodiscard]] bool scan_since(const std::string& mark, const key_visitor& visit);

private:
    class body;
    std::shared_ptr<body> body_;
};

static_assert(marked_source<postgres>);

} // namespace bloomery::store
