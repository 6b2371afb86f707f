#include "sql_names.hpp"

#include <bloomery/detail/plan/text.hpp>
#include <bloomery/detail/text/number.hpp>
#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>

#include <algorithm>

namespace bloomery::inline v0::store {

std::string identifier(std::string_view name) {
    std::string made = "\"";
    for (const char each : name) {
        if (each == '"') made += '"';
        made += each;
    }
    made += '"';
    return made;
}

std::string table_name::text() const {
    std::string made = schema.empty() ? std::string() : identifier(schema);
    if (!schema.empty()) made += '.';
    made += identifier(table);
    return made;
}

table_name name_of(const sql_table& from) {
    table_name made;
    const std::size_t dot = from.table.find('.');
    if (dot == std::string::npos) {
        made.table = from.table;
    } else {
        made.schema = from.table.substr(0, dot);
        made.table = from.table.substr(dot + 1);
    }
    if (made.table.empty() || (dot != std::string::npos && made.schema.empty())) {
        throw bad_argument("name a table, or SCHEMA.TABLE");
    }
    if (from.key_column.empty()) throw bad_argument("name the column with the keys");
    for (const std::string* each : {&from.table, &from.key_column, &from.value_column}) {
        if (each->find('\0') != std::string::npos) {
            throw bad_argument("an SQL name cannot contain a NUL character");
        }
    }
    return made;
}

std::optional<std::int64_t> as_integer(std::string_view key) noexcept {
    const auto value = text::number_in<std::int64_t>(key);
    if (!value) return std::nullopt;
    const std::string_view digits = key.substr(key.front() == '-' ? 1 : 0);
    if (digits.front() == '0' && key.size() > 1) return std::nullopt; // -0 too
    return value;
}

void refuse_key(std::string_view key, const std::string& column, const std::string& table) {
    throw store_error("the column " + column + " of " + table + " cannot hold the key " +
                      shown(key) + ": use another key, or a column of bytes");
}

void refuse_column(const std::string& column, const std::string& table) {
    throw store_error("the table " + table + " has no column " + column + ": name one that it has");
}

void refuse_busy() {
    throw unavailable("all connections were busy: allow more of them, or call from fewer threads");
}

bool is_text(std::string_view key) noexcept {
    return key.find('\0') == std::string_view::npos && is_utf8(key);
}

std::string shown(std::string_view key) {
    const bool plain =
        !key.empty() && key.size() <= 40 && is_utf8(key) &&
        std::none_of(key.begin(), key.end(), [](char c) { return c >= '\0' && c < ' '; });
    if (!plain) return "of " + plan::counted(key.size(), "byte");
    std::string made = "'";
    made += key;
    made += '\'';
    return made;
}

} // namespace bloomery::inline v0::store
