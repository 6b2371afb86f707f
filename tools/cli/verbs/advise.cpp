// bloomery advise: which structure fits, with the numbers that decided, or none at all.
#include <bloomery/plan/advise.hpp>

#include "command.hpp"
#include "options/number_options.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

namespace bloomery::cli {

namespace {

struct advise_options {
    plan::situation situation;
    bool json = false;
};

using json = nlohmann::ordered_json;

/// How a secret is made, which a keyed filter needs.
constexpr std::string_view make_a_secret = "od -An -N16 -tx8 /dev/urandom | tr -d ' ' >SECRET";

/// What --kind or --layout has to say so that `create` makes what is advised; nothing if it would
/// by itself.
std::string form_of(plan::kind what, const plan::recipe& with) {
    switch (what) {
    case plan::kind::spectral:
        return fmt::format(" --kind spectral{}",
                           with.minimal_increase ? ",policy=minimal-increase" : "");
    case plan::kind::window:
    case plan::kind::dynamic_count:
    case plan::kind::accurate:
    case plan::kind::dleft:
    case plan::kind::counting:
    case plan::kind::scalable:
        return fmt::format(" --kind {}", plan::name_of(what));
    default:
        return with.usual_layout ? "" : fmt::format(" --layout {}", plan::name_of(what));
    }
}

/// How to make what is advised; nothing for what is not in this library.
std::string how_to_make(const plan::advice& of) {
    switch (of.recommended.what) {
    case plan::kind::none:
    case plan::kind::bitmap:
    case plan::kind::hash_set:
    case plan::kind::binary_fuse:
    case plan::kind::cuckoo:
        return {};
    case plan::kind::cascade:
        return "bloomery cascade IN OUT FILTER";
    default:
        return fmt::format("bloomery create{} -n {} -p {}{} FILE",
                           form_of(of.recommended.what, of.make), of.make.n.value, of.make.p.value,
                           of.make.keyed ? " --secret-file SECRET" : "");
    }
}

/// The same when it needs a secret before.
std::string_view how_to_prepare(const plan::advice& of, const std::string& make) {
    return of.make.keyed && make.starts_with("bloomery") ? make_a_secret : "";
}

bool is_foreign(plan::kind what) {
    return what == plan::kind::binary_fuse || what == plan::kind::cuckoo;
}

json advice_json(const plan::option& option) {
    return {{"kind", plan::name_of(option.what)},
            {"bytes", static_cast<std::uint64_t>(std::llround(option.bytes))},
            {"bits_per_key", option.bits_per_item},
            {"expected_rate", option.expected_rate},
            {"sentence", option.sentence},
            {"available", !is_foreign(option.what)}};
}

void print_advise_json(const plan::advice& advice, const std::string& make) {
    json out{{"headline", advice.headline},
             {"recommended", advice_json(advice.recommended)},
             {"reasons", advice.reasons},
             {"runner_up", advice_json(advice.runner_up)},
             {"warnings", advice.warnings}};
    if (advice.filter) {
        out["filter"] = {{"layout", plan::name_of(advice.filter->layout)},
                         {"bits", advice.filter->bit_count},
                         {"hashes", advice.filter->hash_count}};
    }
    if (const auto before = how_to_prepare(advice, make); !before.empty()) {
        out["make_secret"] = before;
    }
    if (!make.empty()) out["make"] = make;
    fmt::print("{}\n", out.dump(2));
}

void print_advise_text(const plan::advice& advice, const std::string& make) {
    fmt::print("{}\n", advice.headline);
    if (const auto before = how_to_prepare(advice, make); !before.empty()) {
        fmt::print("create a secret: {}\n", before);
    }
    if (!make.empty()) fmt::print("create it: {}\n", make);
    if (!advice.reasons.empty()) fmt::print("\nwhy:\n");
    for (const std::string& reason : advice.reasons) fmt::print("  - {}\n", reason);
    fmt::print("\nrunner-up: {}\n  {}\n", plan::name_of(advice.runner_up.what),
               advice.runner_up.sentence);
    if (!advice.warnings.empty()) fmt::print("\nmind:\n");
    for (const std::string& warning : advice.warnings) fmt::print("  - {}\n", warning);
}

int run_advise(const advise_options& o) {
    const plan::advice advice = plan::advise(o.situation);
    const std::string make = how_to_make(advice);
    o.json ? print_advise_json(advice, make) : print_advise_text(advice, make);
    return some;
}

/// As a rate, but nothing and all are shares too.
double parse_share(const std::string& text) {
    if (text == "0" || text == "0%") return 0;
    if (text == "1" || text == "100%") return 1;
    return parse_rate(text);
}

void add_numbers(CLI::App& verb, plan::situation& s) {
    add_number(verb, "-n,--items", s.n, "N", "Number of distinct keys");
    add_number(
        verb, "--at-least", s.n_low, "N",
        "If that is not known: a lower bound; the filter then grows, unless --at-most is given");
    add_number(verb, "--at-most", s.n_high, "N", "An upper bound");
    add_number(verb, "-p,--rate", s.p, "P",
               "The false-positive rate that you accept (default: 1%)");
    verb.add_option("--key-bytes", s.key_bytes, "Mean length of a key (default: 32)")
        ->type_name("BYTES");
    add_number(verb, "--integers-below", s.integer_range, "N", "The keys are integers below this");
    add_number(verb, "--known-negatives", s.known_negatives, "N",
               "All absent keys that will be looked up are known: their number");
    add_number(verb, "--window", s.window, "N",
               "An endless stream of which only the last N keys matter; -n is then ignored");
    add_number(verb, "--cache", s.last_level_cache, "SIZE", "The size of the last-level cache");
    verb.add_option_function<std::string>(
            "--positives", [&s](const std::string& t) { s.positive_fraction = parse_share(t); },
            "The share of lookups for keys that are in the set: 90%, 0.9")
        ->type_name("SHARE");
    verb.add_option("--probe-ns", s.probe_cost_ns, "The cost of a lookup in the filter")
        ->type_name("NS");
    verb.add_option("--backend-ns", s.backend_cost_ns, "The cost of a lookup in the backend")
        ->type_name("NS");
}

void add_needs(CLI::App& verb, plan::situation& s) {
    const auto flag = [&verb](const char* name, bool& to, const char* what) {
        verb.add_flag(name, to, what)->group("Needs");
    };
    flag("--remove", s.needs_removal, "Keys are removed");
    flag("--count", s.needs_counts, "Keys are counted");
    flag("--skewed", s.counts_skewed, "With --count: a few keys occur very often");
    flag("--adaptive", s.adaptive_width, "With --count: counters should grow with the counts");
    flag("--query-bound", s.query_bound, "With --remove: lookup speed matters more than memory");
    flag("--memory-bound", s.memory_bound, "With --remove: memory matters more than lookup speed");
    flag("--merge", s.needs_merge, "With --remove: filters are merged");
    flag("--fixed", s.fixed_set, "The set is built once and does not change");
    flag("--one-line", s.one_line_per_query, "One cache line per lookup is worth more memory");
    flag("--lean", s.refuses_overhead, "Use at most 15 % more than the minimum memory");
    flag("--untrusted", s.untrusted_keys, "Keys come from untrusted people");
    verb.add_flag_callback(
            "--no-error", [&s] { s.error_allowed = false; }, "No errors are allowed at all")
        ->group("Needs");
}

} // namespace

void add_advise(CLI::App& app, int& result) {
    auto o = std::make_shared<advise_options>();
    CLI::App* verb =
        app.add_subcommand("advise", "Recommend a data structure, or say when no filter helps");
    add_numbers(*verb, o->situation);
    add_needs(*verb, o->situation);
    verb->add_flag("--json", o->json, "Print JSON instead of text");
    verb->footer("Example: bloomery advise -n 100M -p 1% --integers-below 1G");
    verb->callback([o, &result] { result = run_advise(*o); });
}

} // namespace bloomery::cli
