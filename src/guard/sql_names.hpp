// Names and keys, as SQL takes them.
#pragma once

#include <bloomery/guard/sql_table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::store {

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

/// The number whose text form the key is: -7, but not 007 nor +7. O(key).
[[nodiscard]] std::optional<std::int64_t> as_integer(std::string_view key) noexcept;

/// Whether it may be text in a database: UTF-8, without the character zero. O(key).
[[nodiscard]] bool is_text(std::string_view key) noexcept;

/// A key for a sentence: as it is if it is short and plain, else the word for it. O(key).
[[nodiscard]] std::string shown(std::string_view key);

} // namespace bloomery::store
