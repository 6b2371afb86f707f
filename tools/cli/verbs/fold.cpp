// bloomery fold: the same filter in the least memory.
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/file.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "options/number_options.hpp"
#include "output/json_output.hpp"
#include "standard_streams.hpp"
#include "verbs/folding.hpp"
#include "verbs/info_report.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace bloomery::cli {

void require_foldable(const spec& what, const std::string& path) {
    if (what.kind != filter_kind::bloom) {
        throw unsupported(fmt::format("{} is a filter of the kind {}; only Bloom filters can be "
                                      "folded",
                                      path, name_of(what.kind)));
    }
    if (what.scheme != layout::scheme_id::native) {
        throw unsupported(path +
                          " has the hashes of another system, whose filters cannot be folded");
    }
}

void require_sealable(const spec& what, const design& made_for, const std::string& path) {
    require_foldable(what, path);
    if (made_for.target_rate == 0) {
        throw bad_argument(path + " does not say what rate it was made for: use bloomery fold -p");
    }
}

void seal(any_filter& filled, const std::string& path) {
    require_sealable(filled.spec(), filled.made_for(), path);
    const double made_for = filled.made_for().target_rate;
    if (const double now = filled.stats().expected_rate; now > made_for) {
        warn(fmt::format("{} is full: its false-positive rate is {}, so it stays as large as it is",
                         path, plan::percent(now)));
        return;
    }
    filled.fold(rate{made_for});
}

namespace {

struct fold_options : new_file {
    std::string from;
    bool has_output = false;
    std::optional<rate> p;
    access_options access;
    bool json = false;
};

/// Whether two names are of one file.
bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code missing; // then they are not
    return std::filesystem::equivalent(a, b, missing);
}

void fold_into_file(fold_options o, const std::function<void(any_filter&)>& change) {
    if (o.from == "-") {
        any_filter piped = read_filter(o.from, o.access).filter;
        change(piped);
        return write_filter(piped, o);
    }
    const format::native_header header = load_header(o.from);
    o.comment = header.comment;
    o.keep_secret = header.secret.has_value();
    any_filter loaded = load(o.from, o.access.decoding());
    change(loaded);
    write_filter(loaded, o);
}

int run_fold(const fold_options& o) {
    keep_output_for_json(o.json, o.path);
    const std::string name = o.from == "-" ? "standard input" : o.from;
    if (!o.has_output && o.from == "-") {
        throw bad_argument("a filter from standard input needs a file to go to: give -o");
    }
    if (!o.has_output && o.force) {
        throw bad_argument("--force applies to the file given with -o; without -o, the filter is "
                           "replaced anyway");
    }
    if (o.from != "-" && !is_native_file(o.from, o.access)) {
        throw unsupported(name + " is in the format of another system, whose filters cannot be "
                                 "folded");
    }
    nlohmann::ordered_json out{{"output", o.has_output ? o.path : o.from}};
    const auto change = [&](any_filter& loaded) {
        out["bytes_before"] = loaded.byte_count();
        if (o.p) {
            require_foldable(loaded.spec(), name);
            loaded.fold(*o.p);
        } else {
            seal(loaded, name);
        }
        if (o.json) out.update(filter_facts(loaded));
    };
    if (o.has_output) o.require_free();
    // Others may be adding to the file that is replaced: they are kept out from the first reading
    // on.
    if (!o.has_output || (o.from != "-" && is_same_file(o.from, o.path))) {
        announce_wait(o.from);
        update(o.from, change, o.access.decoding());
    } else {
        fold_into_file(o, change);
    }
    if (o.json) fmt::print("{}", json_page(out));
    return some;
}

} // namespace

void add_fold(CLI::App& app, int& result) {
    auto o = std::make_shared<fold_options>();
    CLI::App* verb =
        app.add_subcommand("fold", "Shrink a filter that holds fewer keys than it has room for");
    add_number(*verb, "-p,--rate", o->p, "P",
               "The false-positive rate to hold (default: the one that it was made for)");
    verb->add_option("FILTER", o->from, "The filter; - for standard input")->required();
    const CLI::Option* const output =
        verb->add_option("-o,--output", o->path,
                         "The file to write, - for standard output (default: replace FILTER)")
            ->type_name("FILE");
    verb->add_flag("--force", o->force, "Overwrite an existing file");
    add_json_flag(*verb, o->json, "Print JSON that says what the result is and how full it is");
    add_secret_option(*verb, o->access);
    verb->footer(
        "The result is the same, bit for bit, as if it had been created at the smaller size. "
        "Filters\n"
        "created with --max-n can be folded to sizes that are close to each other, others to a "
        "few.\n"
        "Only Bloom filters of bloomery's own format (--kind bloom) can be folded.\n"
        "Example: bloomery create --max-n 100M seen.bloom\n"
        "         bloomery add seen.bloom < urls.txt\n"
        "         bloomery fold seen.bloom");
    verb->callback([o, output, &result] {
        o->has_output = output->count() != 0;
        result = run_fold(*o);
    });
}

} // namespace bloomery::cli
