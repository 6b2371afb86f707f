// bloomery add: keys into a filter that exists.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_excepted.hpp>
#include <bloomery/redis/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "keys.hpp"
#include "units.hpp"
#include "warn.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct add_options {
    std::string path;
    key_options keys;
    access_options access;
    bool strict = false;
    bool verbose = false;
    bool skip = false;
};

/// Whether there may be too many keys. A bitmap without a config is not counted: it has half a
/// gigabyte, and nobody knows what for.
bool has_capacity(const any_filter& of, const add_options& o) {
    const filter_kind kind = without_exceptions(of).spec().kind;
    return kind != filter_kind::scalable && kind != filter_kind::window &&
           o.access.redis.scheme.empty();
}

int run_add(const add_options& o) {
    const std::vector<input> inputs = open_inputs(o.keys);
    std::uint64_t keys = 0;
    std::uint64_t fresh = 0;
    bitmap new_ones;
    unplaceable_keys without;
    int result = some;
    change_filter(o.path, o.access, [&](opened_filter& into) {
        if (without_exceptions(into.filter).spec().kind == filter_kind::cascade) {
            throw unsupported(o.path + ": a cascade cannot take in another key; build it again, "
                                       "with bloomery cascade, from all of its keys");
        }
        key_options reading = o.keys;
        reading.kind_of_filter = into.usual_keys();
        for_each_batch(inputs, reading, "add", into.filter, [&](const record_batch& batch) {
            keys += batch.records.size();
            try {
                batch.keys.try_insert(into.filter, new_ones, without);
            } catch (const filter_full& e) {
                throw filter_full(fmt::format("{}: {}; nothing was added", o.path, e.what()));
            } catch (const redis::unreachable& e) {
                throw redis::unreachable(fmt::format("{}; {} keys before these are in", e.what(),
                                                     format_count(keys - batch.records.size())));
            }
            fresh += new_ones.count();
            return true;
        });
        into.filter.sync();
        if (has_capacity(into.filter, o)) {
            result = judge_fill(into.filter.made_for(), into.filter.stats(), o.path, o.strict);
        }
    });
    if (o.verbose) {
        warn(fmt::format("read {} keys, {} of them surely new to {}", format_count(keys),
                         format_count(fresh), o.path));
    }
    return judge_places(without, o.path, o.skip, result);
}

} // namespace

void add_add(CLI::App& app, int& result) {
    auto o = std::make_shared<add_options>();
    CLI::App* verb = app.add_subcommand("add", "Add keys to a filter");
    verb->add_option("FILTER", o->path, "The filter")->required();
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
        "Example: bloomery add words.bloom < /usr/share/dict/words");
    verb->callback([o, &result] { result = run_add(*o); });
}

} // namespace bloomery::cli
