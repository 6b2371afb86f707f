// What the handles of one PostgreSQL store share.
#pragma once

#include <bloomery/guard/postgres.hpp>

#include "postgres_connection.hpp"
#include "postgres_table.hpp"
#include "sql_pool.hpp"

#include <memory>
#include <string>
#include <utility>

namespace bloomery::store {

/// Throws what a refusal means where nothing was to be changed: unavailable if it may pass, else
/// itself.
[[noreturn]] void refuse_read(const postgres_refused& why);
/// The same for a change, which is undone unless the server went away over it.
[[noreturn]] void refuse_write(const postgres_refused& why);

class postgres::body {
public:
    body(std::string where, const sql_table& table, const postgres_options& how);

    [[nodiscard]] const postgres_table& table() const noexcept { return table_; }
    [[nodiscard]] const std::string& place() const noexcept { return place_; }

    /// A connection for something long.
    [[nodiscard]] std::unique_ptr<postgres_connection> open_patient() const;

    /// Calls with a connection, and once more with a new one if that was lost.
    template <class Call>
    auto read(Call call) {
        for (bool again = false;; again = true) {
            const auto through = pool_.take();
            try {
                return call(*through);
            } catch (const postgres_lost&) {
                if (again) throw;
                pool_.forget_idle(); // most likely they went the same way
            } catch (const postgres_refused& why) {
                refuse_read(why);
            }
        }
    }

    /// Runs a statement that changes something, once.
    postgres_result write(const postgres_statement& what,
                          std::span<const std::string_view> parameters);

private:
    [[nodiscard]] std::unique_ptr<postgres_connection> open() const;
    [[nodiscard]] sql_pool<postgres_connection>::lease prepared(const postgres_statement& what);
    [[nodiscard]] postgres_table look(const sql_table& table);

    const std::string where_;
    const postgres_options how_;
    std::string place_{};
    const postgres_table table_;
    sql_pool<postgres_connection> pool_;
};

} // namespace bloomery::store
