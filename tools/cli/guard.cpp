// bloomery guard: filters in front of databases.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "decimal.hpp"
#include "guard_work.hpp"
#include "json_output.hpp"
#include "quoted.hpp"
#include "units.hpp"

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
    std::optional<decimal> number = take_decimal(rest);
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

template <class Take>
void add_rate(CLI::App& verb, Take take) {
    verb.add_option_function<std::string>(
            "-p,--rate", [take](const std::string& s) { take(rate{parse_rate(s)}); },
            "The rate of false positives (default: 1%)")
        ->type_name("P");
}

void add_number(CLI::App& verb, const char* name, std::uint64_t& to, const char* what) {
    verb.add_option_function<std::string>(
            name, [&to](const std::string& s) { to = parse_count(s); }, what)
        ->type_name("N");
}

void add_build_options(CLI::App& inner, guard_build_options& o) {
    add_rate(inner, [&o](rate p) { o.shape.p = p; });
    inner
        .add_option_function<std::string>(
            "--headroom", [&o](const std::string& s) { o.headroom = parse_percentage(s); },
            "Room for so many more keys than there are (default: 25%)")
        ->type_name("SHARE");
    add_layout_option(inner, o.shape.layout);
    add_number(inner, "--seed", o.shape.seed,
               "Makes filters that err on other keys than those of another seed");
    add_secret_option(inner, o.access);
    inner.add_flag("--keep-secret", o.keep_secret, "Write the secret into the filter too");
    inner.add_option("--comment", o.comment, "A note to keep in the file")->type_name("TEXT");
    inner.add_flag("--force", o.force, "Replace a file that is already there");
    add_json_flag(inner, o.json, "Print an object that says what the filter is and how full");
    inner
        .add_option("SOURCE", o.source,
                    "The file of an SQLite database, or postgresql://USER@HOST:PORT/DATABASE; a "
                    "password may stand in the environment variable PGPASSWORD, where ps does not "
                    "show it")
        ->required();
    inner.add_option("TABLE", o.table, "The table, or SCHEMA.TABLE")->required();
    inner.add_option("COLUMN", o.column, "The column of the keys")->required();
    inner.add_option("FILE", o.path, "The file to make; - for standard output")->required();
}

void add_build(CLI::App& verb, int& result) {
    auto o = std::make_shared<guard_build_options>();
    CLI::App* inner = verb.add_subcommand("build", "Make a filter of the keys in a column");
    add_build_options(*inner, *o);
    inner->footer("A key is what the database prints: 7, not 007; of a column of bytes, the bytes. "
                  "NULL is no key.\n"
                  "The filter is made in memory and written when it is whole.\n"
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
               "The rows lie in PostgreSQL, not in SQLite: in the server at this URL, in a table "
               "bloomery_guard_demo that is dropped in the end, or without a URL in one that the "
               "demo starts and ends");
    add_server(inner, "--redis", o.redis,
               "There is a cache: in the Redis at this URL, where its entries expire, or without "
               "a URL in one that the demo starts and ends");
    add_number(inner, "--rows", o.rows, "How many rows are loaded (default: 1M)");
    add_number(inner, "--requests", o.requests, "The most requests of a phase (default: 200k)");
    inner.add_option("--seconds", o.seconds, "The most seconds of a phase (default: 3)")
        ->type_name("S")
        ->check(CLI::Range(0.001, 3600.0));
    inner.add_option("--threads", o.threads, "How many clients ask at once (default: 4)")
        ->type_name("N")
        ->check(CLI::Range(1U, 64U));
    add_rate(inner, [&o](rate p) { o.planned = p; });
    add_number(inner, "--seed", o.seed, "Other keys, and another order");
    inner.add_option("--keep", o.keep, "Leave the SQLite database in this folder, as demo.db")
        ->type_name("FOLDER");
    add_json_flag(inner, o.json, "Print an object instead of a table");
}

void add_demo(CLI::App& verb, int& result) {
    auto o = std::make_shared<guard_demo_options>();
    CLI::App* inner =
        verb.add_subcommand("demo", "Show what a filter keeps away from a database under attack");
    add_demo_options(*inner, *o);
    inner->footer("Loads rows, then plays ordinary traffic (5 % of the keys are absent) and an "
                  "attack (95 %),\nwithout a guard and with one. All figures are measured.\n"
                  "Example: bloomery guard demo --rows 100k");
    inner->callback([o, &result] { result = play_guard_demo(*o); });
}

} // namespace

void add_guard(CLI::App& app, int& result) {
    CLI::App* verb = app.add_subcommand("guard", "Put filters in front of databases");
    verb->require_subcommand(1);
    add_build(*verb, result);
    add_demo(*verb, result);
    verb->footer("docs/guard.md tells how a service uses one.\n"
                 "Example: bloomery guard build shop.db items id items.bloom");
}

} // namespace bloomery::cli
