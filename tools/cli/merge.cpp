// bloomery merge and intersect: one filter out of several.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct options {
    std::vector<std::string> paths;
    std::string target;
    access_options access;
    bool force = false;
    bool strict = false;
};

using operation = void (any_filter::*)(const any_filter&);

any_filter combined(const options& o, operation combine) {
    any_filter result = read_filter(o.paths.front(), o.access);
    for (std::size_t i = 1; i < o.paths.size(); ++i) {
        const any_filter next = read_filter(o.paths[i], o.access);
        try {
            (result.*combine)(next);
        } catch (const incompatible& e) {
            throw incompatible(fmt::format("{} and {}: {}", o.paths.front(), o.paths[i], e.what()));
        }
    }
    return result;
}

// A filter that is replaced may be one of those that go into it, and others may be adding to it:
// the lock of an update keeps them out from the first reading on.
int replace(const options& o, operation combine) {
    int status = some;
    const auto become = [&](any_filter& target) {
        target = combined(o, combine);
        status = judge_fill(target, o.target, o.strict);
    };
    update(o.target, become, o.access.decoding());
    return status;
}

bool is_filter(const std::string& path) {
    try {
        static_cast<void>(load_header(path));
        return true;
    } catch (const bloomery::error&) {
        return false;
    }
}

int run(const options& o, operation combine) {
    if (o.force && o.target != "-" && is_filter(o.target)) return replace(o, combine);
    const any_filter result = combined(o, combine);
    const int status = judge_fill(result, o.target, o.strict);
    write_filter(result, o.target, o.force ? if_exists::replace : if_exists::refuse);
    return status;
}

void add_combining(CLI::App& app, int& result, const char* name, const char* what,
                   const char* footer, operation combine) {
    auto o = std::make_shared<options>();
    CLI::App* verb = app.add_subcommand(name, what);
    verb->add_option("FILTER", o->paths, "The filters")->required()->expected(1, -1);
    verb->add_option("-o,--output", o->target, "The file to make; - for standard output")
        ->type_name("FILE")
        ->required();
    verb->add_flag("--force", o->force, "Replace a file that is already there");
    verb->add_flag("--strict", o->strict, "Exit with 3 if the result is overfilled");
    add_access_options(*verb, o->access);
    verb->footer(footer);
    verb->callback([o, &result, combine] { result = run(*o, combine); });
}

} // namespace

void add_merge(CLI::App& app, int& result) {
    add_combining(
        app, result, "merge", "Make the filter of all keys of several filters",
        "The filters must have the same size, hashes and seed. The result is, bit for bit, "
        "the filter\nthat adding all keys to one would have made.\n"
        "Example: bloomery merge mon.bloom tue.bloom -o week.bloom",
        &any_filter::merge);
}

void add_intersect(CLI::App& app, int& result) {
    add_combining(app, result, "intersect", "Make a filter of the keys that are in all of several",
                  "It holds every common key, but errs more often than a filter made of the common "
                  "keys would.\n"
                  "Example: bloomery intersect mine.bloom yours.bloom -o both.bloom",
                  &any_filter::intersect);
}

} // namespace bloomery::cli
