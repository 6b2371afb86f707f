// Filters in and out of the command: a path, or - for a pipe.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/mapped.hpp>

#include "format_choice.hpp"
#include "input.hpp"
#include "key_kind.hpp"
#include "redis_options.hpp"

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
    format_choice format{};
    redis_options redis{}; ///< for the verbs that take filters in Redis

    /// Whether the filter is in Redis. Throws bad_argument for what does not go with that.
    [[nodiscard]] bool in_redis() const;
    /// Throws io_error or bad_argument for a secret file that cannot be read or holds no secret.
    [[nodiscard]] format::decode_options decoding() const;
    [[nodiscard]] std::optional<hash::sip_key> secret() const;
};

/// Adds --secret-file.
void add_secret_option(CLI::App& verb, access_options& to);

/// The same and --format, for verbs that work on filters of every format.
void add_access_options(CLI::App& verb, access_options& to);

/// Fills a buffer from an input, and tells how many bytes there were. Throws io_error.
std::size_t read_from(const input& from, std::span<std::byte> into);

/// Runs a reader and says, before whatever it complains of, what it read.
template <class Read>
auto naming(const std::string& what, Read read) {
    const auto named = [&](const error& e) { return what + ": " + e.what(); };
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

/// A filter, and the format of the file that it came from: nothing for a native one.
struct opened_filter {
    any_filter filter;
    const format::foreign_format* format = nullptr;

    /// What its keys are if --key does not say.
    [[nodiscard]] key_kind usual_keys() const;
};

/// Whether what begins so is a native filter, by what was said or else by its mark. O(1).
[[nodiscard]] bool is_native(byte_view start, const format_choice& said) noexcept;

/// The same of a file, of which it reads no more than the mark. Throws io_error, bad_data if it is
/// no regular file.
[[nodiscard]] bool is_native_file(const std::string& path, const access_options& access);

/// The filter in a file, mapped and not read if it is native, and read once if it is not; or on
/// standard input for "-"; or the one of that name in Redis. Throws as `map` and `load`, bad_data
/// with the candidates if the bytes do not tell the format, and as redis_filter::open.
[[nodiscard]] opened_filter read_filter(const std::string& path, const access_options& access);

/// The native filter that an input holds, of which the start was read already. Throws io_error, and
/// what decode_native throws.
[[nodiscard]] opened_filter read_rest_of_native(const input& from, byte_view start,
                                                const access_options& access);

/// The filter of another system that an input holds, of which the start was read already. Throws
/// io_error, and what detecting and decoding throw.
[[nodiscard]] opened_filter read_rest(const input& from, std::vector<std::byte> start,
                                      const format_choice& said);

/// Whether the filter of a native file is added to where it lies; others are replaced. O(1).
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

/// Writes a filter to a file, or to standard output for "-" unless that is a terminal. Throws as
/// `save`, and bad_argument.
void write_filter(const any_filter& made, const std::string& path, if_exists policy,
                  const format::encode_options& options = {});

/// The same in a format of another system.
void write_filter(const any_filter& made, const std::string& path, if_exists policy,
                  const format_choice& in);

/// The same for a filter that is not in memory; returns its number of ones.
std::uint64_t write_filter(const unwritten& made, const std::string& path, if_exists policy);

/// Warns on standard error if a filter holds more than it was made for, and gives the exit status:
/// 0, or 3 if it is overfilled and the caller is strict.
int judge_fill(const design& made_for, const statistics& now, const std::string& path, bool strict);

} // namespace bloomery::cli
