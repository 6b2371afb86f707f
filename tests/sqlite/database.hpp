// A database in memory with the extension, and values read from it.
#pragma once

#include <bloomery_sqlite.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bloomery::testing {

/// What SQLite refuses, with its message.
struct sql_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct finalize {
    void operator()(sqlite3_stmt* of) const noexcept { sqlite3_finalize(of); }
};
using statement = std::unique_ptr<sqlite3_stmt, finalize>;

class database {
public:
    explicit database(const std::string& path = ":memory:") {
        char* error = nullptr;
        if (sqlite3_open(path.c_str(), &handle_) != SQLITE_OK ||
            sqlite3_bloomerysqlite_init(handle_, &error, nullptr) != SQLITE_OK) {
            const std::string message = error == nullptr ? "no message" : error;
            sqlite3_free(error);
            sqlite3_close(handle_);
            throw sql_error(message);
        }
    }
    ~database() { EXPECT_EQ(sqlite3_close(handle_), SQLITE_OK); }
    database(const database&) = delete;
    database& operator=(const database&) = delete;

    [[nodiscard]] sqlite3* handle() const noexcept { return handle_; }

    [[nodiscard]] statement prepare(const std::string& sql) const {
        sqlite3_stmt* made = nullptr;
        if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &made, nullptr) != SQLITE_OK) {
            throw sql_error(sqlite3_errmsg(handle_));
        }
        return statement(made);
    }
    /// Whether there is another row.
    bool step(const statement& of) const {
        const int status = sqlite3_step(of.get());
        if (status != SQLITE_ROW && status != SQLITE_DONE) {
            throw sql_error(sqlite3_errmsg(handle_));
        }
        return status == SQLITE_ROW;
    }
    void run(const std::string& sql) const {
        char* error = nullptr;
        if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK) {
            const std::string message = error == nullptr ? "no message" : error;
            sqlite3_free(error);
            throw sql_error(message);
        }
    }

    /// The first column of the first row as text or bytes; nothing for NULL. `?1` and so on are the
    /// blobs.
    template <class... Blobs>
    [[nodiscard]] std::optional<std::string> value(const std::string& sql,
                                                   const Blobs&... blobs) const {
        const statement made = prepare(sql);
        int at = 0;
        (sqlite3_bind_blob64(made.get(), ++at, std::string_view(blobs).data(),
                             std::string_view(blobs).size(), SQLITE_STATIC),
         ...);
        if (!step(made)) {
            throw sql_error("no row");
        }
        return column(made, 0);
    }
    template <class... Blobs>
    [[nodiscard]] std::string bytes(const std::string& sql, const Blobs&... blobs) const {
        return value(sql, blobs...).value();
    }
    template <class... Blobs>
    [[nodiscard]] std::int64_t number(const std::string& sql, const Blobs&... blobs) const {
        return std::stoll(bytes(sql, blobs...));
    }
    template <class... Blobs>
    [[nodiscard]] double real(const std::string& sql, const Blobs&... blobs) const {
        return std::stod(bytes(sql, blobs...));
    }
    /// The message of a statement that must fail.
    template <class... Blobs>
    [[nodiscard]] std::string refusal(const std::string& sql, const Blobs&... blobs) const {
        try {
            (void)value(sql, blobs...);
        } catch (const sql_error& refused) {
            return refused.what();
        }
        return "it did not fail";
    }

    static std::optional<std::string> column(const statement& of, int at) {
        if (sqlite3_column_type(of.get(), at) == SQLITE_NULL) return std::nullopt;
        const bool is_blob = sqlite3_column_type(of.get(), at) == SQLITE_BLOB;
        const void* const data =
            is_blob ? sqlite3_column_blob(of.get(), at) : sqlite3_column_text(of.get(), at);
        if (data == nullptr && !is_blob) {
            throw sql_error("out of memory");
        }
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(of.get(), at));
        return std::string(static_cast<const char*>(data), size);
    }

private:
    sqlite3* handle_ = nullptr;
};

/// A table "counted" with the integers from 0 to n - 1 in "i".
inline std::string counted(std::int64_t n) {
    return "WITH RECURSIVE counted(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i + 1 "
           "< " +
           std::to_string(n) + ") ";
}

} // namespace bloomery::testing
