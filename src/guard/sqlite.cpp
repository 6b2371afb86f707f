#include <bloomery/guard/sqlite.hpp>

#include "sqlite_impl.hpp"

#include <sqlite3.h>

#include <system_error>
#include <utility>

namespace bloomery::inline v0::store {

namespace {

namespace fs = std::filesystem;

/// The absolute path, which does not depend on the working directory.
fs::path whole(const fs::path& file) {
    if (file.empty() || file == ":memory:") {
        throw bad_argument("an SQLite store needs a file for its connections to share; for one "
                           "in memory use store::memory");
    }
    std::error_code ignored;
    const fs::path found = fs::weakly_canonical(fs::absolute(file), ignored);
    return found.empty() ? fs::absolute(file) : found;
}

[[noreturn]] void refuse_sqlite(std::string_view key, const sqlite_table& table) {
    refuse_key(key, table.key_column, table.name.table);
}

} // namespace

sqlite::impl::impl(const fs::path& file, const sql_table& where, const sqlite_options& how)
    : file_(whole(file)), how_(how), is_new_(!fs::exists(file_)), table_(look(where)),
      pool_(how.most_connections) {
    if (how.most_connections == 0) throw bad_argument("a store needs at least one connection");
}

std::unique_ptr<sqlite_connection> sqlite::impl::open() const {
    int flags = how_.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (how_.create && !how_.read_only) flags |= SQLITE_OPEN_CREATE;
    auto made = std::make_unique<sqlite_connection>(file_, flags, how_.busy_timeout);
    return made;
}

sqlite_table sqlite::impl::look(const sql_table& where) const {
    const bool makes = how_.create && !how_.read_only;
    if (is_new_ && !makes)
        throw store_error("there is no database " + file_.string() +
                          ": give the path of an existing one");
    const std::unique_ptr<sqlite_connection> first = open();
    if (is_new_) first->run("PRAGMA journal_mode = WAL");
    if (makes) first->run(sqlite_table::create(where, how_.keys));
    return {*first, where};
}

std::string sqlite::impl::name() const {
    std::string made = "sqlite " + file_.string() + " ";
    if (!table_.name.schema.empty()) made += table_.name.schema + ".";
    return made.append(table_.name.table).append(".").append(table_.key_column);
}

sqlite_session::sqlite_session(std::unique_ptr<sqlite_connection> through,
                               const sqlite_table& table)
    : through_(std::move(through)), table_(table), find_(*through_, table.find()) {}

/// The index may find other rows: those that a collation considers equal, or 7 for 007.
bool sqlite_session::finds(std::string_view key) {
    const bool text = is_text(key);
    if (text) {
        find_.bind_text(1, key);
    } else if (table_.key_affinity != sqlite_affinity::blob) {
        return false;
    }
    if (table_.key_affinity == sqlite_affinity::blob) {
        find_.bind_blob(2, key);
        if (const std::optional<std::int64_t> number = as_integer(key)) {
            find_.bind_integer(3, *number);
        }
    }
    while (find_.step()) {
        if (find_.bytes(0) == key) return true;
    }
    return false;
}

std::optional<std::string> sqlite_session::get(std::string_view key) {
    const sqlite_use use(find_);
    if (!finds(key)) return std::nullopt;
    return find_.is_null(1) ? std::string() : std::string(find_.bytes(1));
}

void sqlite_session::bind_value(sqlite_statement& in, int place,
                                std::optional<std::string_view> value) {
    if (table_.value_column.empty()) return;
    if (!value) {
        in.bind_null(place);
    } else if (table_.value_affinity != sqlite_affinity::blob && is_text(*value)) {
        in.bind_text(place, *value);
    } else {
        in.bind_blob(place, *value);
    }
}

void sqlite_session::insert(std::string_view key, std::optional<std::string_view> value) {
    if (!insert_) insert_.emplace(*through_, table_.insert());
    {
        const sqlite_use use(*insert_);
        if (table_.key_affinity == sqlite_affinity::blob) {
            insert_->bind_blob(1, key);
        } else if (table_.key_affinity == sqlite_affinity::integer) {
            const std::optional<std::int64_t> number = as_integer(key);
            if (!number) refuse_sqlite(key, table_);
            insert_->bind_integer(1, *number);
        } else {
            if (!is_text(key)) refuse_sqlite(key, table_);
            insert_->bind_text(1, key);
        }
        bind_value(*insert_, 2, value);
        insert_->run();
    }
    // 1.50 became 1.5, which is another key; the transaction is undone.
    if (table_.key_affinity == sqlite_affinity::numeric && !get(key)) refuse_sqlite(key, table_);
}

bool sqlite_session::put(std::string_view key, std::string_view value) {
    const sqlite_use use(find_);
    if (!finds(key)) {
        find_.reset();
        insert(key, value);
        return true;
    }
    if (table_.value_column.empty()) return false;
    if (!update_) update_.emplace(*through_, table_.update());
    const sqlite_use other(*update_);
    update_->bind_column(1, find_, 0);
    bind_value(*update_, 2, value);
    find_.reset(); // it iterates over the index that is about to change
    update_->run();
    return false;
}

/// In a column without a type, 7, '7' and x'37' are three rows of one key.
bool sqlite_session::erase(std::string_view key) {
    bool was_there = false;
    for (;;) {
        const sqlite_use use(find_);
        if (!finds(key)) return was_there;
        if (!remove_) remove_.emplace(*through_, table_.remove());
        const sqlite_use other(*remove_);
        remove_->bind_column(1, find_, 0);
        find_.reset();
        remove_->run();
        was_there = true;
    }
}

sqlite::sqlite(const fs::path& file, const sql_table& where, sqlite_options how)
    : impl_(std::make_shared<impl>(file, where, how)) {}

std::optional<std::string> sqlite::get(std::string_view key) { return impl_->take()->get(key); }

std::vector<std::optional<std::string>> sqlite::get_many(keys all) {
    std::vector<std::optional<std::string>> values;
    values.reserve(all.size());
    const auto session = impl_->take();
    const sqlite_transaction once(session->connection(), sqlite_transaction::kind::read);
    for (const std::string_view key : all) values.push_back(session->get(key));
    return values;
}

bool sqlite::put(std::string_view key, std::string_view value) {
    const auto session = impl_->take();
    sqlite_transaction change(session->connection(), sqlite_transaction::kind::write);
    const bool is_new = session->put(key, value);
    change.commit();
    return is_new;
}

bool sqlite::erase(std::string_view key) {
    const auto session = impl_->take();
    sqlite_transaction change(session->connection(), sqlite_transaction::kind::write);
    const bool was_there = session->erase(key);
    change.commit();
    return was_there;
}

std::string sqlite::name() const { return impl_->name(); }

} // namespace bloomery::inline v0::store
