// The structure of a PostgreSQL table, and the statements for it.
#pragma once

#include <bloomery/guard/store.hpp>

#include "postgres_connection.hpp"
#include "sql_names.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0::store {

/// The relevant properties of a column's type. Keys and values of `bytes` are sent as they are, all
/// others as text, which the server parses and prints.
struct postgres_type {
    enum class kind : std::uint8_t { bytes, small, integer, large, uuid, other };

    kind is = kind::other;
    std::string name{};       ///< as SQL takes it
    std::string exact_name{}; ///< with the length that the column has: character varying(20)

    /// Whether the text can be a value of the column, in the server's own spelling. For other
    /// types, only the server knows. O(key).
    [[nodiscard]] bool may_hold(std::string_view text) const noexcept;
    [[nodiscard]] bool is_bytes() const noexcept { return is == kind::bytes; }
};

/// An existing table.
struct postgres_table {
    table_name name{};
    std::string key_column{};
    std::string value_column{}; ///< or empty
    postgres_type key_type{};
    postgres_type value_type{};

    postgres_statement get{};      ///< value, of the key $1
    postgres_statement get_many{}; ///< key, value, of the keys $1
    postgres_statement put{};      ///< whether it is new, for the key $1, the value $2
    postgres_statement erase{};    ///< of the key $1

    /// Inspects the table. Throws store_error that names what is missing.
    postgres_table(postgres_connection& in, const sql_table& where);

    /// COPY of the keys, with a condition if it is not empty.
    [[nodiscard]] std::string copy_out(const std::string& condition) const;
    [[nodiscard]] std::string copy_in() const;
    /// The statement that creates such a table.
    [[nodiscard]] static std::string create(const sql_table& what, sql_keys made_of);

private:
    [[nodiscard]] postgres_type type_of(postgres_connection& in, const std::string& column) const;
    void write_statements();
    [[nodiscard]] std::string same_text(const std::string& column) const;
    [[nodiscard]] std::string as_key(const std::string& parameter) const;
};

} // namespace bloomery::inline v0::store
