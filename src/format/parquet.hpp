// What the formats of Parquet share.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/foreign.hpp>

#include <cstdint>

namespace bloomery::inline v0::format {

/// The header before a bitset.
struct parquet_header {
    std::uint64_t header_bytes;
    std::uint64_t bitset_bytes;
};

/// Reads a header from the front of bytes. O(header). Throws bad_data if it is invalid, unsupported
/// for an unknown algorithm, hash or compression.
[[nodiscard]] parquet_header read_parquet_header(byte_view bytes);

/// The filter of a bitset. Throws bad_data, memory_refused.
[[nodiscard]] any_filter parquet_filter_of(byte_view bitset, const limits& most);

} // namespace bloomery::inline v0::format
