// A small file that is written whole, or not at all.
#pragma once

#include <string>
#include <string_view>

namespace bloomery::cli {

/// Writes the text to a file; "-" is standard output. A file that is already there is replaced
/// when all is written, if `force` says so. Throws io_error: std::errc::file_exists without
/// `force`, and what the system says of a full disk or a folder that is not there.
void write_text_file(const std::string& path, std::string_view text, bool force);

} // namespace bloomery::cli
