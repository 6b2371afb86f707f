// bloomery cascade: an exact answer for every key of a closed universe.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/cascade.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "options/number_options.hpp"
#include "options/shape_options.hpp"
#include "standard_streams.hpp"
#include "verbs/build_cascade.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace bloomery::cli {

namespace {

struct cascade_request : new_file {
    std::string in;
    std::string out;
    key_options keys;
    access_options access;
    std::optional<items> others;
    std::uint64_t seed = 0;
    bool verbose = false;
};

int run_cascade(const cascade_request& o) {
    // What would fail at the end is reported before all keys are read.
    if (o.in == "-" && o.out == "-") {
        throw bad_argument("standard input cannot be both the keys that are in and those that are "
                           "out; name a file for one of them");
    }
    o.require_secret(o.access);
    o.require_free();
    const std::array in{input::open(o.in)};
    const std::array out{input::open(o.out)};
    cascade made =
        build_cascade_of({in, out, o.keys, o.others}, hash_of(o.seed, o.access.secret()));
    const std::string told =
        fmt::format("{} keys separated from {} others, in {}", grouped(made.stored_count()),
                    grouped(made.other_count()), format_bytes(made.byte_count()));
    write_filter(std::move(made), o);
    if (o.verbose) warn(told);
    return some;
}

} // namespace

void add_cascade(CLI::App& app, int& result) {
    auto o = std::make_shared<cascade_request>();
    CLI::App* verb = app.add_subcommand(
        "cascade", "Build a filter without errors for keys that are all known in advance");
    verb->add_option("IN", o->in, "The keys that are in; - for standard input")->required();
    verb->add_option("OUT", o->out, "All other keys that will be looked up; - for standard input")
        ->required();
    verb->add_option("FILTER", o->path, "The file to write; - for standard output")->required();
    add_number(
        *verb, "-n,--others", o->others, "N",
        "Approximate number of keys in OUT if it is a pipe (default: ten per key of IN); the "
        "lines of a file are counted");
    add_number(*verb, "--seed", o->seed, "NUMBER",
               "Hash seed; the same seed gives the same filter");
    verb->add_option("--comment", o->comment, "A note to store in the file")->type_name("TEXT");
    verb->add_flag("--keep-secret", o->keep_secret,
                   "Also store the secret in the filter, so that it can be used without "
                   "--secret-file");
    verb->add_flag("--force", o->force, "Overwrite an existing file");
    verb->add_flag("-v,--verbose", o->verbose, "Report the number of keys and the size");
    add_record_options(*verb, o->keys);
    add_secret_option(*verb, o->access);
    verb->footer(
        "Answers maybe for every key of IN and no for every key of OUT, without exception; for a "
        "key in\n"
        "neither, the answer means nothing. Keys cannot be added, nor cascades merged: build it "
        "again.\n"
        "Takes 9 bits per key of IN with ten keys in OUT for each, 13.8 with a hundred.\n"
        "Example: bloomery cascade revoked.txt valid.txt certificates.bloom");
    verb->callback([o, &result] { result = run_cascade(*o); });
}

} // namespace bloomery::cli
