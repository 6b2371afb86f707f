// bloomery convert: the same bits in the file of another system.
#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "output/json_output.hpp"
#include "verbs/info_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct convert_options : new_file {
    std::string from;
    access_options access;
    format::format_choice target;
    bool json = false;
};

/// What makes a new filter instead of one that cannot be had from the old.
std::string way_out(const format::foreign_format* wanted) {
    if (wanted == nullptr || wanted->create == nullptr) return "";
    return fmt::format(" (bloomery create --format {} makes one)", wanted->name);
}

int run_convert(const convert_options& o) {
    keep_output_for_json(o.json, o.path);
    const opened_filter source = read_filter(o.from, o.access);
    format::format_choice target = o.target;
    // What was given for the source need not be given again.
    if (!target.parameters.n) target.parameters.n = o.access.format.parameters.n;
    if (!target.parameters.p) target.parameters.p = o.access.format.parameters.p;
    try {
        write_filter(source.filter, o, target);
    } catch (const incompatible& e) {
        throw incompatible(fmt::format("{} ({}) cannot be converted to {}: {}{}", o.from,
                                       name_of(source.format), name_of(target.foreign), e.what(),
                                       way_out(target.foreign)));
    }
    if (o.json) {
        nlohmann::ordered_json out{{"from", o.from},
                                   {"from_format", name_of(source.format)},
                                   {"to", o.path},
                                   {"to_format", name_of(target.foreign)}};
        out.update(filter_facts(source.filter));
        fmt::print("{}", json_page(out));
    }
    return some;
}

} // namespace

void add_convert(CLI::App& app, int& result) {
    auto o = std::make_shared<convert_options>();
    CLI::App* verb = app.add_subcommand("convert", "Write a filter in another format");
    verb->add_option("FROM", o->from, "The filter; - for standard input")->required();
    verb->add_option("TO", o->path, "The file to write; - for standard output")->required();
    verb->add_option_function<std::string>(
            "--to",
            [o = o.get()](const std::string& text) { o->target = format::parse_format(text); },
            "The format to write: native, or one of those that bloomery formats lists")
        ->type_name("FORMAT[,PARAMETER=VALUE...]")
        ->required();
    verb->add_flag("--force", o->force, "Overwrite an existing file");
    add_json_flag(*verb, o->json, "Print JSON that says what was written");
    add_access_options(*verb, o->access);
    verb->footer("The bits are copied, so the two formats must use the same hash: guava and "
                 "guava-java;\n"
                 "go, go-json and go-gob; and native, which keeps the hash of any. A filter with "
                 "another hash has to\n"
                 "be rebuilt from the keys: create it and add them.\n"
                 "Example: bloomery convert --to go-json seen.bin seen.json");
    verb->callback([o, &result] { result = run_convert(*o); });
}

} // namespace bloomery::cli
