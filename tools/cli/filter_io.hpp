// Filters in and out of the command: a path, or - for a pipe.
#pragma once

#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/file.hpp>

#include "input/input.hpp"
#include "input/keys.hpp"
#include "options/redis_options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What every verb that opens a filter may be told.
struct access_options {
    std::string secret_file;
    format::format_choice format{};
    redis_options redis{}; ///< for the verbs that take filters in Redis

    /// Whether the filter is in Redis. Throws bad_argument for what does not go with that.
    [[nodiscard]] bool in_redis() const;
    /// Throws io_error or bad_argument for a secret file that cannot be read or holds no secret.
    [[nodiscard]] format::decode_options decoding() const;
    [[nodiscard]] std::optional<hash::sip_key> secret() const;
};

/// Adds --secret-file.
void add_secret_option(CLI::App& verb, access_options& to);

/// Adds --format.
void add_format_option(CLI::App& verb, format::format_choice& to);

/// Both, for verbs that work on filters of every format.
void add_access_options(CLI::App& verb, access_options& to);

/// Fills a buffer from an input. Returns the number of bytes read. Throws io_error.
std::size_t read_from(const input& from, std::span<std::byte> into);

/// A filter, and the format of the file that it came from: nothing for a native one.
struct opened_filter {
    any_filter filter;
    const format::foreign_format* format = nullptr;

    /// How its keys are read: by --key, or, without it, as the format has them.
    [[nodiscard]] key_options reading(const key_options& said) const;
};

/// Whether these first bytes are those of a native filter: by --format, or, without it, by the
/// mark. O(1).
[[nodiscard]] bool is_native(byte_view start, const format::format_choice& said) noexcept;

/// The same of a file, of which it reads no more than the mark. Throws io_error, bad_data if it is
/// not a regular file.
[[nodiscard]] bool is_native_file(const std::string& path, const access_options& access);

/// The filter in a file, mapped and not read if it is native, and read once if it is not; or on
/// standard input for "-"; or the one of that name in Redis. Throws as `map` and `load`, bad_data
/// with the candidates if the bytes do not show the format, and as redis_filter::open.
[[nodiscard]] opened_filter read_filter(const std::string& path, const access_options& access);

/// The native filter that an input holds, of which the start was read already. Throws io_error, and
/// what decode_native throws.
[[nodiscard]] opened_filter read_rest_of_native(const input& from, byte_view start,
                                                const access_options& access);

/// The filter of another system that an input holds, of which the start was read already. Throws
/// io_error, and what detecting and decoding throw.
[[nodiscard]] opened_filter read_rest(const input& from, std::vector<std::byte> start,
                                      const format::format_choice& said);

/// Advances a window filter to the current time, in seconds since 1970; a no-op for other filters.
void advance_clock(any_filter& of);

/// Whether keys are added to such a filter in place; other files are replaced. O(1).
[[nodiscard]] bool changes_in_place(const spec& what) noexcept;

/// Lets `change` add to the filter in a file or in Redis: in its place, or, where that cannot be,
/// to a copy that replaces it. Says so if it has to wait for another writer. Throws as `map` and
/// `update`.
void change_filter(const std::string& path, const access_options& access,
                   const std::function<void(opened_filter&)>& change);

/// Runs work that adds to a mapped filter, and seals its file, also when a signal ends the work.
/// Throws interrupted in that case, and what the work and `sync` throw.
void finish_in_place(any_filter& mapped, const std::function<void()>& work);

/// Says so if a writer has the file now, before something that waits for it.
void announce_wait(const std::string& path);

/// The filter in a file, to add to it in its place. Says so if it has to wait for another writer,
/// or found what one that died left. Throws as `map`.
[[nodiscard]] any_filter open_to_add(const std::string& path, const access_options& access);

/// The same, or nothing if the filter is one that is replaced.
[[nodiscard]] std::optional<any_filter> open_in_place(const std::string& path,
                                                      const access_options& access);

/// Where a verb writes a filter: a file, or standard output for "-".
struct new_file {
    std::string path;
    bool force = false; ///< replaces a file that is there
    std::string comment{};
    bool keep_secret = false;

    /// Throws what would otherwise be thrown after all the work: io_error if the file is there and
    /// not to be replaced, bad_argument for a terminal.
    void require_free() const;
    /// Throws bad_argument if a secret is to be kept and there is none.
    void require_secret(const access_options& access) const;
};

/// Writes a filter. Throws as `save`, and bad_argument.
void write_filter(const any_filter& made, const new_file& to);

/// The same in a format of another system.
void write_filter(const any_filter& made, const new_file& to, const format::format_choice& in);

/// The same for a filter that is not in memory; returns its number of ones.
std::uint64_t write_filter(const unwritten& made, const new_file& to);

/// Makes a native file with an empty filter if there is none; returns false if there was. Another
/// process may do the same at the same time. Throws as `save`.
bool make_if_missing(const std::string& path, const std::function<any_filter()>& empty);

/// Warns on standard error if a filter holds more than it was made for, and gives the exit status:
/// 0, or 3 if it is overfilled and the caller is strict.
int judge_fill(const design& made_for, const statistics& now, const std::string& path, bool strict);

} // namespace bloomery::cli
