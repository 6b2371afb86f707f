// bloomery count: how often each key is in a filter that counts.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "options/number_options.hpp"
#include "output/json_output.hpp"
#include "output/output.hpp"

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
};

int run_count(const count_options& o) {
    const opened_filter asked = read_filter(o.path, o.access);
    if (!asked.filter.can_count()) {
        throw unsupported(fmt::format("{}: a filter of the kind {} does not count its keys; make "
                                      "one that does: bloomery create --kind spectral",
                                      o.path, name_of(asked.filter.spec().kind)));
    }
    const key_options reading = asked.reading(o.keys);
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
    return judge_places(without, o.path, o.keys, found ? some : none);
}

} // namespace

void add_count(CLI::App& app, int& result) {
    auto o = std::make_shared<count_options>();
    CLI::App* verb =
        app.add_subcommand("count", "Print how often keys were added to a filter that counts");
    verb->add_option("FILTER", o->path, "The filter")->required();
    add_number(*verb, "--at-least", o->at_least, "N",
               "Print only the lines whose key was added at least N times, without counts");
    add_json_flag(*verb, o->json, "Print a JSON object for each line");
    add_key_options(*verb, o->keys);
    add_skip_option(*verb, o->keys);
    add_access_options(*verb, o->access);
    verb->footer("Prints the count, a tab and the line. A count is exact or, at the filter's "
                 "false-positive rate, too high.\n"
                 "Exit status: 0 if any key was found, 1 if none, 2 on error.\n"
                 "Example: bloomery count visits.bloom < users.txt");
    verb->callback([o, &result] { result = run_count(*o); });
}

} // namespace bloomery::cli
