// bloomery remove: keys out of a filter of a kind that lets them go.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "output/json_output.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct remove_options {
    std::string path;
    key_options keys;
    access_options access;
    bool verbose = false;
    bool json = false;
};

int run_remove(const remove_options& o) {
    const std::vector<input> inputs = open_inputs(o.keys);
    std::uint64_t keys = 0;
    std::uint64_t gone = 0;
    bitmap erased;
    unplaceable_keys without;
    change_filter(o.path, o.access, [&](opened_filter& from) {
        if (!from.filter.can_erase()) {
            throw unsupported(fmt::format(
                "{}: a filter of the kind {} cannot remove keys; create one that can, such as "
                "with bloomery create --kind counting, or build it again without them",
                o.path, name_of(from.filter.spec().kind)));
        }
        const key_options reading = from.reading(o.keys);
        for_each_batch(inputs, reading, "remove", from.filter, [&](const record_batch& batch) {
            batch.keys.erase(from.filter, erased, without);
            keys += batch.records.size() - without.in_batch();
            gone += erased.count();
            return true;
        });
    });
    if (o.json) {
        fmt::print(
            "{}",
            json_page(
                {{"filter", o.path}, {"keys", keys}, {"removed", gone}, {"absent", keys - gone}}));
    } else if (gone != keys) {
        warn(fmt::format("{} of {} {} not in {} and changed nothing", grouped(keys - gone),
                         counted(keys, "key"), keys - gone == 1 ? "was" : "were", o.path));
    } else if (o.verbose) {
        warn(fmt::format("removed {} from {}", counted(gone, "key"), o.path));
    }
    return judge_places(without, o.path, o.keys, gone > 0 || keys == 0 ? some : none);
}

} // namespace

void add_remove(CLI::App& app, int& result) {
    auto o = std::make_shared<remove_options>();
    CLI::App* verb =
        app.add_subcommand("remove", "Remove keys from a filter of a kind that allows it");
    verb->add_option("FILTER", o->path, "The filter")->required();
    add_key_options(*verb, o->keys);
    add_skip_option(*verb, o->keys);
    add_access_options(*verb, o->access);
    verb->add_flag("-v,--verbose", o->verbose, "Report how many keys were removed");
    add_json_flag(*verb, o->json, "Print JSON that says how many keys were removed");
    verb->footer(
        "For filters made with --kind counting, spectral, dynamic-count, dleft or accurate.\n"
        "Remove only keys that were added, and only as often as they were added: removing a "
        "false positive\n"
        "damages other keys, which may then be reported as absent.\n"
        "Exit status: 0 if any key was removed, 1 if none was in, 2 on error, when\n"
        "nothing has changed.\n"
        "Example: bloomery remove sessions.bloom < ended.txt");
    verb->callback([o, &result] { result = run_remove(*o); });
}

} // namespace bloomery::cli
