// Names and keys in SQL syntax.
#pragma once

#include <bloomery/guard/store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::store {

/// "name", with quotes around it and those inside doubled. O(name).
[[nodiscard]] std::string identifier(std::string_view name);

/// The schema and the table of `table`; the schema is empty if there is no dot. O(name). Throws
/// bad_argument if the table or the key's column has no name, or one with the character zero.
struct table_name {
    std::string schema{};
    std::string table{};

    /// "schema"."table". O(name).
    [[nodiscard]] std::string text() const;
};
[[nodiscard]] table_name name_of(const sql_table& from);

/// The number that the key spells: -7, but not 007 or +7. O(key).
[[nodiscard]] std::optional<std::int64_t> as_integer(std::string_view key) noexcept;

/// Throws store_error: the column cannot hold the key; the table has no such column.
[[noreturn]] void refuse_key(std::string_view key, const std::string& column,
                             const std::string& table);
[[noreturn]] void refuse_column(const std::string& column, const std::string& table);
/// Throws unavailable: no connection of a pool became free in time.
[[noreturn]] void refuse_busy();

/// Whether it can be text in a database: UTF-8 without the character zero. O(key).
[[nodiscard]] bool is_text(std::string_view key) noexcept;

/// A key for an error message: itself if it is short and printable, otherwise a placeholder.
/// O(key).
[[nodiscard]] std::string shown(std::string_view key);

} // namespace bloomery::inline v0::store
