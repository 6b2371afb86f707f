// Files of other systems, read whole and written whole: a reader sees the old file or the new one.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/foreign.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bloomery {

/// The bytes of a file, if they are no more than the limit. O(bytes). Throws io_error,
/// memory_refused, bad_data if it is no regular file.
[[nodiscard]] std::vector<std::byte> read_whole(const std::string& path,
                                                const format::limits& most = {});

/// The first bytes of a file, as many as wanted or as there are. Throws io_error, bad_data if it is
/// no regular file.
[[nodiscard]] std::vector<std::byte> read_start(const std::string& path, std::size_t wanted);

/// Reads the filter in a file of another system. O(bytes). Throws io_error, and what the format's
/// decode throws, each with the file's name in front.
[[nodiscard]] any_filter load(const std::string& path, const format::foreign_format& format,
                              const format::foreign_options& options = {});

/// Writes a filter to a file of another system, in the way that the native `save` does. O(w).
/// Throws io_error, unsupported for a format that is for reading only, and what its encode throws.
void save(const any_filter& source, const std::string& path, const format::foreign_format& format,
          const format::foreign_options& options = {}, if_exists policy = if_exists::replace);

/// Loads such a filter, lets `change` work on it and saves it, while a lock keeps other writers of
/// ours out (the original's own programs know nothing of it). Throws as load and save, and what
/// `change` throws; the file is then as it was.
void update(const std::string& path, const format::foreign_format& format,
            const std::function<void(any_filter&)>& change,
            const format::foreign_options& options = {});

} // namespace bloomery
