// bloomery verify: is the file whole?
#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "output/json_output.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct verify_options {
    std::vector<std::string> paths;
    access_options access;
    bool quiet = false;
    bool recover = false;
    bool json = false;
};

std::string damage(const std::vector<std::uint64_t>& chunks, const format::native_header& header) {
    constexpr std::size_t most = 10;
    if (chunks.size() == 1) {
        return format::name_of_chunk(header, chunks.front()) + " does not match its checksum";
    }
    const auto shown = chunks.begin() + static_cast<std::ptrdiff_t>(std::min(most, chunks.size()));
    return fmt::format(
        "{} of its {} chunks of {} bytes do not match their checksums: {}{}", chunks.size(),
        header.chunk_count(), format::native_chunk_bytes, fmt::join(chunks.begin(), shown, ", "),
        chunks.size() > most ? fmt::format(" and {} more", chunks.size() - most) : "");
}

/// What is right with a file.
struct verdict {
    std::string format = "native";
    bool sealed = true;
    bool being_written = false;
    std::uint64_t chunks = 0; ///< with checksums of their own: only native files have them
    std::uint64_t unsealed_chunks = 0;
};

/// Throws bad_data with what is wrong.
verdict checked(const std::string& path, const access_options& access) {
    if (path == "-" || !is_native_file(path, access)) {
        const opened_filter read = read_filter(path, access); // reading checks everything
        return {std::string(name_of(read.format))};
    }
    const format::verification found = format::verify(path, access.decoding());
    if (!found.damaged_chunks.empty()) {
        throw bad_data(fmt::format("{}: the filter is damaged: {}; restore it from a copy", path,
                                   damage(found.damaged_chunks, found.header)));
    }
    if (!changes_in_place(found.header.what)) {
        // What the words of other kinds say to each other is checked when they are read.
        static_cast<void>(load(path, access.decoding()));
    }
    return {"native", found.header.state.sealed, found.being_written, found.header.chunk_count(),
            found.unsealed_chunks};
}

/// In a few words.
std::string verdict_text(const verdict& of) {
    if (of.format != "native") {
        return fmt::format("ok, as far as a file of the format {} can be checked", of.format);
    }
    if (of.sealed) return "ok";
    return fmt::format("ok, but {}: {} of {} {} no checksum yet",
                       of.being_written ? "being written" : "left open by a writer that died",
                       grouped(of.unsealed_chunks), counted(of.chunks, "chunk"),
                       of.unsealed_chunks == 1 ? "has" : "have");
}

std::string verdict_json(const std::string& path, const verdict& of) {
    return json_line({{"file", path},
                      {"ok", true},
                      {"format", of.format},
                      {"sealed", of.sealed},
                      {"being_written", of.being_written},
                      {"chunks", of.chunks},
                      {"unsealed_chunks", of.unsealed_chunks}});
}

int run_verify(const verify_options& o) {
    int result = some;
    for (const std::string& path : o.paths) {
        try {
            if (o.recover && path != "-" && is_native_file(path, o.access) &&
                changes_in_place(load_header(path).what)) {
                static_cast<void>(open_to_add(path, o.access));
            }
            const verdict found = checked(path, o.access);
            if (o.quiet) continue;
            fmt::print("{}", o.json ? verdict_json(path, found)
                                    : fmt::format("{}: {}\n", path, verdict_text(found)));
        } catch (const bloomery::error& e) {
            if (o.json) {
                fmt::print("{}", json_line({{"file", path}, {"ok", false}, {"error", e.what()}}));
            }
            warn(e.what());
            result = trouble;
        }
    }
    return result;
}

} // namespace

void add_verify(CLI::App& app, int& result) {
    auto o = std::make_shared<verify_options>();
    CLI::App* verb = app.add_subcommand("verify", "Check every checksum and invariant of a filter");
    verb->add_option("FILTER", o->paths, "The filters; - for standard input")->required();
    verb->add_flag("-q,--quiet", o->quiet, "Print nothing for intact filters");
    verb->add_flag("--recover", o->recover,
                   "Seal a file that a writer left open when it died, as the next add would");
    add_json_flag(*verb, o->json, "Print a JSON object for each filter");
    add_access_options(*verb, o->access);
    verb->footer("Exit status: 0 if all are intact, 2 if any is not.\n"
                 "Example: bloomery verify *.bloom");
    verb->callback([o, &result] { result = run_verify(*o); });
}

} // namespace bloomery::cli
