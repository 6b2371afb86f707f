// bloomery count: how often each key is in a filter that counts.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "json_output.hpp"
#include "keys.hpp"
#include "output.hpp"
#include "units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct count_options {
    std::string path;
    key_options keys;
    access_options access;
    std::uint64_t at_least = 0;
    bool json = false;
    bool skip = false;
};

int run_count(const count_options& o) {
    const opened_filter asked = read_filter(o.path, o.access);
    if (!asked.filter.can_count()) {
        throw unsupported(fmt::format("{}: a filter of the kind {} does not count its keys; make "
                                      "one that does: bloomery create --kind spectral",
                                      o.path, name_of(asked.filter.spec().kind)));
    }
    key_options reading = o.keys;
    reading.kind_of_filter = asked.usual_keys();
    output out(STDOUT_FILENO, "standard output");
    std::vector<std::uint64_t> counts;
    unplaceable_keys without;
    bool found = false;
    const std::vector<input> opened = open_inputs(o.keys);
    for_each_batch(opened, reading, "count", asked.filter, [&](const record_batch& batch) {
        batch.keys.count(asked.filter, counts, without);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] < o.at_least || without[i]) continue;
            found = found || counts[i] > 0;
            if (o.json) {
                out.write(json_line({{"key", batch.records[i]}, {"count", counts[i]}}));
                continue;
            }
            if (o.at_least == 0) out.write(fmt::format("{}\t", counts[i]));
            out.write_record(batch.records[i], o.keys.format.delimiter);
        }
        if (batch.live) out.flush();
        return true;
    });
    out.close();
    return judge_places(without, o.path, o.skip, found ? some : none);
}

} // namespace

void add_count(CLI::App& app, int& result) {
    auto o = std::make_shared<count_options>();
    CLI::App* verb =
        app.add_subcommand("count", "Print how often keys are in a filter that counts");
    verb->add_option("FILTER", o->path, "The filter")->required();
    verb->add_option_function<std::string>(
            "--at-least", [o](const std::string& s) { o->at_least = parse_count(s); },
            "Print only the lines whose key is in so often, and no counts")
        ->type_name("N");
    add_json_flag(*verb, o->json, "Print an object for each line");
    add_key_options(*verb, o->keys);
    add_skip_option(*verb, o->skip);
    add_access_options(*verb, o->access);
    verb->footer(
        "Prints the count, a tab and the line. A count is the true one or, at the filter's rate, "
        "more.\n"
        "Exit status: 0 if some key was counted, 1 if none, 2 for trouble.\n"
        "Example: bloomery count visits.bloom < users.txt");
    verb->callback([o, &result] { result = run_count(*o); });
}

} // namespace bloomery::cli
