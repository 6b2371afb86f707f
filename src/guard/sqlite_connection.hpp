// One connection to an SQLite database, its statements and transactions, with our errors.
#pragma once

#include <bloomery/guard/store.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace bloomery::inline v0::store {

/// For one thread at a time.
class sqlite_connection {
public:
    /// Opens a file with SQLite's flags. Throws unavailable.
    sqlite_connection(std::filesystem::path file, int flags, std::chrono::milliseconds patience);

    [[nodiscard]] sqlite3* get() const noexcept { return handle_.get(); }
    /// Whether it is outside a transaction and has had no disk failure.
    [[nodiscard]] bool is_sound() const noexcept;
    /// Runs statements without results. Throws like `fail`.
    void run(const std::string& sql);

    /// Throws what SQLite's code means: unavailable, store_error, std::bad_alloc.
    [[noreturn]] void fail(int code);
    /// The same for the end of a change: outcome_unknown if the disk failed.
    [[noreturn]] void fail_at_commit(int code);

private:
    struct close {
        void operator()(sqlite3* handle) const noexcept;
    };

    [[nodiscard]] std::string sentence() const;

    std::filesystem::path file_;
    std::unique_ptr<sqlite3, close> handle_;
    bool is_broken_ = false;
};

/// A statement that was compiled once. Places and columns count from one and from zero, as SQLite's
/// do. All throw what sqlite_connection::fail throws.
class sqlite_statement {
public:
    sqlite_statement(sqlite_connection& on, const std::string& sql);

    [[nodiscard]] sqlite3_stmt* get() const noexcept { return handle_.get(); }

    /// The bytes are not copied: they must stay until the statement is reset.
    void bind_text(int place, std::string_view text);
    void bind_blob(int place, std::string_view bytes);
    void bind_integer(int place, std::int64_t value);
    void bind_null(int place);
    /// The value of a column of another statement's row, with its type.
    void bind_column(int place, const sqlite_statement& from, int column);

    /// The next row; false after the last.
    [[nodiscard]] bool step();
    /// Runs a statement that gives no rows.
    void run();
    void reset() noexcept;

    [[nodiscard]] bool is_null(int column) const noexcept;
    [[nodiscard]] std::int64_t integer(int column) const noexcept;
    /// The bytes of a BLOB, or the text of everything else. Valid until the next row.
    [[nodiscard]] std::string_view bytes(int column) const;

private:
    struct finalize {
        void operator()(sqlite3_stmt* handle) const noexcept;
    };

    void require(int code);

    sqlite_connection& on_;
    std::unique_ptr<sqlite3_stmt, finalize> handle_;
};

/// Resets a statement when it ends, so that it holds no lock and no bytes of the caller.
class sqlite_use {
public:
    explicit sqlite_use(sqlite_statement& what) : what_(what) {}
    sqlite_use(const sqlite_use&) = delete;
    sqlite_use& operator=(const sqlite_use&) = delete;
    ~sqlite_use() { what_.reset(); }

private:
    sqlite_statement& what_;
};

/// Undone when it ends, unless it was committed.
class sqlite_transaction {
public:
    enum class kind : std::uint8_t { read, write };

    /// A writing transaction has exclusive access to the database from the start.
    sqlite_transaction(sqlite_connection& on, kind what);
    sqlite_transaction(const sqlite_transaction&) = delete;
    sqlite_transaction& operator=(const sqlite_transaction&) = delete;
    ~sqlite_transaction();

    /// Throws unavailable if it was not done, outcome_unknown.
    void commit();

private:
    sqlite_connection& on_;
    bool is_open_ = true;
};

} // namespace bloomery::inline v0::store
