// What the handles of one SQLite store share.
#pragma once

#include <bloomery/detail/connection_pool.hpp>
#include <bloomery/guard/sqlite.hpp>

#include "sqlite_connection.hpp"
#include "sqlite_table.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::store {

/// A connection with the statements that keys need.
class sqlite_session {
public:
    sqlite_session(std::unique_ptr<sqlite_connection> through, const sqlite_table& table);

    [[nodiscard]] sqlite_connection& connection() noexcept { return *through_; }
    [[nodiscard]] bool is_sound() const noexcept { return through_->is_sound(); }
    [[nodiscard]] bool rest() const noexcept { return is_sound(); }

    /// The value of a key.
    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    /// Within a transaction that writes.
    [[nodiscard]] bool put(std::string_view key, std::string_view value);
    [[nodiscard]] bool erase(std::string_view key);
    void insert(std::string_view key, std::optional<std::string_view> value);

private:
    /// Takes `find` to the row of the key, if there is one.
    [[nodiscard]] bool finds(std::string_view key);
    void bind_value(sqlite_statement& in, int place, std::optional<std::string_view> value);

    std::unique_ptr<sqlite_connection> through_;
    const sqlite_table& table_;
    sqlite_statement find_;
    std::optional<sqlite_statement> insert_; ///< these are made when they are needed: a view has
    std::optional<sqlite_statement> update_; ///< none
    std::optional<sqlite_statement> remove_;
};

class sqlite::impl {
public:
    impl(const std::filesystem::path& file, const sql_table& where, const sqlite_options& how);

    [[nodiscard]] auto take() {
        return pool_.take(
            std::chrono::steady_clock::now() + how_.busy_timeout,
            [this] { return std::make_unique<sqlite_session>(open(), table_); }, refuse_busy);
    }
    [[nodiscard]] std::unique_ptr<sqlite_connection> open() const;
    [[nodiscard]] const sqlite_table& table() const noexcept { return table_; }
    [[nodiscard]] std::string name() const;

private:
    [[nodiscard]] sqlite_table look(const sql_table& where) const;

    const std::filesystem::path file_;
    const sqlite_options how_;
    const bool is_new_; ///< there was no such file
    const sqlite_table table_;
    detail::connection_pool<sqlite_session> pool_;
};

} // namespace bloomery::inline v0::store
