// bloomery add: keys into a filter that exists, or is made.
#include <bloomery/error.hpp>

#include "adding.hpp"
#include "command.hpp"
#include "filter_io.hpp"
#include "keys.hpp"
#include "shape_options.hpp"
#include "units.hpp"
#include "warn.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace bloomery::cli {

namespace {

struct add_options {
    std::string path;
    key_options keys;
    access_options access;
    shape_options shape; ///< of a file that is not there yet
    bool strict = false;
    bool verbose = false;
    bool skip = false;
};

/// Makes the file if -n was given and there is none, so that one command does for a script that may
/// run for the first time.
void make_if_missing(const add_options& o) {
    if (!o.shape.n && !o.shape.p) return;
    if (!o.shape.n) {
        throw bad_argument("-p is the rate of a file that is made if there is none: give -n too");
    }
    if (o.access.in_redis() || o.access.format.foreign != nullptr) {
        throw bad_argument("add makes files of our own format; make this one with bloomery create, "
                           "and leave -n and -p out here");
    }
    std::error_code failure; // which the opening that follows will tell of
    if (std::filesystem::exists(o.path, failure) || failure) {
        const std::uint64_t capacity = load_header(o.path).made_for.item_capacity;
        if (capacity != o.shape.n->value) {
            warn(fmt::format("{} was made for {}, and -n does not change that", o.path,
                             counted(capacity, "key")));
        }
        return;
    }
    try {
        write_filter(new_filter(o.shape, o.access.secret()), o.path, if_exists::refuse);
    } catch (const io_error& e) {
        if (e.code() != std::errc::file_exists) throw; // another add made it just now: good
    }
}

int run_add(const add_options& o) {
    const std::vector<input> inputs = open_inputs(o.keys);
    make_if_missing(o);
    added_keys added;
    int result = some;
    change_filter(o.path, o.access, [&](opened_filter& into) {
        add_keys(into, o.path, "add", inputs, o.keys, added);
        into.filter.sync();
        // A bitmap without a config is not counted: it has half a gigabyte, and nobody knows for
        // how many keys.
        if (o.access.redis.scheme.empty()) result = judge_added(into.filter, o.path, o.strict);
    });
    if (o.verbose) {
        warn(fmt::format("read {}, {} of them surely new to {}", counted(added.read, "key"),
                         format_count(added.fresh), o.path));
    }
    return judge_places(added.without, o.path, o.skip, result);
}

} // namespace

void add_add(CLI::App& app, int& result) {
    auto o = std::make_shared<add_options>();
    CLI::App* verb = app.add_subcommand("add", "Add keys to a filter");
    add_goal_options(*verb, o->shape);
    verb->add_option("FILTER", o->path, "The filter; made for -n keys if there is none")
        ->required();
    add_key_options(*verb, o->keys);
    add_skip_option(*verb, o->skip);
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    add_redis_scheme_option(*verb, o->access.redis);
    add_replicas_option(*verb, o->access.redis);
    verb->add_flag("--strict", o->strict, "Exit with 3 if the filter is then overfilled");
    verb->add_flag("-v,--verbose", o->verbose, "Say how many keys were read and how many were new");
    verb->footer(
        "Keys go into the file as they are read, and are on the disk when the command "
        "ends. One that\nis killed keeps those that went in; to add all of them again does no "
        "harm.\n"
        "A filter in the format of another system, or of another --kind than bloom, is replaced "
        "when all keys are in.\n"
        "Several adds at once take turns, and none loses a key; in Redis they work side by "
        "side.\n"
        "Example: bloomery add words.bloom < /usr/share/dict/words\n"
        "         bloomery add -n 10M -p 1% seen.bloom today.txt.gz");
    verb->callback([o, &result] { result = run_add(*o); });
}

} // namespace bloomery::cli
