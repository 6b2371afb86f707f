// bloomery create: a new, empty filter.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "kind_choice.hpp"
#include "shape_options.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct options {
    shape_options shape;
    kind_choice kind;
    access_options access;
    std::string path;
    std::string comment;
    bool force = false;
    bool keep_secret = false;
};

/// A filter of another system is sized by that system's own formula.
int create_foreign(const options& o) {
    const shape_options& said = o.shape;
    if (!o.kind.is_bloom()) {
        throw bad_argument("--kind is for filters of our own format; leave --format or --kind out");
    }
    if (said.memory || said.layout || !o.access.secret_file.empty() || !o.comment.empty()) {
        throw bad_argument("a filter of another system is made from -n and -p, or from --bits and "
                           "-k; it has no --bytes, --layout, --secret-file or --comment");
    }
    format_choice in = o.access.format;
    format::foreign_options& from = in.parameters;
    if (said.n) from.n = said.n;
    if (said.p) from.p = said.p;
    if (said.m) from.m = said.m;
    if (said.k) from.k = said.k;
    if (said.seed != 0) from.seed = said.seed;
    if (in.foreign->create == nullptr) {
        throw unsupported(
            fmt::format("filters of the format {} can be read and not made", in.foreign->name));
    }
    write_filter(in.foreign->create(from), o.path, o.force ? if_exists::replace : if_exists::refuse,
                 in);
    return some;
}

int run(const options& o) {
    if (o.access.format.foreign != nullptr) return create_foreign(o);
    if (o.keep_secret && o.access.secret_file.empty()) {
        throw bad_argument("--keep-secret needs a secret to keep: give --secret-file");
    }
    write_filter(new_filter(o.kind, o.shape, o.access.secret()), o.path,
                 o.force ? if_exists::replace : if_exists::refuse, {o.comment, o.keep_secret});
    return some;
}

} // namespace

void add_create(CLI::App& app, int& result) {
    auto o = std::make_shared<options>();
    CLI::App* verb = app.add_subcommand("create", "Make an empty filter");
    add_shape_options(*verb, o->shape);
    add_kind_option(*verb, o->kind);
    add_access_options(*verb, o->access);
    verb->add_option("--comment", o->comment, "A note to keep in the file")->type_name("TEXT");
    verb->add_flag("--keep-secret", o->keep_secret,
                   "Write the secret into the filter too, so that it can be used without "
                   "--secret-file, and attacked by everybody who can read it");
    verb->add_flag("--force", o->force, "Replace a file that is already there");
    verb->add_option("FILTER", o->path, "The file to make; - for standard output")->required();
    verb->footer(
        "Say -n and -p, or -n and --bytes, or --bits and -k. Without -p the rate is 1 %, "
        "or the format's own default.\n"
        "Kinds that take keys out again: counting, spectral, dynamic-count, dleft, "
        "accurate; that count:\nspectral, dynamic-count; that grow: scalable; that forget: "
        "window. docs/choosing.md compares them.\n"
        "Example: bloomery create -n 10M -p 0.1% words.bloom");
    verb->callback([o, &result] { result = run(*o); });
}

} // namespace bloomery::cli
