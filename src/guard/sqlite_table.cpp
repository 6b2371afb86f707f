#include "sqlite_table.hpp"

#include <array>
#include <cctype>

namespace bloomery::inline v0::store {

namespace {

std::string upper(std::string_view text) {
    std::string made(text);
    for (char& each : made) {
        each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
    }
    return made;
}

/// A column's type, and its place in the primary key.
constexpr const char* column_query =
    "SELECT name, type, pk, (SELECT count(*) FROM pragma_table_xinfo(?1, ?2) WHERE pk > 0) "
    "FROM pragma_table_xinfo(?1, ?2) WHERE name = ?3 COLLATE NOCASE";
constexpr const char* sqlite_table_query =
    "SELECT type = 'table' AND wr = 0 FROM pragma_table_list "
    "WHERE name = ?1 COLLATE NOCASE AND schema = ?2 COLLATE NOCASE";

std::string_view schema_of(const table_name& name) {
    return name.schema.empty() ? "main" : std::string_view(name.schema);
}

sqlite_statement column_of(sqlite_connection& in, const table_name& table,
                           std::string_view column) {
    sqlite_statement query(in, column_query);
    query.bind_text(1, table.table);
    query.bind_text(2, schema_of(table));
    query.bind_text(3, column);
    return query;
}

} // namespace

sqlite_affinity affinity_of(std::string_view type) {
    const std::string name = upper(type);
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("INT")) return sqlite_affinity::integer;
    if (has("CHAR") || has("CLOB") || has("TEXT")) return sqlite_affinity::text;
    if (has("BLOB") || name.empty() || name == "ANY") return sqlite_affinity::blob;
    return sqlite_affinity::numeric;
}

sqlite_table::sqlite_table(sqlite_connection& in, const sql_table& where)
    : name(name_of(where)), key_column(where.key_column), value_column(where.value_column) {
    sqlite_statement query(in, sqlite_table_query);
    query.bind_text(1, name.table);
    query.bind_text(2, schema_of(name));
    if (!query.step()) {
        throw store_error("there is no table " + where.table + " in the database");
    }
    const bool has_row_numbers = query.integer(0) != 0;
    look_at_columns(in, where);
    if (has_row_numbers) look_at_row_numbers(in);
}

void sqlite_table::look_at_columns(sqlite_connection& in, const sql_table& where) {
    const auto affinity = [&](const std::string& column) {
        sqlite_statement query = column_of(in, name, column);
        if (!query.step()) refuse_column(column, where.table);
        return affinity_of(query.bytes(1));
    };
    key_affinity = affinity(key_column);
    if (!value_column.empty()) value_affinity = affinity(value_column);
}

void sqlite_table::look_at_row_numbers(sqlite_connection& in) {
    sqlite_statement key = column_of(in, name, key_column);
    // A primary key of one column that is an INTEGER is the row number.
    const bool is_key = key.step() && upper(key.bytes(1)) == "INTEGER" && key.integer(2) == 1 &&
                        key.integer(3) == 1;
    if (is_key) return;
    for (const char* const each : {"rowid", "_rowid_", "oid"}) {
        if (!column_of(in, name, each).step()) { // otherwise it is an ordinary column
            row_number = each;
            return;
        }
    }
}

std::string sqlite_table::find() const {
    const std::string key = identifier(key_column);
    std::string made = "SELECT " + key + ", ";
    made += value_column.empty() ? std::string("NULL") : identifier(value_column);
    made.append(" FROM ").append(name.text()).append(" WHERE ").append(key);
    made += key_affinity == sqlite_affinity::blob ? " IN (?1, ?2, ?3)" : " = ?1";
    return made;
}

std::string sqlite_table::insert() const {
    const std::string made = "INSERT INTO " + name.text() + " (" + identifier(key_column);
    if (value_column.empty()) return made + ") VALUES (?1)";
    return made + ", " + identifier(value_column) + ") VALUES (?1, ?2)";
}

std::string sqlite_table::update() const {
    const std::string key = identifier(key_column);
    // The first comparison uses the index; the second is exact if the first is case-insensitive.
    const std::string made =
        "UPDATE " + name.text() + " SET " + identifier(value_column) + " = ?2 WHERE ";
    return made + key + " = ?1 AND " + key + " = ?1 COLLATE BINARY";
}

std::string sqlite_table::remove() const {
    const std::string key = identifier(key_column);
    const std::string made = "DELETE FROM " + name.text() + " WHERE ";
    return made + key + " = ?1 AND " + key + " = ?1 COLLATE BINARY";
}

std::string sqlite_table::scan(bool since) const {
    const std::string key = identifier(key_column);
    const std::string made =
        "SELECT " + key + " FROM " + name.text() + " WHERE " + key + " IS NOT NULL";
    return since ? made + " AND " + row_number + " > ?1" : made;
}

std::string sqlite_table::count() const {
    std::string made = "SELECT count(*), ";
    made += row_number.empty() ? std::string("0") : "coalesce(max(" + row_number + "), 0)";
    return made + " FROM " + name.text();
}

std::string sqlite_table::count_since() const {
    return "SELECT count(*) FROM " + name.text() + " WHERE " + row_number + " > ?1";
}

std::string sqlite_table::create(const sql_table& what, sql_keys made_of) {
    constexpr std::array types{" TEXT PRIMARY KEY NOT NULL", " BLOB PRIMARY KEY NOT NULL",
                               " INTEGER PRIMARY KEY"};
    std::string made = "CREATE TABLE IF NOT EXISTS " + name_of(what).text() + " (";
    made.append(identifier(what.key_column)).append(types.at(static_cast<std::size_t>(made_of)));
    if (!what.value_column.empty())
        made.append(", ").append(identifier(what.value_column)) += " BLOB";
    return made + ")";
}

} // namespace bloomery::inline v0::store
