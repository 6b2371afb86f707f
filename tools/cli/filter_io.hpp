// Filters in and out of the command: a path, or - for a pipe.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/mapped.hpp>

#include "input.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

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

/// Fills a buffer from an input, and tells how many bytes there were. Throws io_error.
std::size_t read_from(const input& from, std::span<std::byte> into);

/// Runs a reader of standard input and says, before whatever it complains of, what it read.
template <class Read>
auto naming_standard_input(Read read) {
    const auto named = [](const error& e) { return std::string("standard input: ") + e.what(); };
    try {
        return read();
    } catch (const bad_data& e) {
        throw bad_data(named(e));
    } catch (const unsupported& e) {
        throw unsupported(named(e));
    } catch (const bad_argument& e) {
        throw bad_argument(named(e));
    } catch (const memory_refused& e) {
        throw memory_refused(named(e));
    }
}

/// The filter in a file, mapped and not read; or on standard input for "-". Throws as `map`.
[[nodiscard]] any_filter read_filter(const std::string& path, const access_options& access);

/// Says so if a writer has the file now, before something that waits for it.
void announce_wait(const std::string& path);

/// The filter in a file, to add to it in its place. Says so if it has to wait for another writer,
/// or found what one that died left. Throws as `map`.
[[nodiscard]] any_filter open_to_add(const std::string& path, const access_options& access);

/// Writes a filter to a file, or to standard output for "-" unless that is a terminal. Throws as
/// `save`, and bad_argument.
void write_filter(const any_filter& made, const std::string& path, if_exists policy,
                  const format::encode_options& options = {});

/// The same for a filter that is not in memory; returns its number of ones.
std::uint64_t write_filter(const unwritten& made, const std::string& path, if_exists policy);

/// Warns on standard error if a filter holds more than it was made for, and gives the exit status:
/// 0, or 3 if it is overfilled and the caller is strict.
int judge_fill(const design& made_for, const statistics& now, const std::string& path, bool strict);

} // namespace bloomery::cli
