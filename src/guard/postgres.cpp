#include <bloomery/guard/postgres.hpp>

#include "postgres_body.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace bloomery::store {

namespace {

/// The server has no room, is shutting down or starting up, gave the statement up, or undid it for
/// the sake of another.
bool may_pass(const std::string& state) {
    return state.starts_with("53") || state.starts_with("57") || state.starts_with("08") ||
           state.starts_with("40") || state == "55P03";
}

/// The key's text is none of its type, or no text of the server's: there is no such key.
bool is_no_such_key(const postgres_refused& why) { return why.state().starts_with("22"); }

void append_number(std::string& to, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) to += static_cast<char>(value >> shift & 255U);
}

/// An array of one dimension, as PostgreSQL takes it in binary form.
std::string array_of(keys all, bool as_bytes) {
    std::string made;
    append_number(made, 1);                    // one dimension
    append_number(made, 0);                    // no NULL
    append_number(made, as_bytes ? 17U : 25U); // bytea or text
    append_number(made, static_cast<std::uint32_t>(all.size()));
    append_number(made, 1); // the first index
    for (const std::string_view key : all) {
        append_number(made, static_cast<std::uint32_t>(key.size()));
        made += key;
    }
    return made;
}

std::string value_of(const postgres_result& from, int row, int column) {
    return std::string(from.is_null(row, column) ? std::string_view() : from.bytes(row, column));
}

using found_values = std::unordered_map<std::string_view, std::optional<std::string>>;

/// Asks for keys that the column may hold. A key that it cannot hold after all spoils the whole
/// question, so that it is asked in two halves.
void ask_many(postgres_connection& through, const postgres_table& table, keys all,
              found_values& into) {
    if (all.empty()) return;
    const std::string list = array_of(all, table.key_type.is_bytes());
    const std::array<std::string_view, 1> parameters{list};
    try {
        const postgres_result found = through.execute(table.get_many, parameters);
        for (int row = 0; row < found.rows(); ++row) {
            const auto place = into.find(found.bytes(row, 0));
            if (place != into.end()) place->second = value_of(found, row, 1);
        }
    } catch (const postgres_refused& why) {
        if (!is_no_such_key(why)) throw;
        if (all.size() == 1) return;
        ask_many(through, table, all.first(all.size() / 2), into);
        ask_many(through, table, all.subspan(all.size() / 2), into);
    }
}

/// Of two who make a table at once, the server tells one that there is something already.
void create_on(postgres_connection& through, const sql_table& table, sql_keys made_of) {
    try {
        through.query(postgres_table::create(table, made_of));
    } catch (const postgres_refused& why) {
        constexpr std::array<std::string_view, 3> there{"23505", "42P07", "42710"};
        if (std::find(there.begin(), there.end(), why.state()) == there.end()) throw;
    }
}

[[noreturn]] void refuse_key(std::string_view key, const postgres_table& table) {
    std::string sentence = "the column " + table.key_column + " of " + table.name.table;
    throw store_error(sentence.append(" cannot hold the key ").append(shown(key)) +
                      ": put another key, or use a column of bytes");
}

} // namespace

void refuse_read(const postgres_refused& why) {
    if (may_pass(why.state())) throw unavailable(why.what());
    throw why;
}

void refuse_write(const postgres_refused& why) {
    const std::string& state = why.state();
    if (state.starts_with("57P") || state.starts_with("08") || state == "40003") {
        throw outcome_unknown(std::string(why.what()) + "; whether the change was made is unknown");
    }
    refuse_read(why);
}

postgres::body::body(std::string where, const sql_table& table, const postgres_options& how)
    : where_(std::move(where)), how_(how), table_(look(table)),
      pool_(how.most_connections, how.statement_timeout, [this] { return open(); }) {
    if (how.most_connections == 0) throw bad_argument("a store needs a connection at least");
}

std::unique_ptr<postgres_connection> postgres::body::open() const {
    return std::make_unique<postgres_connection>(
        where_, postgres_connection::limits{how_.connect_timeout, how_.statement_timeout});
}

std::unique_ptr<postgres_connection> postgres::body::open_patient() const {
    return std::make_unique<postgres_connection>(
        where_, postgres_connection::limits{how_.connect_timeout, {}});
}

postgres_table postgres::body::look(const sql_table& table) {
    const std::unique_ptr<postgres_connection> first = open();
    place_ = first->place();
    try {
        if (how_.create) create_on(*first, table, how_.keys);
        return {*first, table};
    } catch (const postgres_refused& why) {
        refuse_read(why);
    }
}

sql_pool<postgres_connection>::lease postgres::body::prepared(const postgres_statement& what) {
    for (bool again = false;; again = true) {
        auto through = pool_.take();
        try {
            through->prepare(what);
            return through;
        } catch (const postgres_lost&) {
            if (again) throw; // nothing was changed
            pool_.forget_idle();
        }
    }
}

postgres_result postgres::body::write(const postgres_statement& what,
                                      std::span<const std::string_view> parameters) {
    try {
        const auto through = prepared(what);
        try {
            return through->execute(what, parameters);
        } catch (const postgres_lost& why) {
            throw outcome_unknown(std::string(why.what()) +
                                  "; whether the change was made is unknown");
        }
    } catch (const postgres_refused& why) {
        refuse_write(why);
    }
}

postgres::postgres(std::string where, const sql_table& table, postgres_options how)
    : body_(std::make_shared<body>(std::move(where), table, how)) {}

std::optional<std::string> postgres::get(std::string_view key) {
    const postgres_table& table = body_->table();
    if (!table.key_type.may_hold(key)) return std::nullopt;
    return body_->read([&](postgres_connection& through) -> std::optional<std::string> {
        through.prepare(table.get);
        const std::array parameters{key};
        try {
            const postgres_result found = through.execute(table.get, parameters);
            if (found.rows() == 0) return std::nullopt;
            return value_of(found, 0, 0);
        } catch (const postgres_refused& why) {
            if (is_no_such_key(why)) return std::nullopt;
            throw;
        }
    });
}

std::vector<std::optional<std::string>> postgres::get_many(keys all) {
    constexpr std::size_t most = 10'000;
    const postgres_table& table = body_->table();
    std::vector<std::optional<std::string>> values(all.size());
    for (std::size_t from = 0; from < all.size(); from += most) {
        const keys some = all.subspan(from, std::min(most, all.size() - from));
        found_values found;
        std::vector<std::string_view> asked;
        for (const std::string_view key : some) {
            if (table.key_type.may_hold(key) && found.try_emplace(key).second) asked.push_back(key);
        }
        if (asked.empty()) continue;
        body_->read([&](postgres_connection& through) {
            through.prepare(table.get_many);
            ask_many(through, table, asked, found);
        });
        for (std::size_t i = 0; i < some.size(); ++i) {
            const auto place = found.find(some[i]);
            if (place != found.end()) values[from + i] = place->second;
        }
    }
    return values;
}

bool postgres::put(std::string_view key, std::string_view value) {
    const postgres_table& table = body_->table();
    if (!table.key_type.may_hold(key)) refuse_key(key, table);
    std::vector<std::string_view> parameters{key};
    if (!table.value_column.empty()) parameters.push_back(value);
    const postgres_result done = body_->write(table.put, parameters);
    if (done.rows() == 0) refuse_key(key, table);
    return done.bytes(0, 0) == "new";
}

bool postgres::erase(std::string_view key) {
    const postgres_table& table = body_->table();
    if (!table.key_type.may_hold(key)) return false;
    const std::array parameters{key};
    try {
        return body_->write(table.erase, parameters).touched() > 0;
    } catch (const postgres_refused& why) {
        if (is_no_such_key(why)) return false;
        throw;
    }
}

std::string postgres::name() const {
    const postgres_table& table = body_->table();
    std::string made = "postgres " + body_->place() + " " + table.name.schema + ".";
    return made.append(table.name.table).append(".").append(table.key_column);
}

} // namespace bloomery::store
