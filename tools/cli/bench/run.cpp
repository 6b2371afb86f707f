#include "bench/run.hpp"

#include "bench/filters.hpp"
#include "bench/report.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <fmt/os.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

namespace bloomery::cli {

namespace {

// A segment touches eight megabytes of cache lines; sixteen are more than caches keep.
constexpr std::size_t most_segments = 16;

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
            warn(fmt::format("measuring with {} keys", grouped(size)));
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
