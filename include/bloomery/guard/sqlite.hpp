// A table in an SQLite database as the source behind a guard.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/guard/store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::store {

/// How a database is opened.
struct sqlite_options {
    /// Creates the database and the table if missing. A new database has a write-ahead log (WAL),
    /// so that writers do not wait for a scan.
    bool create = true;
    sql_keys keys = sql_keys::text;                ///< of a table that is created
    bool read_only = false;                        ///< no changes; nothing is created
    std::chrono::milliseconds busy_timeout{5'000}; ///< how long to wait for a lock
    std::size_t most_connections = 16;             ///< more threads wait for each other
};

/// A table in SQLite. Copies share the connections. Thread-safe; each call uses a connection of
/// its own. A model of `marked_source`.
///
/// Values are returned as text, including numbers, or as the bytes of a BLOB. They are stored as
/// BLOBs if the column has the type BLOB or no type, otherwise as text. In a text column, keys that
/// were stored as BLOBs are not found.
///
/// Errors: unavailable if the database is locked too long, cannot be opened or cannot be read;
/// outcome_unknown if the disk fails at the end of a change; store_error otherwise. After an error,
/// the database is consistent, as SQLite guarantees.
class BLOOMERY_EXPORT sqlite {
public:
    /// Opens the file and inspects the table. Throws store_error that names what is missing: the
    /// file, the table or a column; bad_argument for a database without a file.
    explicit sqlite(const std::filesystem::path& file, const sql_table& where,
                    sqlite_options how = {});

    /// The value of a key. O(log table).
    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    /// The same for many keys, all as of one moment. O(keys log table).
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(keys all);
    /// Sets the value; true if there was no such key. Throws store_error for a key that the column
    /// does not accept. O(log table).
    bool put(std::string_view key, std::string_view value);
    /// Removes a key; true if it was there. O(log table).
    bool erase(std::string_view key);
    /// Adds rows, all or none; a missing value is NULL. Throws store_error for an existing key if
    /// the table requires unique keys. O(rows log table).
    void load(std::span<const entry> rows);

    /// Visits the keys as of one moment, on a connection of its own. In a database without a
    /// write-ahead log, writers wait until it ends. O(table).
    void scan(const key_visitor& visit);
    /// The number of rows. O(table).
    [[nodiscard]] std::uint64_t count();
    /// "sqlite /srv/shop.db items.id".
    [[nodiscard]] std::string name() const;

    /// Writers that bypass this store can make changes that a mark does not see: see scan_since.
    static constexpr bool marks_are_exact = false;
    /// The current point in time: the largest row number and the row count. If there are no row
    /// numbers, or they are the keys (INTEGER PRIMARY KEY), only the count. O(table).
    [[nodiscard]] std::string mark();
    /// Visits the keys of rows that were added since. False, without visiting anything, if there
    /// may be others: the row count is not the old count plus the new rows or, without row numbers,
    /// not the old count. O(table).
    ///
    /// What it cannot see: a key changed within its row; the last rows replaced by the same number
    /// of others; without row numbers, any rows replaced by the same number of others.
    [[nodiscard]] bool scan_since(const std::string& mark, const key_visitor& visit);

private:
    class impl;
    std::shared_ptr<impl> impl_;
};

static_assert(marked_source<sqlite>);

} // namespace bloomery::inline v0::store
