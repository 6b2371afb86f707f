// The time per key, compiled for exactly this processor.
// Everything that `bloomery bench` measures, and in addition the filters with a compile-time
// layout, which are inlined with the vectors that -march=native allows, and filters of other
// libraries. Options and output are those of `bloomery bench`; tools/cli/bench/report.hpp says what
// --json and --tsv write, tools/cli/bench/harness.hpp how time is taken.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "bench/run.hpp"
#include "peers.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>

namespace {

using namespace bloomery;

/// The cases of a filter type; its bits are those that the run-time filter of its layout has.
template <class Filter>
void add_compiled(cli::bench_cases& to, const cli::shared_keys& keys,
                  const std::vector<cli::held_filter>& filters, const std::string& name) {
    for (const cli::held_filter& each : filters) {
        if (each.layout != Filter::layout_type::kind) continue;
        const auto bits = std::make_shared<Filter>(each.bits->spec().shape, hash::xxh3_64{},
                                                   each.bits->made_for());
        bits->merge(*each.bits);
        cli::add_one_by_one(to, keys, name, bits);
    }
}

void add_more(cli::bench_cases& to, const cli::shared_keys& keys,
              const std::vector<cli::held_filter>& filters) {
    add_compiled<fast_filter>(to, keys, filters, "fast_filter");
    add_compiled<line_filter>(to, keys, filters, "line_filter");
    add_compiled<deep_filter>(to, keys, filters, "deep_filter");
    add_compiled<blocked_filter>(to, keys, filters, "blocked_filter");
    add_compiled<classic_filter>(to, keys, filters, "classic_filter");
    cli::add_peers(to, keys);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"What one key costs: every filter of the library, and its peers.", "bench_filter"};
    cli::bench_options options;
    cli::add_bench_options(app, options);
    try {
        app.parse(argc, argv);
        // A misspelt kernel would be ignored by the library, and the wrong one measured.
        if (const auto complaint = kernel::environment_complaint()) throw bad_argument(*complaint);
        cli::run_bench(options, add_more);
        return 0;
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    } catch (const std::exception& e) {
        fmt::print(stderr, "bench_filter: {}\n", e.what());
        return 2;
    }
}
