// What `bloomery info` says of a .parquet file with several filters: one line for each.
#pragma once

#include "filter_io.hpp"

#include <optional>
#include <string>

namespace bloomery::cli {

/// The table, or the JSON object, of the filters that the options select; nothing unless the file
/// is a .parquet file with several. O(file) time and memory. Throws what reading it throws.
[[nodiscard]] std::optional<std::string> parquet_report(const std::string& path,
                                                        const access_options& access, bool as_json,
                                                        bool on_one_line);

} // namespace bloomery::cli
