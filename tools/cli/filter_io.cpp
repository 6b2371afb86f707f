#include "filter_io.hpp"

#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/detail/format/key_choice.hpp>
#include <bloomery/detail/format/naming.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/native.hpp>

#include "command.hpp"
#include "input/input.hpp"
#include "interruption.hpp"
#include "output/output.hpp"
#include "redis_access.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

void refuse_terminal() {
    if (::isatty(STDOUT_FILENO) == 1) {
        throw bad_argument(
            "refusing to write binary data to a terminal; name a file, or pipe the output");
    }
}

template <class Encode>
void to_standard_output(Encode encode) {
    refuse_terminal();
    output out(STDOUT_FILENO, "standard output");
    encode([&](byte_view part) {
        out.write({reinterpret_cast<const char*>(part.data()), part.size()}); // NOLINT
    });
    out.close();
}

} // namespace

std::size_t read_from(const input& from, std::span<std::byte> into) {
    const std::span all(reinterpret_cast<char*>(into.data()), into.size()); // NOLINT: bytes both
    std::size_t done = 0;
    while (done < all.size()) {
        const std::size_t got = from.read(all.subspan(done));
        if (got == 0) break;
        done += got;
    }
    return done;
}

std::optional<hash::sip_key> access_options::secret() const {
    if (secret_file.empty()) return std::nullopt;
    std::ifstream file(secret_file);
    if (!file) {
        throw io_error("cannot open " + in_quotes(secret_file),
                       std::error_code(errno, std::generic_category()));
    }
    std::string text;
    file >> text;
    hash::sip_key key{};
    const char* const begin = text.data();
    const bool good = text.size() == 32 &&
                      std::from_chars(begin, begin + 16, key.k0, 16).ptr == begin + 16 &&
                      std::from_chars(begin + 16, begin + 32, key.k1, 16).ptr == begin + 32;
    if (!good) {
        throw bad_argument(fmt::format(
            "{} does not contain a secret of 32 hexadecimal digits; make one with: od -An -N16 "
            "-tx8 /dev/urandom | tr -d ' '",
            in_quotes(secret_file)));
    }
    return key;
}

format::decode_options access_options::decoding() const {
    format::decode_options options;
    options.secret = secret();
    options.limits = format.parameters.limits;
    return options;
}

bool access_options::in_redis() const {
    if (!redis.said()) return false;
    if (!secret_file.empty()) {
        throw bad_argument("a filter in Redis has no secret; leave --secret-file out");
    }
    if (format.said && name_of(format.foreign) != "redisson") {
        throw bad_argument(
            fmt::format("a filter in Redis can only have the format redisson, not {}; "
                        "leave --format out",
                        name_of(format.foreign)));
    }
    return true;
}

void add_secret_option(CLI::App& verb, access_options& to) {
    verb.add_option("--secret-file", to.secret_file,
                    "The file with the secret of a keyed filter (32 hexadecimal digits)")
        ->type_name("FILE");
}

void add_format_option(CLI::App& verb, format::format_choice& to) {
    verb.add_option_function<std::string>(
            "--format", [&to](const std::string& text) { to = format::parse_format(text); },
            "The filter's format, with the parameters that its bytes do not contain: "
            "redisson,bits=9585058,hashes=7 (bloomery formats lists them)")
        ->type_name("FORMAT[,PARAMETER=VALUE...]")
        ->group("Format");
}

void add_access_options(CLI::App& verb, access_options& to) {
    add_format_option(verb, to.format);
    add_secret_option(verb, to);
}

namespace {

/// The format of --format, or, without it, that of the bytes. Throws bad_data if they do not show
/// it.
const format::foreign_format& format_among(byte_view bytes, const format::format_choice& said) {
    if (said.said) return *said.foreign;
    try {
        return format::detect_one(bytes);
    } catch (const bad_data& e) {
        if (bytes.empty()) throw;
        throw bad_data(std::string(e.what()) + "; name its format with --format");
    }
}

opened_filter read_standard_input(const access_options& access) {
    const input from = input::open("-");
    std::vector<std::byte> start(format::native_header_bytes);
    start.resize(read_from(from, start));
    if (is_native(start, access.format)) return read_rest_of_native(from, start, access);
    return read_rest(from, std::move(start), access.format);
}

/// --format redisson insists on a filter that Redisson could have made.
opened_filter open_in_redis(const std::string& name, const access_options& access) {
    opened_filter opened{connect_to_redis(access.redis)->open(name)};
    if (access.format.said && opened.filter.spec().scheme != layout::scheme_id::redisson) {
        throw bad_argument(fmt::format("{} in Redis is not a Redisson filter; leave --format out",
                                       in_quotes(name)));
    }
    return opened;
}

opened_filter read_foreign(const std::string& path, const format::format_choice& said) {
    const std::vector<std::byte> bytes = read_whole(path, said.parameters.limits);
    return format::naming(path, [&]() -> opened_filter {
        const format::foreign_format& format = format_among(bytes, said);
        return {format.decode(bytes, said.parameters), &format};
    });
}

} // namespace

bool is_native(byte_view start, const format::format_choice& said) noexcept {
    return said.said ? said.foreign == nullptr : format::looks_native(start);
}

bool is_native_file(const std::string& path, const access_options& access) {
    constexpr std::size_t mark_bytes = 8;
    const format::format_choice& said = access.format;
    return said.said ? is_native({}, said) : is_native(read_start(path, mark_bytes), said);
}

opened_filter read_rest_of_native(const input& from, byte_view start,
                                  const access_options& access) {
    const auto next = [&](std::span<std::byte> into) {
        const byte_view first = start.first(std::min(start.size(), into.size()));
        std::ranges::copy(first, into.begin());
        start = start.subspan(first.size());
        return first.size() + read_from(from, into.subspan(first.size()));
    };
    opened_filter opened{format::decode_native(next, access.decoding())};
    advance_clock(opened.filter);
    return opened;
}

opened_filter read_rest(const input& from, std::vector<std::byte> start,
                        const format::format_choice& said) {
    const std::size_t most = said.said ? std::size_t{1} << 30U : std::size_t{64} << 20U;
    for (std::size_t step = start.size(), got = step; got == step && step != 0;) {
        step = start.size(); // as much again each time
        if (step >= most) {
            throw bad_data(fmt::format(
                "this is not a bloomery filter, and filters of other systems can be read from a "
                "pipe only up to {}{}; save it to a file first",
                format_bytes(most), said.said ? "" : " without --format"));
        }
        start.resize(2 * step);
        got = read_from(from, std::span(start).last(step));
        start.resize(step + got);
    }
    const format::foreign_format& format = format_among(start, said);
    return {format.decode(start, said.parameters), &format};
}

key_options opened_filter::reading(const key_options& said) const {
    key_options how = said;
    // Native files may hold the bits of filters whose keys are texts of Java.
    const layout::scheme_id scheme = filter.spec().scheme;
    if (how.kind) how.kind = format::encoding_for(filter, *how.kind);
    if (const auto shown = format::encoding_in(filter)) {
        how.kind_of_filter = *shown;
    } else if (format != nullptr) {
        how.kind_of_filter = key_encoding_named(format->keys);
    } else if (scheme == layout::scheme_id::redisson) {
        how.kind_of_filter = key_encoding::kryo5;
    } else if (scheme >= layout::scheme_id::hutool_32 &&
               scheme != layout::scheme_id::redisson_split) {
        how.kind_of_filter = key_encoding::utf16le;
    }
    return how;
}

opened_filter read_filter(const std::string& path, const access_options& access) {
    if (access.in_redis()) return open_in_redis(path, access);
    if (path == "-")
        return format::naming("standard input", [&] { return read_standard_input(access); });
    const format::decode_options decoding = access.decoding();
    if (!is_native_file(path, access)) return read_foreign(path, access.format);
    opened_filter opened{map(path, map_mode::read_only, {decoding})};
    advance_clock(opened.filter);
    return opened;
}

namespace {

/// The format of a file that is going to be read under a lock; nothing for a native one.
const format::foreign_format* format_of(const std::string& path, const access_options& access) {
    if (is_native_file(path, access)) return nullptr;
    if (access.format.said) return access.format.foreign;
    const std::vector<std::byte> bytes = read_whole(path);
    return format::naming(path, [&] { return &format_among(bytes, access.format); });
}

} // namespace

void advance_clock(any_filter& of) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    if (auto* const window = of.get_if<window_filter>()) {
        window->advance(static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::seconds>(now).count()));
    }
}

bool changes_in_place(const spec& what) noexcept {
    return what.kind == filter_kind::bloom && what.scheme == layout::scheme_id::native;
}

void change_filter(const std::string& path, const access_options& access,
                   const std::function<void(opened_filter&)>& change) {
    if (access.in_redis()) {
        opened_filter opened = open_in_redis(path, access);
        return change(opened);
    }
    const format::foreign_format* const format = format_of(path, access);
    const auto change_copy = [&](any_filter& loaded) {
        opened_filter opened{std::move(loaded), format};
        advance_clock(opened.filter);
        change(opened);
        loaded = std::move(opened.filter);
    };
    if (format != nullptr) {
        return update(path, *format, change_copy, access.format.parameters);
    }
    std::optional<any_filter> found = open_in_place(path, access);
    if (!found) {
        announce_wait(path);
        return update(path, change_copy, access.decoding());
    }
    opened_filter in_place{std::move(*found)};
    finish_in_place(in_place.filter, [&] { change(in_place); });
}

void finish_in_place(any_filter& mapped, const std::function<void()>& work) {
    const interruption watch(interruption::waiting::stop);
    try {
        work();
    } catch (const interrupted&) {
        mapped.sync(); // here, where a failure can still be told
        throw;
    }
    mapped.sync();
}

std::optional<any_filter> open_in_place(const std::string& path, const access_options& access) {
    if (!changes_in_place(load_header(path).what)) return std::nullopt;
    try {
        return open_to_add(path, access);
    } catch (const unsupported&) {
        // One with a list of exceptions may have taken its place since the header was read.
        if (changes_in_place(load_header(path).what)) throw;
        return std::nullopt;
    }
}

void announce_wait(const std::string& path) {
    if (format::is_being_written(path)) {
        warn(path + " is being written by another process; waiting for it to finish");
    }
}

any_filter open_to_add(const std::string& path, const access_options& access) {
    announce_wait(path);
    const auto tell = [&] {
        warn(path + " was left open by a writer that died; what it had synced is kept, and the "
                    "file is sealed again");
    };
    return map(path, map_mode::read_write, {access.decoding(), if_locked::wait, tell});
}

void new_file::require_free() const {
    if (path == "-") return refuse_terminal();
    std::error_code ignored; // what cannot be looked at cannot be written either, which save tells
    if (!force && std::filesystem::exists(path, ignored)) {
        throw io_error(path + " already exists", std::make_error_code(std::errc::file_exists));
    }
}

void new_file::require_secret(const access_options& access) const {
    if (keep_secret && access.secret_file.empty()) {
        throw bad_argument("--keep-secret needs a secret to keep: give --secret-file");
    }
}

namespace {

if_exists policy_of(const new_file& to) {
    return to.force ? if_exists::replace : if_exists::refuse;
}

} // namespace

void write_filter(const any_filter& made, const new_file& to) {
    const format::encode_options options{to.comment, to.keep_secret};
    if (to.path != "-") {
        if (to.force) announce_wait(to.path);
        return save(made, to.path, policy_of(to), options);
    }
    to_standard_output(
        [&](const format::byte_consumer& write) { format::encode_native(made, write, options); });
}

void write_filter(const any_filter& made, const new_file& to, const format::format_choice& in) {
    if (in.foreign == nullptr) return write_filter(made, to);
    if (to.path != "-") return save(made, to.path, *in.foreign, in.parameters, policy_of(to));
    const std::vector<std::byte> bytes = format::encoded(made, *in.foreign, in.parameters);
    to_standard_output([&](const format::byte_consumer& write) { write(bytes); });
}

std::uint64_t write_filter(const unwritten& made, const new_file& to) {
    if (to.path != "-") {
        if (to.force) announce_wait(to.path);
        return save(made, to.path, policy_of(to));
    }
    refuse_terminal();
    // The header goes out first and must know the number of ones, so the sources are read twice.
    unwritten counted = made;
    counted.header.state = {};
    std::uint64_t& ones = counted.header.state.bits_set;
    ones = format::encode_native(made.header, made.words, [](byte_view /*part*/) {});
    to_standard_output([&](const format::byte_consumer& write) {
        if (format::encode_native(counted.header, made.words, write) != ones) {
            throw bad_data("a filter changed while it was being read; the output is incomplete");
        }
    });
    return ones;
}

bool make_if_missing(const std::string& path, const std::function<any_filter()>& empty) {
    std::error_code failure; // which the opening that follows reports
    if (std::filesystem::exists(path, failure) || failure) return false;
    try {
        write_filter(empty(), {path});
    } catch (const io_error& e) {
        if (e.code() != std::errc::file_exists) throw; // another process made it just now: good
    }
    return true;
}

int judge_fill(const design& made_for, const statistics& now, const std::string& path,
               bool strict) {
    const std::uint64_t capacity = made_for.item_capacity;
    // Three standard errors of grace: a filter filled exactly to its capacity is not overfilled.
    const double surely = now.items.items - 3 * now.items.standard_error;
    if (!now.items.saturated && (capacity == 0 || surely <= static_cast<double>(capacity))) {
        return some;
    }
    const std::string name = path == "-" ? "the filter" : path;
    if (now.items.saturated) {
        warn(name + " is full: every bit is set, and every answer is maybe; make a larger one");
    } else {
        warn(fmt::format(
            "{} {} about {} and was made for {}; its false-positive rate is now {}: make a "
            "larger one",
            name, now.intersected ? "has as many bits set as" : "holds",
            counted(static_cast<std::uint64_t>(std::llround(now.items.items)), "key"),
            grouped(capacity), format_rate(now.expected_rate)));
    }
    return strict ? overfilled : some;
}

} // namespace bloomery::cli
