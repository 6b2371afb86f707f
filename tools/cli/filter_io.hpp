// Filters in and out of the command: a path, or - for a pipe.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What every verb that opens a filter may be told.
struct access_options {
    std::string secret_file;

    /// Throws io_error or bad_argument for a secret file that cannot be read or holds no secret.
    [[nodiscard]] format::decode_options decoding() const;
    [[nodiscard]] std::optional<hash::sip_key> secret() const;
};

void add_access_options(CLI::App& verb, access_options& to);

/// All of standard input. Throws io_error.
[[nodiscard]] std::vector<std::byte> read_standard_input();

/// The filter in a file, or on standard input for "-". Throws as `load`.
[[nodiscard]] any_filter read_filter(const std::string& path, const access_options& access);

/// Writes a filter to a file, or to standard output for "-" unless that is a terminal. Throws as
/// `save`, and bad_argument.
void write_filter(const any_filter& made, const std::string& path, if_exists policy,
                  const std::string& comment = {});

/// Warns on standard error if a filter holds more than it was made for, and gives the exit status:
/// 0, or 3 if it is overfilled and the caller is strict.
int judge_fill(const any_filter& filled, const std::string& path, bool strict);

} // namespace bloomery::cli
