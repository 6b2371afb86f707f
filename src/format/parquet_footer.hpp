// The footer of a .parquet file, which says where its filters are.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/format/foreign.hpp>

#include <cstdint>
#include <functional>

namespace bloomery::inline v0::format {

using on_parquet_filter = std::function<void(const parquet_column_filter&)>;

/// Throws bad_data: the file is damaged in that way.
[[noreturn]] void refuse_parquet(const char* what);

/// Whether it begins and ends like a .parquet file. O(1).
[[nodiscard]] bool has_parquet_marks(byte_view file) noexcept;

/// Where the data end and the footer begins. O(1). Throws bad_data, unsupported.
[[nodiscard]] std::uint64_t parquet_data_end(byte_view file);

/// Calls `found` for each filter, in file order. O(footer). Throws bad_data, unsupported, and what
/// `found` throws.
void each_parquet_filter(byte_view file, const on_parquet_filter& found);

} // namespace bloomery::inline v0::format
