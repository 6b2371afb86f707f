#include "filter_io.hpp"

#include <bloomery/format/reader.hpp>

#include "command.hpp"
#include "input.hpp"
#include "output.hpp"
#include "quoted.hpp"
#include "units.hpp"
#include "waiting.hpp"
#include "warn.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <utility>

namespace bloomery::cli {

namespace {

void refuse_terminal() {
    if (::isatty(STDOUT_FILENO) == 1) {
        throw bad_argument("a filter is no text for a terminal: name a file, or send it to a pipe");
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
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got = ::read(from.fd(), into.data() + done, into.size() - done);
        if (got < 0 && (errno == EINTR || wait_if_not_ready(from.fd(), POLLIN, errno))) continue;
        if (got < 0) {
            throw io_error("cannot read " + from.name(),
                           std::error_code(errno, std::generic_category()));
        }
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
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
        throw bad_argument(
            fmt::format("{} holds no secret: it must hold 32 hexadecimal digits, such as those of: "
                        "od -An -N16 -tx8 /dev/urandom | tr -d ' '",
                        in_quotes(secret_file)));
    }
    return key;
}

format::decode_options access_options::decoding() const {
    format::decode_options options;
    options.secret = secret();
    return options;
}

void add_access_options(CLI::App& verb, access_options& to) {
    verb.add_option("--secret-file", to.secret_file,
                    "The file with the secret of a keyed filter (32 hexadecimal digits)")
        ->type_name("FILE");
}

any_filter read_filter(const std::string& path, const access_options& access) {
    if (path != "-") return map(path, map_mode::read_only, {access.decoding()});
    const input from = input::open("-");
    const auto next = [&](std::span<std::byte> into) { return read_from(from, into); };
    return naming_standard_input([&] { return format::decode_native(next, access.decoding()); });
}

void announce_wait(const std::string& path) {
    if (format::is_being_written(path)) {
        warn(path + " is being written; waiting for that to end");
    }
}

any_filter open_to_add(const std::string& path, const access_options& access) {
    announce_wait(path);
    const auto tell = [&] {
        warn(path + " was left open by a writer that died; what it had synced is there, and the "
                    "file is sealed again");
    };
    return map(path, map_mode::read_write, {access.decoding(), if_locked::wait, tell});
}

void write_filter(const any_filter& made, const std::string& path, if_exists policy,
                  const format::encode_options& options) {
    if (path != "-") {
        if (policy == if_exists::replace) announce_wait(path);
        return save(made, path, policy, options);
    }
    to_standard_output(
        [&](const format::byte_consumer& write) { format::encode_native(made, write, options); });
}

std::uint64_t write_filter(const unwritten& made, const std::string& path, if_exists policy) {
    if (path != "-") {
        if (policy == if_exists::replace) announce_wait(path);
        return save(made, path, policy);
    }
    refuse_terminal();
    // The header goes out first and must know the number of ones, so the sources are read twice.
    unwritten counted = made;
    counted.header.state = {};
    std::uint64_t& ones = counted.header.state.bits_set;
    ones = format::encode_native(made.header, made.words, [](byte_view /*part*/) {});
    to_standard_output([&](const format::byte_consumer& write) {
        if (format::encode_native(counted.header, made.words, write) != ones) {
            throw bad_data("a filter was added to while it was read twice; what went to standard "
                           "output is not whole");
        }
    });
    return ones;
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
            "{} holds about {} keys and was made for {}; its rate of false positives is "
            "now {}: make a larger one",
            name, format_count(static_cast<std::uint64_t>(std::llround(now.items.items))),
            format_count(capacity), format_rate(now.expected_fpp)));
    }
    return strict ? overfilled : some;
}

} // namespace bloomery::cli
