// What the handles of one PostgreSQL store share.
#pragma once

#include <bloomery/detail/connection_pool.hpp>
#include <bloomery/guard/postgres.hpp>

#include "postgres_connection.hpp"
#include "postgres_table.hpp"

#include <memory>
#include <string>

namespace bloomery::inline v0::store {

/// Throws the error for a refused read: unavailable if it is temporary, otherwise itself.
[[noreturn]] void refuse_read(const postgres_refused& why);
/// The same for a change, which is undone unless the server died meanwhile.
[[noreturn]] void refuse_write(const postgres_refused& why);

class postgres::impl {
public:
    impl(std::string where, const sql_table& table, const postgres_options& how);

    [[nodiscard]] const postgres_table& table() const noexcept { return table_; }
    [[nodiscard]] const std::string& place() const noexcept { return place_; }

    /// A connection for a long operation.
    [[nodiscard]] std::unique_ptr<postgres_connection> open_patient() const;

    /// Calls with a connection, and retries once with a new one if it was lost.
    template <class Call>
    auto read(Call call) {
        try {
            return retried([&](auto& through) { return call(*through); });
        } catch (const postgres_refused& why) {
            refuse_read(why);
        }
    }

    /// Runs a statement that changes something, once.
    postgres_result write(const postgres_statement& what,
                          std::span<const std::string_view> parameters);

private:
    [[nodiscard]] std::unique_ptr<postgres_connection> open() const;
    [[nodiscard]] auto take() {
        return pool_.take(
            std::chrono::steady_clock::now() + how_.statement_timeout, [this] { return open(); },
            refuse_busy);
    }
    /// Calls with a lease, and once more with a new connection if it was lost.
    template <class Call>
    auto retried(Call call) {
        for (bool again = false;; again = true) {
            auto through = take();
            try {
                return call(through);
            } catch (const postgres_lost&) {
                if (again) throw;
                pool_.forget_idle(); // they are most likely lost too
            }
        }
    }
    [[nodiscard]] postgres_table look(const sql_table& table);

    const std::string where_;
    const postgres_options how_;
    std::string place_{};
    const postgres_table table_;
    detail::connection_pool<postgres_connection> pool_;
};

} // namespace bloomery::inline v0::store
