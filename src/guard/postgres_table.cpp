#include "postgres_table.hpp"

#include <array>
#include <limits>
#include <optional>

namespace bloomery::inline v0::store {

namespace {

/// Numbers of types, which never change (pg_type.dat).
constexpr unsigned bytes_type = 17;
constexpr unsigned text_type = 25;
constexpr unsigned bytes_array = 1001;
constexpr unsigned text_array = 1009;

constexpr const char* postgres_table_query =
    "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c "
    "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.oid = pg_catalog.to_regclass($1)";
/// For a domain, its base type; the -1 keeps character from becoming character(1).
constexpr const char* type_query =
    "SELECT b.oid, pg_catalog.format_type(b.oid, -1), pg_catalog.format_type(b.oid, "
    "CASE WHEN t.typbasetype = 0 THEN a.atttypmod ELSE t.typtypmod END) "
    "FROM pg_catalog.pg_attribute a "
    "JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
    "JOIN pg_catalog.pg_type b ON b.oid = coalesce(nullif(t.typbasetype, 0), t.oid) "
    "WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attname = $2 AND a.attnum > 0 "
    "AND NOT a.attisdropped";

postgres_type::kind kind_of(std::string_view number) {
    if (number == "17") return postgres_type::kind::bytes;
    if (number == "20") return postgres_type::kind::large;
    if (number == "21") return postgres_type::kind::small;
    if (number == "23") return postgres_type::kind::integer;
    if (number == "2950") return postgres_type::kind::uuid;
    return postgres_type::kind::other;
}

template <class Integer>
bool is_within(std::optional<std::int64_t> value) noexcept {
    return value && *value >= std::numeric_limits<Integer>::min() &&
           *value <= std::numeric_limits<Integer>::max();
}

bool is_uuid(std::string_view text) noexcept {
    constexpr std::string_view form = "........-....-....-....-............";
    if (text.size() != form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const char c = text[i];
        const bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (form[i] == '-' ? c != '-' : !is_digit) return false;
    }
    return true;
}

} // namespace

bool postgres_type::may_hold(std::string_view text) const noexcept {
    switch (is) {
    case kind::bytes:
        return true;
    case kind::small:
        return is_within<std::int16_t>(as_integer(text));
    case kind::integer:
        return is_within<std::int32_t>(as_integer(text));
    case kind::large:
        return as_integer(text).has_value();
    case kind::uuid:
        return is_uuid(text);
    case kind::other:
        break;
    }
    return is_text(text);
}

postgres_table::postgres_table(postgres_connection& in, const sql_table& where)
    : key_column(where.key_column), value_column(where.value_column) {
    const std::array asked{name_of(where).text()};
    const postgres_result found = in.query(postgres_table_query, asked);
    if (found.rows() == 0) {
        throw store_error("there is no table " + where.table + " in the database");
    }
    name.schema = found.bytes(0, 0);
    name.table = found.bytes(0, 1);
    key_type = type_of(in, key_column);
    if (!value_column.empty()) value_type = type_of(in, value_column);
    write_statements();
}

postgres_type postgres_table::type_of(postgres_connection& in, const std::string& column) const {
    const std::array asked{name.text(), column};
    const postgres_result found = in.query(type_query, asked);
    if (found.rows() == 0) refuse_column(column, name.table);
    return {kind_of(found.bytes(0, 0)), std::string(found.bytes(0, 1)),
            std::string(found.bytes(0, 2))};
}

/// Requires that the column prints as $1. Equality is not enough: with some types and collations,
/// different texts are equal. It cannot use an index, but the comparison before it does.
std::string postgres_table::same_text(const std::string& column) const {
    if (key_type.is_bytes()) return "true";
    return column + "::text COLLATE \"C\" = $1";
}

std::string postgres_table::as_key(const std::string& parameter) const {
    return key_type.is_bytes() ? parameter : parameter + "::" + key_type.name;
}

void postgres_table::write_statements() {
    const std::string key = identifier(key_column);
    const std::string table = name.text();
    const std::string value = value_column.empty() ? std::string("NULL") : identifier(value_column);
    const auto printed = [](const std::string& column, const postgres_type& type) {
        return type.is_bytes() ? column : column + "::text";
    };
    const std::string is_it = " WHERE " + key + " = " + as_key("$1") + " AND " + same_text(key);
    const unsigned key_form = key_type.is_bytes() ? bytes_type : text_type;

    get = {"bloomery_get",
           "SELECT " + printed(value, value_type) + " FROM " + table + is_it + " LIMIT 1",
           {key_form}};
    const std::string list = key_type.is_bytes() ? "$1" : "$1::" + key_type.name + "[]";
    get_many = {"bloomery_get_many",
                "SELECT " + printed(key, key_type) + ", " + printed(value, value_type) + " FROM " +
                    table + " WHERE " + key + " = ANY(" + list + ")",
                {key_type.is_bytes() ? bytes_array : text_array}};
    erase = {"bloomery_erase", "DELETE FROM " + table + is_it, {key_form}};

    // A transaction setting shows whether there was a conflict. A new row's xmax of zero would show
    // it too, but not for a partitioned table.
    const bool has_value = !value_column.empty();
    const std::string set = has_value ? value : key;
    const std::string stored = key_type.is_bytes() ? "$1" : "$1::" + key_type.exact_name;
    put = {"bloomery_put",
           "INSERT INTO " + table + " AS old (" + key + (has_value ? ", " + value : "") +
               ") SELECT given.key" +
               (has_value ? (value_type.is_bytes() ? ", $2" : ", $2::" + value_type.name) : "") +
               " FROM (SELECT " + stored + " AS key) given WHERE " + same_text("given.key") +
               " ON CONFLICT (" + key + ") DO UPDATE SET " + set + " = EXCLUDED." + set +
               " WHERE " + same_text("old." + key) +
               " AND pg_catalog.set_config('bloomery.put', 'old', true) = 'old' RETURNING "
               "coalesce(nullif(pg_catalog.current_setting('bloomery.put', true), ''), 'new')",
           {key_form}};
    if (has_value) put.types.push_back(value_type.is_bytes() ? bytes_type : text_type);
}

std::string postgres_table::copy_out(const std::string& condition) const {
    const std::string key = identifier(key_column);
    std::string made = "COPY (SELECT " + key;
    if (!key_type.is_bytes()) made += "::text";
    made.append(" FROM ").append(name.text()).append(" WHERE ").append(key).append(" IS NOT NULL");
    if (!condition.empty()) made.append(" AND ").append(condition);
    return made + ") TO STDOUT (FORMAT binary)";
}

std::string postgres_table::copy_in() const {
    std::string made = "COPY " + name.text() + " (" + identifier(key_column);
    if (!value_column.empty()) made.append(", ").append(identifier(value_column));
    return made + ") FROM STDIN";
}

std::string postgres_table::create(const sql_table& what, sql_keys made_of) {
    constexpr std::array types{" text", " bytea", " bigint"};
    std::string made = "CREATE TABLE IF NOT EXISTS " + name_of(what).text() + " (";
    made.append(identifier(what.key_column)).append(types.at(static_cast<std::size_t>(made_of)));
    made += " PRIMARY KEY";
    if (!what.value_column.empty()) {
        made.append(", ").append(identifier(what.value_column)).append(" bytea");
    }
    return made + ")";
}

} // namespace bloomery::inline v0::store
