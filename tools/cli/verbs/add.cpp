// bloomery add: keys into a filter that exists, or is made.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "options/shape_options.hpp"
#include "standard_streams.hpp"
#include "verbs/adding.hpp"
#include "verbs/folding.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct add_options {
    std::string path;
    key_options keys;
    access_options access;
    shape_options shape; ///< of a file that is not there yet
    bool strict = false;
    bool seal = false;
    bool verbose = false;
};

/// Makes the file if -n was given and there is none, so that one command does for a script that may
/// run for the first time.
void make_file(const add_options& o) {
    if (!o.shape.n && !o.shape.p) return;
    if (!o.shape.n) {
        throw bad_argument("-p applies only when a new file is created: give -n too");
    }
    if (o.access.in_redis() || o.access.format.foreign != nullptr) {
        throw bad_argument("add creates only files in bloomery's own format; use bloomery create "
                           "for this one, and leave out -n and -p here");
    }
    shape_options shape = o.shape;
    shape.foldable = o.seal;
    if (make_if_missing(o.path, [&] { return new_filter(shape, o.access.secret()); })) return;
    const std::uint64_t capacity = load_header(o.path).made_for.item_capacity;
    if (capacity != o.shape.n->value) {
        warn(fmt::format("{} was made for {}, and -n does not change that", o.path,
                         counted(capacity, "key")));
    }
}

/// Refuses, before any key is read, what --seal would refuse when all are in.
void check_seal(const add_options& o) {
    if (o.access.in_redis() || !is_native_file(o.path, o.access)) {
        throw unsupported(o.path + " is not a file in bloomery's own format, and cannot be folded: "
                                   "leave out --seal");
    }
    const format::native_header header = load_header(o.path);
    require_sealable(header.what, header.made_for, o.path);
}

int run_add(const add_options& o) {
    const std::vector<input> inputs = open_inputs(o.keys);
    make_file(o);
    if (o.seal) check_seal(o);
    added_keys added;
    int result = some;
    change_filter(o.path, o.access, [&](opened_filter& into) {
        add_keys(into, o.path, "add", inputs, o.keys, added);
        into.filter.sync();
        // A bitmap without a config is not counted: it has half a gigabyte, and nobody knows for
        // how many keys.
        if (o.access.redis.scheme.empty()) result = judge_added(into.filter, o.path, o.strict);
    });
    if (o.seal) {
        announce_wait(o.path);
        update(o.path, [&](any_filter& filled) { seal(filled, o.path); }, o.access.decoding());
    }
    if (o.verbose) {
        warn(fmt::format("read {}, {} of them definitely new to {}", counted(added.read, "key"),
                         grouped(added.fresh), o.path));
    }
    return judge_places(added.without, o.path, o.keys, result);
}

} // namespace

void add_add(CLI::App& app, int& result) {
    auto o = std::make_shared<add_options>();
    CLI::App* verb = app.add_subcommand("add", "Add keys to a filter");
    add_goal_options(*verb, o->shape);
    verb->add_option("FILTER", o->path, "The filter; created for -n keys if it does not exist")
        ->required();
    add_key_options(*verb, o->keys);
    add_skip_option(*verb, o->keys);
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    add_redis_scheme_option(*verb, o->access.redis);
    add_replicas_option(*verb, o->access.redis);
    verb->add_flag("--strict", o->strict, "Exit with 3 if the filter ends up overfilled");
    verb->add_flag("--seal", o->seal, "Fold the filter when all keys are in: see bloomery fold");
    verb->add_flag("-v,--verbose", o->verbose,
                   "Report how many keys were read and how many were new");
    verb->footer(
        "Keys go into the file as they are read, and are on disk when the command ends. If it is "
        "killed,\n"
        "the keys added so far stay; adding all of them again does no harm.\n"
        "A filter in the format of another system, or of a --kind other than bloom, is replaced "
        "when all keys are in.\n"
        "Concurrent adds take turns, and no key is lost; in Redis they run in parallel.\n"
        "Example: bloomery add words.bloom < /usr/share/dict/words\n"
        "         bloomery add -n 10M -p 1% seen.bloom today.txt.gz");
    verb->callback([o, &result] { result = run_add(*o); });
}

} // namespace bloomery::cli
