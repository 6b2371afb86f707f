// Where keys and values lie in a database of tables.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstdint>
#include <string>

namespace bloomery::store {

/// A table with a column of keys and, if values are wanted, one of values. Names are taken as they
/// are written, in capitals or not; in `table` a dot stands between the schema and the table.
///
/// A key is the bytes of its text form, as the database prints it: 7, not 007; times in UTC. Of a
/// column of bytes (BLOB, bytea) it is the bytes themselves. What the column cannot hold is not in
/// it: to ask for it finds nothing, to put it is refused. Rows without a key (NULL) are no keys.
struct sql_table {
    std::string table;
    std::string key_column;
    /// Empty: there are keys alone, whose value is "". So is a value that is NULL.
    std::string value_column{};
};

/// What the keys of a table are, where a store makes the table.
enum class sql_keys : std::uint8_t {
    text,     ///< UTF-8 without the character zero
    bytes,    ///< anything
    integers, ///< of 64 bits, with their sign
};

} // namespace bloomery::store
