// A table of an SQLite database as the source behind a guard.
#pragma once

#include <bloomery/guard/sql_table.hpp>
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

namespace bloomery::store {

/// How a database is opened.
struct sqlite_options {
    /// Makes the database and the table where there is none. A database that is made has a
    /// write-ahead log (WAL), so that nobody waits for a scan.
    bool create = true;
    sql_keys keys = sql_keys::text;                ///< of a table that is made
    bool read_only = false;                        ///< takes no change; with it nothing is created
    std::chrono::milliseconds busy_timeout{5'000}; ///< how long to wait for who has it locked
    std::size_t most_connections = 16;             ///< more threads wait for each other
};

/// See above. A copy shares the connections. All calls may come from any thread; each takes a
/// connection for itself. A model of `marked_source`.
///
/// Values are given as text, numbers too, or as the bytes of a BLOB; they are put as BLOBs where
/// the column has the type BLOB or none, else as text. In a column of text, keys that somebody
/// stored as BLOBs are not found.
///
/// Errors: unavailable for a database that is locked too long, cannot be opened or cannot be read;
/// outcome_unknown where the disk fails at the end of a change; store_error for all others. After
/// each of them the database is as SQLite leaves it: whole.
class sqlite {
public:
    /// Opens the file and looks at the table. Throws store_error that names what is missing: the
    /// file, the table, a column; bad_argument for a database without a file.
    explicit sqlite(const std::filesystem::path& file, const sql_table& where,
                    sqlite_options how = {});

    /// The value of a key. O(log table).
    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    /// The same for many, all as they were at one moment. O(keys log table).
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(keys all);
    /// Sets the value; true if there was no such key. Throws store_error for a key that the column
    /// does not take. O(log table).
    bool put(std::string_view key, std::string_view value);
    /// Removes a key; true if it was there. O(log table).
    bool erase(std::string_view key);
    /// Adds rows, all or none; a missing value is NULL. Throws store_error for a key that is there
    /// already, if the table minds. O(rows log table).
    void load(std::span<const entry> rows);

    /// Visits the keys as they were at one moment, through a connection of its own. In a database
    /// without a write-ahead log, writers wait for its end. O(table).
    void scan(const key_visitor& visit);
    /// How many rows there are. O(table).
    [[nodiscard]] std::uint64_t count();
    /// "sqlite /srv/shop.db items.id".
    [[nodiscard]] std::string name() const;

    /// Writers that go past this store can do what a mark does not see: see scan_since.
    static constexpr bool marks_are_exact = false;
    /// This moment: the largest row number and the count of rows. Of what has no row numbers, or
    /// keys for them (INTEGER PRIMARY KEY), it is the count alone. O(table).
    [[nodiscard]] std::string mark();
    /// Visits the keys of rows that were added since. False, and visits nothing, if others may have
    /// come too: the rows are not as many as then and the new ones together; without row numbers,
    /// not as many as then. O(table).
    ///
    /// What it cannot see: a key that was changed in its row; the last rows removed, and as many
    /// put in their place; without row numbers, any rows removed and as many others put.
    [[nodiscard]] bool scan_since(const std::string& mark, const key_visitor& visit);

private:
    class body;
    std::shared_ptr<body> body_;
};

static_assert(marked_source<sqlite>);

} // namespace bloomery::store
