#include "sql_names.hpp"

#include <bloomery/error.hpp>
#include <bloomery/key/utf16.hpp>

#include "../plan/text.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace bloomery::store {

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
    if (from.key_column.empty()) throw bad_argument("name the column of the keys");
    for (const std::string* each : {&from.table, &from.key_column, &from.value_column}) {
        if (each->find('\0') != std::string::npos) {
            throw bad_argument("a name in SQL has no character zero");
        }
    }
    return made;
}

std::optional<std::int64_t> as_integer(std::string_view key) noexcept {
    std::int64_t value = 0;
    const char* const end = key.data() + key.size();
    const auto [stop, failure] = std::from_chars(key.data(), end, value);
    if (failure != std::errc{} || stop != end) return std::nullopt;
    const std::string_view digits = key.substr(key.front() == '-' ? 1 : 0);
    if (digits.front() == '0' && key.size() > 1) return std::nullopt; // -0 too
    return value;
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

} // namespace bloomery::store
