#include "postgres_connection.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <new>

namespace bloomery::inline v0::store {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t most_bytes = std::size_t{1} << 30U;

/// libpq's message on one line, without the line end.
std::string first_line(const char* text) {
    std::string line(text);
    line.erase(std::min(line.find('\n'), line.size()));
    return line;
}

/// Waits for a socket; false after the deadline.
bool ready(int socket, short events, clock::time_point until) {
    for (;;) {
        int milliseconds = -1;
        if (until != clock::time_point::max()) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
            milliseconds = static_cast<int>(std::clamp<decltype(left)>(left, 0, 1 << 30));
        }
        pollfd one{socket, events, 0};
        const int found = ::poll(&one, 1, milliseconds);
        if (found > 0) return true;
        if (found == 0 || errno != EINTR) return false;
    }
}

/// The code in `FATAL:  28P01: ...`, which a server's refusal to let us in has; it is cut out.
std::string take_state(std::string& line) {
    constexpr std::size_t length = 5;
    for (std::size_t at = line.find(":  "); at != std::string::npos;
         at = line.find(":  ", at + 1)) {
        const std::string state = line.substr(at + 3, length);
        const bool is_state = std::all_of(state.begin(), state.end(), [](unsigned char c) {
            return std::isdigit(c) != 0 || std::isupper(c) != 0;
        });
        if (is_state && state.size() == length && line.compare(at + 8, 2, ": ") == 0) {
            line.erase(at + 1, length + 3);
            return state;
        }
    }
    return "";
}

} // namespace

int postgres_result::rows() const noexcept { return PQntuples(get()); }

bool postgres_result::is_null(int row, int column) const noexcept {
    return PQgetisnull(get(), row, column) != 0;
}

std::string_view postgres_result::bytes(int row, int column) const noexcept {
    return {PQgetvalue(get(), row, column),
            static_cast<std::size_t>(PQgetlength(get(), row, column))};
}

std::uint64_t postgres_result::touched() const noexcept {
    const std::string_view text(PQcmdTuples(get()));
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

void postgres_result::clear::operator()(pg_result* what) const noexcept { PQclear(what); }

void postgres_connection::finish::operator()(pg_conn* handle) const noexcept { PQfinish(handle); }

void postgres_connection::piece_deleter::operator()(char* bytes) const noexcept {
    PQfreemem(bytes);
}

postgres_connection::postgres_connection(const std::string& where, limits within)
    : within_(within) {
    connect(where, within.connect);
    PQsetErrorVerbosity(handle_.get(), PQERRORS_DEFAULT);
    PQsetnonblocking(handle_.get(), 1);
    // The text of a key must not depend on where the client is, nor on the server's settings.
    query("SELECT set_config('statement_timeout', '" + std::to_string(within.statement.count()) +
          "', false), set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false), "
          "set_config('IntervalStyle', 'postgres', false), "
          "set_config('extra_float_digits', '1', false)");
}

postgres_connection::~postgres_connection() = default;

void postgres_connection::connect(const std::string& where, std::chrono::milliseconds within) {
    // The caller's `dbname` overrides what precedes it. A server that vanished silently is detected
    // within half a minute.
    constexpr std::array keywords{"fallback_application_name", "keepalives_idle",
                                  "keepalives_interval",       "keepalives_count",
                                  "tcp_user_timeout",          "dbname",
                                  "client_encoding",           static_cast<const char*>(nullptr)};
    const std::array values{"bloomery", "10",          "5",    "3",
                            "25000",    where.c_str(), "UTF8", static_cast<const char*>(nullptr)};
    handle_.reset(PQconnectStartParams(keywords.data(), values.data(), 1));
    if (!handle_) throw std::bad_alloc();
    PQsetNoticeProcessor(handle_.get(), [](void*, const char*) {}, nullptr); // it would print them
    PQsetErrorVerbosity(handle_.get(), PQERRORS_VERBOSE); // to get the error code
    const clock::time_point until = clock::now() + within;
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    bool in_time = true;
    while (in_time && PQstatus(handle_.get()) != CONNECTION_BAD && next != PGRES_POLLING_OK &&
           next != PGRES_POLLING_FAILED) {
        const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        in_time = ready(PQsocket(handle_.get()), events, until);
        if (in_time) next = PQconnectPoll(handle_.get());
    }
    if (PQstatus(handle_.get()) != CONNECTION_OK) refuse_connection(in_time);
}

void postgres_connection::refuse_connection(bool in_time) const {
    std::string line = first_line(PQerrorMessage(handle_.get()));
    const std::string state = take_state(line);
    std::string sentence = "cannot connect to PostgreSQL";
    if (!in_time) throw unavailable(sentence + ": it did not answer in time");
    sentence.append(": ").append(line);
    // A wrong password, no permission, no such database: a retry would fail again.
    if (state.starts_with("28") || state.starts_with("3D") || state.starts_with("42")) {
        throw store_error(sentence);
    }
    throw unavailable(sentence);
}

bool postgres_connection::is_sound() const noexcept {
    if (is_broken_ || PQstatus(handle_.get()) != CONNECTION_OK ||
        PQtransactionStatus(handle_.get()) != PQTRANS_IDLE) {
        return false;
    }
    // No reply is pending, so incoming data most likely means the end.
    return !ready(PQsocket(handle_.get()), POLLIN, clock::now());
}

std::string postgres_connection::place() const {
    std::string made = PQhost(handle_.get());
    made.append(":").append(PQport(handle_.get()));
    return made.append("/").append(PQdb(handle_.get()));
}

postgres_connection::deadline postgres_connection::answer_deadline() const {
    if (within_.statement.count() == 0) return deadline::max();
    constexpr std::chrono::seconds way{5}; // for the round trip
    return clock::now() + within_.statement + way;
}

void postgres_connection::lose() {
    is_broken_ = true;
    const std::string why = first_line(PQerrorMessage(handle_.get()));
    std::string sentence = "the connection to PostgreSQL was lost";
    if (!why.empty()) sentence.append(": ").append(why);
    throw postgres_lost(sentence);
}

void postgres_connection::wait(short events, deadline until) {
    if (ready(PQsocket(handle_.get()), events, until)) return;
    is_broken_ = true;
    throw postgres_lost("PostgreSQL did not answer in time");
}

void postgres_connection::flush(deadline until) {
    for (;;) {
        const int left = PQflush(handle_.get());
        if (left == 0) return;
        if (left < 0) lose();
        // A server that cannot send stops reading, so poll both directions.
        wait(POLLIN | POLLOUT, until);
        if (PQconsumeInput(handle_.get()) == 0) lose();
    }
}

postgres_result postgres_connection::next_result(deadline until) {
    while (PQisBusy(handle_.get()) != 0) {
        wait(POLLIN, until);
        if (PQconsumeInput(handle_.get()) == 0) lose();
    }
    return postgres_result(PQgetResult(handle_.get()));
}

void postgres_connection::check(const postgres_result& result) {
    if (PQstatus(handle_.get()) != CONNECTION_OK)
        lose(); // it sent the reason and closed the connection
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE) return;
    const char* const state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    if (state == nullptr) lose(); // the error is libpq's, not the server's
    std::string sentence = "PostgreSQL refused: ";
    const char* const message = PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
    sentence += first_line(message != nullptr ? message : state);
    throw postgres_refused(sentence, state);
}

void postgres_connection::require_sent(int sent) {
    if (sent == 0) lose();
}

postgres_result postgres_connection::only_result() {
    const deadline until = answer_deadline();
    flush(until);
    postgres_result first = next_result(until);
    while (next_result(until).get() != nullptr) {
    }
    check(first);
    return first;
}

postgres_result postgres_connection::query(const std::string& sql,
                                           std::span<const std::string> parameters) {
    std::vector<const char*> values;
    for (const std::string& each : parameters) values.push_back(each.c_str());
    require_sent(PQsendQueryParams(handle_.get(), sql.c_str(), static_cast<int>(values.size()),
                                   nullptr, values.data(), nullptr, nullptr, 0));
    return only_result();
}

void postgres_connection::prepare(const postgres_statement& what) {
    if (std::find(prepared_.begin(), prepared_.end(), what.name) != prepared_.end()) return;
    prepared_.reserve(prepared_.size() + 1);
    require_sent(PQsendPrepare(handle_.get(), what.name.c_str(), what.sql.c_str(),
                               static_cast<int>(what.types.size()), what.types.data()));
    only_result();
    prepared_.push_back(what.name);
}

postgres_result postgres_connection::execute(const postgres_statement& what,
                                             std::span<const std::string_view> parameters) {
    std::vector<const char*> values;
    std::vector<int> lengths;
    for (const std::string_view each : parameters) {
        if (each.size() > most_bytes) {
            throw store_error("PostgreSQL does not accept keys or values of more than 1 GiB");
        }
        values.push_back(each.data() != nullptr ? each.data() : ""); // null would be NULL
        lengths.push_back(static_cast<int>(each.size()));
    }
    const std::vector<int> binary(values.size(), 1);
    require_sent(PQsendQueryPrepared(handle_.get(), what.name.c_str(),
                                     static_cast<int>(values.size()), values.data(), lengths.data(),
                                     binary.data(), 1));
    return only_result();
}

postgres_result postgres_connection::copy_result(int expected) {
    const deadline until = answer_deadline();
    flush(until);
    postgres_result first = next_result(until);
    check(first);
    if (PQresultStatus(first.get()) != expected) {
        is_broken_ = true;
        throw store_error("PostgreSQL did not start to copy");
    }
    return first;
}

void postgres_connection::begin_copy_out(const std::string& sql) {
    require_sent(PQsendQuery(handle_.get(), sql.c_str()));
    copy_result(PGRES_COPY_OUT);
}

postgres_connection::piece postgres_connection::next_piece() {
    for (;;) {
        char* bytes = nullptr;
        const int count = PQgetCopyData(handle_.get(), &bytes, 1);
        if (count > 0) return {{bytes, {}}, static_cast<std::size_t>(count)};
        if (count == -2) lose();
        if (count == -1) {
            only_result(); // whether it completed
            return {};
        }
        wait(POLLIN, deadline::max());
        if (PQconsumeInput(handle_.get()) == 0) lose();
    }
}

void postgres_connection::begin_copy_in(const std::string& sql) {
    require_sent(PQsendQuery(handle_.get(), sql.c_str()));
    copy_result(PGRES_COPY_IN);
}

void postgres_connection::send_piece(std::string_view bytes) {
    for (;;) {
        const int sent = PQputCopyData(handle_.get(), bytes.data(), static_cast<int>(bytes.size()));
        if (sent < 0) lose();
        flush(deadline::max());
        if (sent > 0) return;
    }
}

void postgres_connection::end_copy_in() {
    while (true) {
        const int sent = PQputCopyEnd(handle_.get(), nullptr);
        if (sent < 0) lose();
        if (sent > 0) break;
        flush(deadline::max());
    }
    only_result();
}

} // namespace bloomery::inline v0::store
