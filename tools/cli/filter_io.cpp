#include "filter_io.hpp"

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

namespace bloomery::cli {

std::vector<std::byte> read_standard_input() {
    const input from = input::open("-");
    std::vector<std::byte> content;
    std::size_t used = 0;
    for (;;) {
        if (content.size() - used < (64U << 10U)) content.resize(content.size() * 2 + (1U << 20U));
        const ssize_t got = ::read(from.fd(), content.data() + used, content.size() - used);
        if (got < 0 && (errno == EINTR || wait_if_not_ready(from.fd(), POLLIN, errno))) continue;
        if (got < 0) {
            throw io_error("cannot read " + from.name(),
                           std::error_code(errno, std::generic_category()));
        }
        if (got == 0) break;
        used += static_cast<std::size_t>(got);
    }
    content.resize(used);
    return content;
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
    if (path != "-") return load(path, access.decoding());
    const std::vector<std::byte> content = read_standard_input();
    try {
        return format::decode_native(content, access.decoding());
    } catch (const bad_data& e) {
        throw bad_data(std::string("standard input: ") + e.what());
    } catch (const unsupported& e) {
        throw unsupported(std::string("standard input: ") + e.what());
    }
}

void write_filter(const any_filter& made, const std::string& path, if_exists policy,
                  const std::string& comment) {
    if (path != "-") return save(made, path, policy, comment);
    if (::isatty(STDOUT_FILENO) == 1) {
        throw bad_argument("a filter is no text for a terminal: name a file, or send it to a pipe");
    }
    output out(STDOUT_FILENO, "standard output");
    format::encode_native(
        made,
        [&](byte_view part) {
            out.write({reinterpret_cast<const char*>(part.data()), part.size()}); // NOLINT
        },
        comment);
    out.close();
}

int judge_fill(const any_filter& filled, const std::string& path, bool strict) {
    const std::uint64_t capacity = filled.made_for().item_capacity;
    const statistics now = filled.stats();
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
