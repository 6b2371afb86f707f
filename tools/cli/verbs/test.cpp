// bloomery test: is this key in the filter?
#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "output/json_output.hpp"
#include "output/output.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct test_options {
    std::string path;
    std::vector<std::string> keys;
    key_options kind;
    access_options access;
    bool quiet = false;
    bool json = false;
};

int run_test(const test_options& o) {
    const opened_filter asked = read_filter(o.path, o.access);
    const std::vector<std::string_view> texts(o.keys.begin(), o.keys.end());
    const key_options reading = asked.reading(o.kind);
    key_batch keys;
    keys.take(texts, 1, reading, asked.filter);
    bitmap maybe;
    unplaceable_keys without;
    keys.ask(asked.filter, maybe, without);
    output out(STDOUT_FILENO, "standard output");
    for (std::size_t i = 0; i < texts.size() && !o.quiet; ++i) {
        if (o.json) {
            nlohmann::ordered_json line{{"key", texts[i]}, {"maybe", maybe[i]}};
            if (without[i]) line["maybe"] = nullptr;
            out.write(json_line(line));
        } else {
            out.write(without[i] ? "error  " : maybe[i] ? "maybe  " : "no     ");
            out.write_record(texts[i], '\n');
        }
    }
    out.close();
    return judge_places(without, o.path, o.kind, maybe.count() > 0 ? some : none);
}

} // namespace

void add_test(CLI::App& app, int& result) {
    auto o = std::make_shared<test_options>();
    CLI::App* verb = app.add_subcommand("test", "Check whether single keys are in a filter");
    verb->add_option("FILTER", o->path, "The filter; - for standard input")->required();
    verb->add_option("KEY", o->keys, "The keys to look up")->required();
    verb->add_flag("-q,--quiet", o->quiet, "Print nothing; the exit status is the answer");
    add_json_flag(*verb, o->json, "Print a JSON object for each key");
    add_key_kind_option(*verb, o->kind);
    add_skip_option(*verb, o->kind);
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    add_redis_scheme_option(*verb, o->access.redis);
    verb->footer(
        "Exit status: 0 if any key may be in, 1 if all are definitely absent, 2 on error.\n"
        "A key that the original system rejects is reported as an error (in JSON, maybe is "
        "null), and the\n"
        "exit status is 2.\n"
        "Example: bloomery test words.bloom aardvark");
    verb->callback([o, &result] { result = run_test(*o); });
}

} // namespace bloomery::cli
