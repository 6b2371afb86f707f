// One connection to a PostgreSQL server, with our errors and with deadlines.
#pragma once

#include <bloomery/guard/store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;
struct pg_result;

namespace bloomery::inline v0::store {

/// The server refused a statement; the connection is still usable. `state` is the SQLSTATE code.
class postgres_refused : public store_error {
public:
    postgres_refused(const std::string& sentence, std::string state)
        : store_error(sentence), state_(std::move(state)) {}
    [[nodiscard]] const std::string& state() const noexcept { return state_; }

private:
    std::string state_;
};

/// The connection was lost, or the answer did not come in time: the statement was executed or not.
class postgres_lost : public unavailable {
public:
    using unavailable::unavailable;
};

/// The result of a statement.
class postgres_result {
public:
    explicit postgres_result(pg_result* what) : what_(what) {}

    [[nodiscard]] pg_result* get() const noexcept { return what_.get(); }
    [[nodiscard]] int rows() const noexcept;
    [[nodiscard]] bool is_null(int row, int column) const noexcept;
    /// Lives as long as the result.
    [[nodiscard]] std::string_view bytes(int row, int column) const noexcept;
    /// How many rows a change affected.
    [[nodiscard]] std::uint64_t touched() const noexcept;

private:
    struct clear {
        void operator()(pg_result* what) const noexcept;
    };
    std::unique_ptr<pg_result, clear> what_;
};

/// A statement that a connection prepares on first use. Its parameters and columns are text or
/// bytes, sent as they are.
struct postgres_statement {
    std::string name{};
    std::string sql{};
    std::vector<unsigned> types{}; ///< of the parameters
};

/// For one thread at a time.
class postgres_connection {
public:
    /// How long to wait for what.
    struct limits {
        std::chrono::milliseconds connect{};
        std::chrono::milliseconds statement{}; ///< zero: for ever
    };

    /// Connects. Throws unavailable, or store_error if the server refuses the connection.
    postgres_connection(const std::string& where, limits within);
    postgres_connection(const postgres_connection&) = delete;
    postgres_connection& operator=(const postgres_connection&) = delete;
    ~postgres_connection();

    /// Whether it is idle, outside of a transaction, and was not closed by the server. O(1).
    [[nodiscard]] bool is_sound() const noexcept;
    [[nodiscard]] bool rest() const noexcept { return is_sound(); }
    /// "127.0.0.1:5432/shop".
    [[nodiscard]] std::string place() const;

    /// Runs a statement; parameters and columns as text. Throws postgres_refused, postgres_lost.
    postgres_result query(const std::string& sql, std::span<const std::string> parameters = {});
    /// Prepares a statement. If the connection is lost here, nothing was executed.
    void prepare(const postgres_statement& what);
    /// Runs a prepared statement.
    postgres_result execute(const postgres_statement& what,
                            std::span<const std::string_view> parameters);

    /// Begins COPY ... TO STDOUT.
    void begin_copy_out(const std::string& sql);
    /// The next piece; null after the last. Waits without a limit.
    struct piece_deleter {
        void operator()(char* bytes) const noexcept;
    };
    struct piece {
        std::unique_ptr<char, piece_deleter> bytes{};
        std::size_t count = 0;
    };
    [[nodiscard]] piece next_piece();

    /// Begins COPY ... FROM STDIN, sends some of it, ends it.
    void begin_copy_in(const std::string& sql);
    void send_piece(std::string_view bytes);
    void end_copy_in();

private:
    struct finish {
        void operator()(pg_conn* handle) const noexcept;
    };
    using deadline = std::chrono::steady_clock::time_point;

    void connect(const std::string& where, std::chrono::milliseconds within);
    [[noreturn]] void refuse_connection(bool in_time) const;
    [[nodiscard]] deadline answer_deadline() const;
    void require_sent(int sent);
    void flush(deadline until);
    void wait(short events, deadline until);
    [[nodiscard]] postgres_result next_result(deadline until);
    postgres_result only_result();
    postgres_result copy_result(int expected);
    void check(const postgres_result& result);
    [[noreturn]] void lose();

    std::unique_ptr<pg_conn, finish> handle_;
    limits within_;
    bool is_broken_ = false;
    std::vector<std::string> prepared_;
};

} // namespace bloomery::inline v0::store
