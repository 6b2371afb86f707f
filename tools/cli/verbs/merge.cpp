// bloomery merge and intersect: one filter out of several.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/format/native.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "output/json_output.hpp"
#include "verbs/info_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct merge_options : new_file {
    std::vector<std::string> paths;
    access_options access;
    bool strict = false;
    bool json = false;
};

using operation = std::uint64_t (*)(std::uint64_t, std::uint64_t);
using void_operation = void (any_filter::*)(const any_filter&);

incompatible cannot_combine(const std::string& a, const std::string& b,
                            const compatibility& verdict) {
    return incompatible(fmt::format("{} and {} cannot be combined: {}", a, b, verdict.reason));
}

/// A filter whose words are read piece by piece: a file, or what came through a pipe.
unwritten open_words(const std::string& path, const access_options& access) {
    if (path == "-" || !is_native_file(path, access)) {
        auto piped = std::make_shared<const any_filter>(read_filter(path, access).filter);
        return {format::header_of(*piped),
                [piped, words = format::words_of(piped->words())](
                    std::uint64_t first, std::span<std::uint64_t> into) { words(first, into); }};
    }
    auto file = std::make_shared<format::native_reader>(path, access.decoding());
    return {file->header(), [file](std::uint64_t first, std::span<std::uint64_t> into) {
                file->read(first, into);
            }};
}

/// How filters are combined: word by word, or in memory by the filter itself.
struct combination {
    operation words;
    void_operation whole;
    bool intersects;
};

/// All of them at once, a piece at a time: the filters may be larger than the memory.
unwritten combined(const merge_options& o, const combination& how) {
    std::vector<unwritten> sources;
    for (const std::string& path : o.paths) {
        sources.push_back(open_words(path, o.access));
        const compatibility verdict =
            compare(sources.front().header.what, sources.back().header.what);
        if (!verdict) {
            throw cannot_combine(o.paths.front(), path, verdict);
        }
    }
    if (sources.front().header.what.kind != filter_kind::bloom) {
        throw unsupported(fmt::format("filters of the kind {} can be combined from files only, not "
                                      "from standard input",
                                      name_of(sources.front().header.what.kind)));
    }
    unwritten result = sources.front();
    result.header.comment.clear();
    result.header.secret.reset();
    result.header.made_for.intersected =
        how.intersects ? sources.size() > 1 || result.header.made_for.intersected
                       : std::ranges::any_of(sources, [](const unwritten& each) {
                             return each.header.made_for.intersected;
                         });
    result.words = [sources, combine = how.words, piece = std::vector<std::uint64_t>()](
                       std::uint64_t first, std::span<std::uint64_t> into) mutable {
        sources.front().words(first, into);
        piece.resize(into.size());
        for (std::size_t i = 1; i < sources.size(); ++i) {
            sources[i].words(first, piece);
            std::ranges::transform(into, piece, into.begin(), combine);
        }
    };
    return result;
}

bool is_filter(const std::string& path) {
    try {
        static_cast<void>(load_header(path));
        return true;
    } catch (const bloomery::error&) {
        return false;
    }
}

/// A filter with a list of exceptions is combined with one without as if that had an empty one.
void give_list_if_other_has(any_filter& to, const any_filter& other) {
    const auto has_list = [](const any_filter& of) { return of.get_if<any_excepted>() != nullptr; };
    if (has_list(other) && !has_list(to)) {
        to = with_exceptions(any_filter(to)); // a copy: what is mapped here cannot be changed
    }
}

/// One filter out of all, which are in memory whole; the format is the first one's.
opened_filter combined_in_memory(const merge_options& o, void_operation combine) {
    opened_filter result = read_filter(o.paths.front(), o.access);
    for (std::size_t i = 1; i < o.paths.size(); ++i) {
        opened_filter next = read_filter(o.paths[i], o.access);
        give_list_if_other_has(result.filter, next.filter);
        give_list_if_other_has(next.filter, result.filter);
        if (const compatibility verdict = result.filter.compatible_with(next.filter); !verdict) {
            throw cannot_combine(o.paths.front(), o.paths[i], verdict);
        }
        (result.filter.*combine)(next.filter);
    }
    return result;
}

/// Says what came of it, if somebody wants to know; the exit status.
int told(const merge_options& o, const spec& what, const design& made_for, const statistics& now) {
    if (o.json) {
        nlohmann::ordered_json out{{"output", o.path}, {"filters", o.paths.size()}};
        out.update(filter_facts({what, made_for, now, what.shape.byte_count()}));
        fmt::print("{}", json_page(out));
    }
    return judge_fill(made_for, now, o.path, o.strict);
}

/// Filters of another system, and of kinds that are more than bits.
int run_in_memory(const merge_options& o, void_operation combine, bool in_its_place) {
    std::unique_ptr<const opened_filter> result;
    const auto make = [&] {
        result = std::make_unique<const opened_filter>(combined_in_memory(o, combine));
    };
    if (in_its_place && is_native_file(o.paths.front(), o.access)) {
        rewrite(o.path, [&] {
            make();
            return unwritten{format::header_of(result->filter), format::words_of(result->filter)};
        });
    } else {
        make();
        write_filter(result->filter, o,
                     format::format_choice{true, result->format, o.access.format.parameters});
    }
    return told(o, result->filter.spec(), result->filter.made_for(), result->filter.stats());
}

/// The kind of filter in a native file; nothing for another file, or a pipe.
std::optional<filter_kind> native_kind(const std::string& path, const access_options& access) {
    if (path == "-" || !is_native_file(path, access)) return std::nullopt;
    return load_header(path).what.kind;
}

int run_merge(const merge_options& o, const combination& how) {
    if (std::ranges::count(o.paths, "-") > 1) {
        throw bad_argument("only one filter can come from standard input; name files for the "
                           "others");
    }
    keep_output_for_json(o.json, o.path);
    // A filter that is replaced may be one of those that go into it, and others may be adding to
    // it: they are kept out from the first reading on.
    const bool in_its_place = o.force && o.path != "-" && is_filter(o.path);
    if (in_its_place) announce_wait(o.path);
    // An array of bits is read piece by piece; a list of exceptions is combined too.
    const std::string& first = o.paths.front();
    const bool in_pieces = first == "-" || native_kind(first, o.access) == filter_kind::bloom;
    const bool has_list = std::ranges::any_of(o.paths, [&](const std::string& path) {
        return native_kind(path, o.access) == filter_kind::excepted;
    });
    if (!in_pieces || has_list) {
        return run_in_memory(o, how.whole, in_its_place);
    }
    design made_for;
    spec what;
    const auto make = [&] {
        unwritten made = combined(o, how);
        made_for = made.header.made_for;
        what = made.header.what;
        return made;
    };
    const std::uint64_t ones = in_its_place ? rewrite(o.path, make) : write_filter(make(), o);
    statistics now = statistics_of(what.shape, ones);
    now.intersected = made_for.intersected;
    return told(o, what, made_for, now);
}

void add_combining(CLI::App& app, int& result, const char* name, const char* what,
                   const char* footer, const combination& how) {
    auto o = std::make_shared<merge_options>();
    CLI::App* verb = app.add_subcommand(name, what);
    verb->add_option("FILTER", o->paths, "The filters")->required()->expected(1, -1);
    verb->add_option("-o,--output", o->path, "The file to write; - for standard output")
        ->type_name("FILE")
        ->required();
    verb->add_flag("--force", o->force, "Overwrite an existing file");
    verb->add_flag("--strict", o->strict, "Exit with 3 if the result is overfilled");
    add_json_flag(*verb, o->json, "Print JSON that says what the result is and how full it is");
    add_access_options(*verb, o->access);
    verb->footer(footer);
    verb->callback([o, &result, how] { result = run_merge(*o, how); });
}

} // namespace

void add_merge(CLI::App& app, int& result) {
    add_combining(
        app, result, "merge", "Merge filters: the result holds the keys of all of them",
        "The filters must have the same size, hashes and seed. The result is the same, bit for\n"
        "bit, as if all keys had been added to one filter.\n"
        "Example: bloomery merge mon.bloom tue.bloom -o week.bloom",
        {[](std::uint64_t a, std::uint64_t b) { return a | b; }, &any_filter::merge, false});
}

void add_intersect(CLI::App& app, int& result) {
    add_combining(
        app, result, "intersect",
        "Intersect filters: the result holds the keys that are in all of them",
        "The result holds every common key, but has more false positives than a filter built "
        "from the\n"
        "common keys, and its bits no longer show how many keys are in it; info says so.\n"
        "Example: bloomery intersect mine.bloom yours.bloom -o both.bloom",
        {[](std::uint64_t a, std::uint64_t b) { return a & b; }, &any_filter::intersect, true});
}

} // namespace bloomery::cli
