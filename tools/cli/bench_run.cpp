#include "bench_run.hpp"

#include <bloomery/error.hpp>

#include "bench_kinds.hpp"
#include "bench_report.hpp"
#include "quoted.hpp"
#include "units.hpp"
#include "warn.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/os.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace bloomery::cli {

namespace {

constexpr std::uint64_t least_items = 1000;
constexpr std::uint64_t most_items = 1'000'000'000;
constexpr std::uint64_t most_rounds = 10'000;

// A segment touches eight megabytes of cache lines; sixteen are more than caches keep.
constexpr std::size_t most_segments = 16;

/// The sizes in a list with commas.
std::vector<std::uint64_t> parse_sizes(const std::string& list) {
    std::vector<std::uint64_t> sizes;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string text = list.substr(from, comma - from);
        from = comma + 1;
        const std::uint64_t count = parse_count(text);
        if (count < least_items || count > most_items) {
            throw bad_argument(fmt::format("-n takes {} to {} keys, not {}",
                                           format_count(least_items), format_count(most_items),
                                           in_quotes(text)));
        }
        if (std::ranges::find(sizes, count) == sizes.end()) sizes.push_back(count);
    }
    return sizes;
}

std::size_t parse_rounds(const std::string& text) {
    const std::uint64_t count = parse_count(text);
    if (count == 0 || count > most_rounds) {
        throw bad_argument(
            fmt::format("--rounds takes 1 to {}, not {}", format_count(most_rounds), count));
    }
    return static_cast<std::size_t>(count);
}

std::vector<bench_result> results_at(std::uint64_t item_count, std::size_t round_count, bool kinds,
                                     const more_cases& more) {
    // Two at least: the run that is not timed takes another one.
    const auto keys = std::make_shared<const bench_keys>(
        item_count, std::clamp<std::size_t>(round_count, 2, most_segments));
    bench_cases cases;
    const std::vector<held_filter> filters = filled_filters(*keys);
    add_filters(cases, keys, filters);
    if (more) more(cases, keys, filters);
    if (kinds) add_kinds(cases, keys);
    return measure(cases, *keys, round_count);
}

} // namespace

void add_bench_options(CLI::App& to, bench_options& options) {
    to.add_flag("--quick", options.quick,
                "Take less than half a minute: up to 10M keys, and fewer rounds");
    to.add_flag("--kinds", options.kinds,
                "Measure the other kinds of filter too: counting, dleft, window, ...");
    to.add_option_function<std::string>(
          "-n,--items",
          [&options](const std::string& list) { options.item_counts = parse_sizes(list); },
          "How many keys the filters hold: 1M, or several sizes, as 10k,1M,10M (default: "
          "10k,1M,10M,100M)")
        ->type_name("N");
    to.add_option_function<std::string>(
          "--rounds",
          [&options](const std::string& text) { options.round_count = parse_rounds(text); },
          "How often each case is timed (default: 101; with --quick 21)")
        ->type_name("N");
    to.add_flag("--json", options.json, "Print an object instead of a table");
    to.add_option("--tsv", options.tsv_path, "Also write the figures to a file, for bench/plot")
        ->type_name("FILE");
}

void run_bench(const bench_options& options, const more_cases& more) {
    std::vector<std::uint64_t> sizes = options.item_counts;
    if (sizes.empty()) {
        sizes = {10'000, 1'000'000, 10'000'000};
        if (!options.quick) sizes.push_back(100'000'000);
    }
    const std::size_t standard_rounds = options.quick ? 21 : 101;
    const std::size_t rounds = options.round_count != 0 ? options.round_count : standard_rounds;
    // Opened first: better to fail before minutes of work than after them.
    std::optional<fmt::ostream> tsv;
    if (!options.tsv_path.empty()) tsv.emplace(fmt::output_file(options.tsv_path));

    const bench_facts facts = facts_here(rounds);
    std::vector<bench_result> results;
    for (const std::uint64_t size : sizes) {
        if (::isatty(STDERR_FILENO) != 0) {
            warn(fmt::format("measuring with {} keys", format_count(size)));
        }
        std::ranges::move(results_at(size, rounds, options.kinds, more),
                          std::back_inserter(results));
    }
    fmt::print("{}", options.json ? json_of(facts, results)
                                  : table_of(facts, results) + lookup_bars(results, canvas_here()));
    if (tsv) {
        tsv->print("{}", tsv_of(facts, results));
        tsv->close();
    }
}

} // namespace bloomery::cli
