// bloomery cascade: an exact answer for every key of a closed universe.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_kinds.hpp>
#include <bloomery/filter/cascade.hpp>

#include "build_cascade.hpp"
#include "command.hpp"
#include "filter_io.hpp"
#include "keys.hpp"
#include "shape_options.hpp"
#include "units.hpp"
#include "warn.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace bloomery::cli {

namespace {

struct cascade_request {
    std::string in;
    std::string out;
    std::string path;
    key_options keys;
    access_options access;
    std::optional<items> others;
    std::uint64_t seed = 0;
    std::string comment;
    bool keep_secret = false;
    bool force = false;
    bool verbose = false;
};

/// Before all keys are read, and not after.
void require_makeable(const cascade_request& o) {
    if (o.in == "-" && o.out == "-") {
        throw bad_argument("standard input cannot be both the keys that are in and those that are "
                           "out; name a file for one of them");
    }
    if (o.keep_secret && o.access.secret_file.empty()) {
        throw bad_argument("--keep-secret needs a secret to keep: give --secret-file");
    }
    std::error_code failure; // which the writing that follows will tell of
    if (o.path != "-" && !o.force && std::filesystem::exists(o.path, failure)) {
        throw io_error(o.path + " is already there", std::make_error_code(std::errc::file_exists));
    }
}

int run_cascade(const cascade_request& o) {
    require_makeable(o);
    shape_options shape;
    shape.seed = o.seed;
    const std::array in{input::open(o.in)};
    const std::array out{input::open(o.out)};
    cascade made = build_cascade_of({in, out, o.keys, o.others}, hash_of(shape, o.access.secret()));
    const std::string told =
        fmt::format("{} keys told apart from {} others, in {}", format_count(made.stored_count()),
                    format_count(made.other_count()), format_bytes(made.byte_count()));
    write_filter(std::move(made), o.path, o.force ? if_exists::replace : if_exists::refuse,
                 format::encode_options{o.comment, o.keep_secret});
    if (o.verbose) warn(told);
    return some;
}

} // namespace

void add_cascade(CLI::App& app, int& result) {
    auto o = std::make_shared<cascade_request>();
    CLI::App* verb = app.add_subcommand(
        "cascade", "Make a filter that never errs on keys that are all known beforehand");
    verb->add_option("IN", o->in, "The keys that are in; - for standard input")->required();
    verb->add_option("OUT", o->out, "All other keys that will be asked for; - for standard input")
        ->required();
    verb->add_option("FILTER", o->path, "The file to make; - for standard output")->required();
    verb->add_option_function<std::string>(
            "-n,--others", [o](const std::string& s) { o->others = items{parse_count(s)}; },
            "About how many keys are in OUT, if that is a pipe (default: ten for each of IN); the "
            "lines of a file are counted")
        ->type_name("N");
    verb->add_option_function<std::string>(
            "--seed", [o](const std::string& s) { o->seed = parse_count(s); },
            "Hashes keys otherwise than with another seed")
        ->type_name("NUMBER");
    verb->add_option("--comment", o->comment, "A note to keep in the file")->type_name("TEXT");
    verb->add_flag("--keep-secret", o->keep_secret,
                   "Write the secret into the filter too, so that it can be used without "
                   "--secret-file");
    verb->add_flag("--force", o->force, "Replace a file that is already there");
    verb->add_flag("-v,--verbose", o->verbose, "Say how many keys there are, and the size");
    add_record_options(*verb, o->keys);
    add_secret_option(*verb, o->access);
    verb->footer(
        "Says maybe for every key of IN and no for every key of OUT, without an exception; of a "
        "key that is\nin neither it says anything. It cannot be added to, nor merged: build it "
        "again.\n"
        "Takes 9 bits per key of IN if there are ten keys in OUT for each, 13.8 for a hundred.\n"
        "Example: bloomery cascade revoked.txt valid.txt certificates.bloom");
    verb->callback([o, &result] { result = run_cascade(*o); });
}

} // namespace bloomery::cli
