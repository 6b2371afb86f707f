// The structure of an SQLite table, and the statements for it.
#pragma once

#include <bloomery/guard/store.hpp>

#include "sql_names.hpp"
#include "sqlite_connection.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0::store {

/// How a column converts values: by the first of these whose rule its type matches. BLOB also
/// covers columns without a type, which hold text, bytes and numbers as given.
enum class sqlite_affinity : std::uint8_t { integer, text, blob, numeric };

/// By the rules of SQLite (datatype3.html, 3.1); ANY, a type of strict tables, counts as none.
/// O(1).
[[nodiscard]] sqlite_affinity affinity_of(std::string_view type);

/// An existing table.
struct sqlite_table {
    table_name name{};
    std::string key_column{};
    std::string value_column{}; ///< or empty
    sqlite_affinity key_affinity{};
    sqlite_affinity value_affinity{};
    /// The name of its row numbers; empty if it has none, or if they are its keys.
    std::string row_number{};

    /// Inspects the table. Throws store_error that names what is missing.
    sqlite_table(sqlite_connection& in, const sql_table& where);

    /// key, value: of the key ?1; in columns that hold anything ?1 as text, ?2 as bytes, ?3 as a
    /// number. More rows may be found than those of the key.
    [[nodiscard]] std::string find() const;
    /// The key ?1, the value ?2.
    [[nodiscard]] std::string insert() const;
    /// Of the rows whose key is stored as ?1, the value ?2.
    [[nodiscard]] std::string update() const;
    [[nodiscard]] std::string remove() const;
    /// All keys; with `since`, of rows after the number ?1.
    [[nodiscard]] std::string scan(bool since) const;
    /// The count of rows, and the largest row number or zero.
    [[nodiscard]] std::string count() const;
    /// The count of rows after the number ?1.
    [[nodiscard]] std::string count_since() const;
    /// The statement that creates such a table.
    [[nodiscard]] static std::string create(const sql_table& what, sql_keys made_of);

private:
    void look_at_columns(sqlite_connection& in, const sql_table& where);
    void look_at_row_numbers(sqlite_connection& in);
};

} // namespace bloomery::inline v0::store
