#include "sqlite_connection.hpp"

#include <sqlite3.h>

#include <new>
#include <utility>

namespace bloomery::inline v0::store {

namespace {

constexpr int primary(int code) noexcept { return code & 0xff; }

bool is_disk_failure(int code) noexcept {
    return primary(code) == SQLITE_IOERR || primary(code) == SQLITE_FULL;
}

} // namespace

void sqlite_connection::close::operator()(sqlite3* handle) const noexcept {
    sqlite3_close_v2(handle);
}

sqlite_connection::sqlite_connection(std::filesystem::path file, int flags,
                                     std::chrono::milliseconds patience)
    : file_(std::move(file)) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file_.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    handle_.reset(opened); // also on failure, for the message and to close it
    if (opened == nullptr) throw std::bad_alloc();
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, static_cast<int>(patience.count()));
}

bool sqlite_connection::is_sound() const noexcept {
    return !is_broken_ && sqlite3_get_autocommit(get()) != 0;
}

void sqlite_connection::run(const std::string& sql) {
    const int code = sqlite3_exec(get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::string sqlite_connection::sentence() const {
    std::string made = "SQLite error in ";
    made += file_.string();
    made += ": ";
    made += sqlite3_errmsg(get());
    return made;
}

void sqlite_connection::fail(int code) {
    if (is_disk_failure(code)) is_broken_ = true;
    switch (primary(code)) {
    case SQLITE_NOMEM:
        throw std::bad_alloc();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        throw unavailable(sentence() + "; it was locked for too long, so try again");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        throw unavailable(sentence());
    case SQLITE_NOTADB:
        throw store_error(file_.string() + " is not an SQLite database");
    default:
        throw store_error(sentence());
    }
}

void sqlite_connection::fail_at_commit(int code) {
    if (!is_disk_failure(code)) fail(code);
    is_broken_ = true;
    throw outcome_unknown(sentence() + "; whether the change was made is unknown");
}

void sqlite_statement::finalize::operator()(sqlite3_stmt* handle) const noexcept {
    sqlite3_finalize(handle);
}

sqlite_statement::sqlite_statement(sqlite_connection& on, const std::string& sql) : on_(on) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(on.get(), sql.c_str(), static_cast<int>(sql.size()) + 1,
                                        SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    handle_.reset(made);
    if (code != SQLITE_OK) on.fail(code);
}

void sqlite_statement::require(int code) {
    if (code == SQLITE_TOOBIG) {
        throw store_error("SQLite does not accept keys or values of more than 1,000,000,000 bytes");
    }
    if (code != SQLITE_OK) on_.fail(code);
}

void sqlite_statement::bind_text(int place, std::string_view text) {
    const char* const at = text.data() != nullptr ? text.data() : ""; // null would be NULL
    require(sqlite3_bind_text64(get(), place, at, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void sqlite_statement::bind_blob(int place, std::string_view bytes) {
    const char* const at = bytes.data() != nullptr ? bytes.data() : "";
    require(sqlite3_bind_blob64(get(), place, at, bytes.size(), SQLITE_STATIC));
}

void sqlite_statement::bind_integer(int place, std::int64_t value) {
    require(sqlite3_bind_int64(get(), place, value));
}

void sqlite_statement::bind_null(int place) { require(sqlite3_bind_null(get(), place)); }

void sqlite_statement::bind_column(int place, const sqlite_statement& from, int column) {
    require(sqlite3_bind_value(get(), place, sqlite3_column_value(from.get(), column)));
}

bool sqlite_statement::step() {
    const int code = sqlite3_step(get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    on_.fail(code);
}

void sqlite_statement::run() {
    const sqlite_use use(*this);
    while (step()) {
    }
}

void sqlite_statement::reset() noexcept {
    sqlite3_reset(get());
    sqlite3_clear_bindings(get());
}

bool sqlite_statement::is_null(int column) const noexcept {
    return sqlite3_column_type(get(), column) == SQLITE_NULL;
}

std::int64_t sqlite_statement::integer(int column) const noexcept {
    return sqlite3_column_int64(get(), column);
}

std::string_view sqlite_statement::bytes(int column) const {
    const bool is_blob = sqlite3_column_type(get(), column) == SQLITE_BLOB;
    const void* const at = is_blob ? sqlite3_column_blob(get(), column)
                                   : static_cast<const void*>(sqlite3_column_text(get(), column));
    const int count = sqlite3_column_bytes(get(), column);
    if (at == nullptr) {
        if (sqlite3_errcode(sqlite3_db_handle(get())) == SQLITE_NOMEM) throw std::bad_alloc();
        return {}; // an empty BLOB has no address
    }
    return {static_cast<const char*>(at), static_cast<std::size_t>(count)};
}

sqlite_transaction::sqlite_transaction(sqlite_connection& on, kind what) : on_(on) {
    on.run(what == kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

sqlite_transaction::~sqlite_transaction() {
    // SQLite ends the transaction by itself after some failures. What cannot be rolled back now is
    // rolled back on close.
    if (is_open_ && sqlite3_get_autocommit(on_.get()) == 0) {
        sqlite3_exec(on_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void sqlite_transaction::commit() {
    const int code = sqlite3_exec(on_.get(), "COMMIT", nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) on_.fail_at_commit(code);
    is_open_ = false;
}

} // namespace bloomery::inline v0::store
