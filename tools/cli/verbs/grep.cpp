// bloomery grep: the lines whose key may be in the filter, or those whose key definitely is not.
#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "output/json_output.hpp"
#include "output/output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct grep_options {
    std::string path;
    key_options keys;
    access_options access;
    bool invert = false;
    bool count = false;
    bool quiet = false;
    bool number = false;
    bool json = false;
};

void write_numbered(output& out, const record_batch& batch, const bitmap& maybe,
                    std::uint64_t before, const grep_options& o) {
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
        if (maybe[i] == o.invert) continue;
        if (o.json) {
            out.write(json_line({{"line", before + i + 1}, {"text", batch.records[i]}}));
            continue;
        }
        out.write(fmt::format("{}:", before + i + 1));
        out.write_record(batch.records[i], o.keys.format.delimiter);
    }
}

/// A key without a place is selected neither way: the original cannot be asked for it. Without -v
/// its bit is clear already.
void set_all(bitmap& bits, const unplaceable_keys& found) {
    for (std::size_t i = 0; i < bits.bit_count(); ++i) {
        if (found[i]) bits.set(i);
    }
}

int run_grep(const grep_options& o) {
    const auto& inputs = o.keys.inputs;
    const bool keys_on_stdin = inputs.empty() || std::ranges::count(inputs, "-") > 0;
    if (o.path == "-" && keys_on_stdin) {
        throw bad_argument("standard input cannot be both the filter and the keys; name a file for "
                           "one of them");
    }
    const opened_filter asked = read_filter(o.path, o.access);
    const key_options reading = asked.reading(o.keys);
    output out(STDOUT_FILENO, "standard output");
    bitmap maybe;
    unplaceable_keys without;
    std::uint64_t records = 0;
    std::uint64_t found = 0;
    const std::vector<input> opened = open_inputs(o.keys);
    for_each_batch(opened, reading, "grep", asked.filter, [&](const record_batch& batch) {
        batch.keys.ask(asked.filter, maybe, without);
        if (o.invert && without.in_batch() > 0) set_all(maybe, without);
        found += o.invert ? batch.records.size() - maybe.count() : maybe.count();
        if (o.quiet) return found == 0; // the first one decides
        if ((o.number || o.json) && !o.count) {
            write_numbered(out, batch, maybe, records, o);
        } else if (!o.count) {
            write_selected(out, batch.records, maybe, !o.invert, o.keys.format.delimiter);
        }
        if (batch.live) out.flush();
        records += batch.records.size();
        return true;
    });
    if (o.count && !o.quiet) {
        out.write(o.json ? json_line({{"selected", found}, {"lines", records}})
                         : fmt::format("{}\n", found));
    }
    out.close();
    if (o.quiet && found > 0) return some; // as of grep(1), whatever else there was
    return judge_places(without, o.path, o.keys, found > 0 ? some : none);
}

} // namespace

void add_grep(CLI::App& app, int& result) {
    auto o = std::make_shared<grep_options>();
    CLI::App* verb = app.add_subcommand("grep", "Print the lines whose key may be in a filter");
    verb->add_option("FILTER", o->path, "The filter; - for standard input")->required();
    verb->add_flag("-v,--invert-match", o->invert,
                   "Print the lines whose key is definitely absent");
    verb->add_flag("-c,--count", o->count, "Print only the number of lines");
    verb->add_flag("-q,--quiet", o->quiet, "Print nothing; stop at the first match");
    verb->add_flag("-n,--line-number", o->number, "Print the line number before each line");
    add_json_flag(*verb, o->json,
                  "Print a JSON object for each line, with its number; with -c, one with the "
                  "counts");
    add_key_options(*verb, o->keys);
    add_skip_option(*verb, o->keys);
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    add_redis_scheme_option(*verb, o->access.redis);
    verb->footer("Exit status: 0 if any line was selected, 1 if none, 2 on error.\n"
                 "A key that the original system rejects is never selected, not even with -v; "
                 "all others are\n"
                 "answered, and the exit status is 2.\n"
                 "Example: bloomery grep -v words.bloom < essay.words");
    verb->callback([o, &result] { result = run_grep(*o); });
}

} // namespace bloomery::cli
