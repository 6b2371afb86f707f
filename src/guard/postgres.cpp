#include <bloomery/guard/postgres.hpp>

#include "postgres_impl.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace bloomery::inline v0::store {

namespace {

/// The server is out of resources, shutting down or starting up, cancelled the statement, or rolled
/// it back because of a conflict.
bool may_pass(const std::string& state) {
    return state.starts_with("53") || state.starts_with("57") || state.starts_with("08") ||
           state.starts_with("40") || state == "55P03";
}

/// The text is not valid for the key's type, or not valid text for the server: there is no such
/// key.
bool is_no_such_key(const postgres_refused& why) { return why.state().starts_with("22"); }

void append_number(std::string& to, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) to += static_cast<char>(value >> shift & 255U);
}

/// A one-dimensional array in PostgreSQL's binary format.
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

/// Queries keys that the column may hold. A key that it cannot hold fails the whole query, which is
/// then split into halves.
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

/// If two clients create a table at the same time, the server tells one of them that it already
/// exists.
void create_on(postgres_connection& through, const sql_table& table, sql_keys made_of) {
    try {
        through.query(postgres_table::create(table, made_of));
    } catch (const postgres_refused& why) {
        constexpr std::array<std::string_view, 3> there{"23505", "42P07", "42710"};
        if (std::find(there.begin(), there.end(), why.state()) == there.end()) throw;
    }
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

postgres::impl::impl(std::string where, const sql_table& table, const postgres_options& how)
    : where_(std::move(where)), how_(how), table_(look(table)), pool_(how.most_connections) {
    if (how.most_connections == 0) throw bad_argument("a store needs at least one connection");
}

std::unique_ptr<postgres_connection> postgres::impl::open() const {
    return std::make_unique<postgres_connection>(
        where_, postgres_connection::limits{how_.connect_timeout, how_.statement_timeout});
}

std::unique_ptr<postgres_connection> postgres::impl::open_patient() const {
    return std::make_unique<postgres_connection>(
        where_, postgres_connection::limits{how_.connect_timeout, {}});
}

postgres_table postgres::impl::look(const sql_table& table) {
    const std::unique_ptr<postgres_connection> first = open();
    place_ = first->place();
    try {
        if (how_.create) create_on(*first, table, how_.keys);
        return {*first, table};
    } catch (const postgres_refused& why) {
        refuse_read(why);
    }
}

postgres_result postgres::impl::write(const postgres_statement& what,
                                      std::span<const std::string_view> parameters) {
    try {
        const auto through = retried([&](auto& lease) {
            lease->prepare(what); // if the connection is lost here, nothing was changed
            return std::move(lease);
        });
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
    : impl_(std::make_shared<impl>(std::move(where), table, how)) {}

std::optional<std::string> postgres::get(std::string_view key) {
    const postgres_table& table = impl_->table();
    if (!table.key_type.may_hold(key)) return std::nullopt;
    return impl_->read([&](postgres_connection& through) -> std::optional<std::string> {
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
    const postgres_table& table = impl_->table();
    std::vector<std::optional<std::string>> values(all.size());
    for (std::size_t from = 0; from < all.size(); from += most) {
        const keys some = all.subspan(from, std::min(most, all.size() - from));
        found_values found;
        std::vector<std::string_view> asked;
        for (const std::string_view key : some) {
            if (table.key_type.may_hold(key) && found.try_emplace(key).second) asked.push_back(key);
        }
        if (asked.empty()) continue;
        impl_->read([&](postgres_connection& through) {
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
    const postgres_table& table = impl_->table();
    if (!table.key_type.may_hold(key)) refuse_key(key, table.key_column, table.name.table);
    std::vector<std::string_view> parameters{key};
    if (!table.value_column.empty()) parameters.push_back(value);
    const postgres_result done = impl_->write(table.put, parameters);
    if (done.rows() == 0) refuse_key(key, table.key_column, table.name.table);
    return done.bytes(0, 0) == "new";
}

bool postgres::erase(std::string_view key) {
    const postgres_table& table = impl_->table();
    if (!table.key_type.may_hold(key)) return false;
    const std::array parameters{key};
    try {
        return impl_->write(table.erase, parameters).touched() > 0;
    } catch (const postgres_refused& why) {
        if (is_no_such_key(why)) return false;
        throw;
    }
}

std::string postgres::name() const {
    const postgres_table& table = impl_->table();
    std::string made = "postgres " + impl_->place() + " " + table.name.schema + ".";
    return made.append(table.name.table).append(".").append(table.key_column);
}

} // namespace bloomery::inline v0::store
