// Which Bloom filters a .parquet file has.
//
// The formats `parquet`, `parquet-bitset` and `parquet-file` of format/foreign.hpp read the filters
// themselves.
#pragma once

#include <bloomery/key/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::format {

/// The physical types of Parquet, by its own numbers.
enum class parquet_type : std::uint8_t {
    boolean = 0,
    int32 = 1,
    int64 = 2,
    int96 = 3,
    float32 = 4,
    float64 = 5,
    byte_array = 6,
    fixed_len_byte_array = 7,
};

/// The name that Parquet has for a type, such as BYTE_ARRAY. O(1).
[[nodiscard]] std::string_view name_of(parquet_type type) noexcept;

/// A column of a row group that has a filter.
struct parquet_column_filter {
    std::uint64_t row_group = 0; ///< from 0
    std::string path;            ///< its names in the schema, with dots between them
    parquet_type type = parquet_type::byte_array;
    std::uint64_t offset = 0;              ///< where its filter begins, header and all
    std::optional<std::uint64_t> length{}; ///< of header and bits, if the file says
    std::string other_file{};              ///< the file that holds it, if it is not this one
    bool encrypted = false;
};

/// All filters of a .parquet file, in the file's order. Nothing is read but the footer. O(footer),
/// also in memory. Throws bad_data for what is no such file or a damaged one, unsupported for one
/// whose footer is encrypted.
[[nodiscard]] std::vector<parquet_column_filter> parquet_filters(byte_view file);

} // namespace bloomery::format
