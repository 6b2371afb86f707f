// bloomery guard: filters in front of databases.
#include <bloomery/detail/text/decimal.hpp>
#include <bloomery/error.hpp>

#include "command.hpp"
#include "demo/demo.hpp"
#include "options/number_options.hpp"
#include "output/json_output.hpp"
#include "verbs/guard_build.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

namespace bloomery::cli {

namespace {

/// A part of a whole, which may be none or more than all: 0.25, 25%.
double parse_percentage(const std::string& text) {
    constexpr double most = 1000;
    std::string_view rest = text;
    std::optional<text::decimal> number = text::take_decimal(rest);
    if (number && rest == "%") {
        number->exponent -= 2;
        rest = {};
    }
    const std::optional<double> share = number ? number->to_double() : std::nullopt;
    if (!share || !rest.empty() || *share > most) {
        throw bad_argument(
            fmt::format("{} is not a share; write one such as 25% or 0.25", in_quotes(text)));
    }
    return *share;
}

void add_build_options(CLI::App& inner, guard_build_options& o) {
    add_number(inner, "-p,--rate", o.shape.p, "P", "False-positive rate (default: 1%)");
    inner
        .add_option_function<std::string>(
            "--headroom", [&o](const std::string& s) { o.headroom = parse_percentage(s); },
            "Room for more keys, as a share of those in the table (default: 25%)")
        ->type_name("SHARE");
    add_layout_option(inner, o.shape);
    add_number(inner, "--seed", o.shape.seed, "N",
               "Hash seed; filters with different seeds have different false positives");
    add_secret_option(inner, o.access);
    inner.add_flag("--keep-secret", o.keep_secret, "Also store the secret in the filter");
    inner.add_option("--comment", o.comment, "A note to store in the file")->type_name("TEXT");
    inner.add_flag("--force", o.force, "Overwrite an existing file");
    add_json_flag(inner, o.json, "Print JSON that says what the filter is and how full it is");
    inner
        .add_option("SOURCE", o.source,
                    "An SQLite database file, or postgresql://USER@HOST:PORT/DATABASE; to hide "
                    "the password from ps, put it in the environment variable PGPASSWORD")
        ->required();
    inner.add_option("TABLE", o.table, "The table, or SCHEMA.TABLE")->required();
    inner.add_option("COLUMN", o.column, "The column with the keys")->required();
    inner.add_option("FILE", o.path, "The file to write; - for standard output")->required();
}

void add_build(CLI::App& verb, int& result) {
    auto o = std::make_shared<guard_build_options>();
    CLI::App* inner = verb.add_subcommand("build", "Build a filter from the keys in a column");
    add_build_options(*inner, *o);
    inner->footer("A key is the value as the database prints it: 7, not 007; for a column of "
                  "bytes, the bytes. NULL is not\n"
                  "a key. The filter is built in memory and written when it is complete.\n"
                  "Example: bloomery guard build shop.db items id items.bloom");
    inner->callback([o, &result] { result = build_filter_of_column(*o); });
}

/// An option that may stand alone: --name, or --name=URL.
void add_server(CLI::App& inner, const char* name, std::optional<std::string>& to,
                const char* what) {
    inner.add_option_function<std::string>(
             name, [&to](const std::string& url) { to = url; }, what)
        ->expected(0, 1)
        ->type_name("URL");
}

void add_demo_options(CLI::App& inner, guard_demo_options& o) {
    add_server(inner, "--postgres", o.postgres,
               "Keep the rows in PostgreSQL instead of SQLite: in the server at this URL, in a "
               "table bloomery_guard_demo that is dropped at the end; without a URL, in a server "
               "that the demo starts and stops");
    add_server(inner, "--redis", o.redis,
               "Use a cache: in the Redis at this URL, where its entries expire; without a URL, "
               "in a server that the demo starts and stops");
    add_number(inner, "--rows", o.rows, "N", "Number of rows to load (default: 1M)");
    add_number(inner, "--requests", o.requests, "N",
               "Maximum number of requests per phase (default: 200k)");
    inner.add_option("--seconds", o.seconds, "Maximum number of seconds per phase (default: 3)")
        ->type_name("S")
        ->check(CLI::Range(0.001, 3600.0));
    inner.add_option("--threads", o.threads, "Number of concurrent clients (default: 4)")
        ->type_name("N")
        ->check(CLI::Range(1U, 64U));
    add_number(inner, "-p,--rate", o.planned, "P", "False-positive rate (default: 1%)");
    add_number(inner, "--seed", o.seed, "N", "Seed for the keys and their order");
    inner.add_option("--keep", o.keep, "Keep the SQLite database in this folder, as demo.db")
        ->type_name("FOLDER");
    add_json_flag(inner, o.json, "Print JSON instead of a table");
}

void add_demo(CLI::App& verb, int& result) {
    auto o = std::make_shared<guard_demo_options>();
    CLI::App* inner =
        verb.add_subcommand("demo", "Show how a filter protects a database under attack");
    add_demo_options(*inner, *o);
    inner->footer("Loads rows, then plays ordinary traffic (5 % of the keys are absent) and an "
                  "attack (95 %),\n"
                  "with and without a guard. All figures are measured.\n"
                  "Example: bloomery guard demo --rows 100k");
    inner->callback([o, &result] {
        play_guard_demo(*o);
        result = some;
    });
}

} // namespace

void add_guard(CLI::App& app, int& result) {
    CLI::App* verb = app.add_subcommand("guard", "Put filters in front of databases");
    verb->require_subcommand(1);
    add_build(*verb, result);
    add_demo(*verb, result);
    verb->footer("docs/guard.md explains how a service uses one.\n"
                 "Example: bloomery guard build shop.db items id items.bloom");
}

} // namespace bloomery::cli
