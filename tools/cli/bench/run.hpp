// The options and the course of a benchmark: what bloomery bench and bench/filter.cpp share.
#pragma once

#include "bench/filters.hpp"
#include "bench/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What was asked for.
struct bench_options {
    std::vector<std::uint64_t> item_counts; ///< empty: as `quick` says
    std::size_t round_count = 0;            ///< 0: as `quick` says
    bool quick = false;
    bool kinds = false; ///< the other kinds of filter too
    bool json = false;
    std::string tsv_path; ///< empty: none
};

/// Adds --quick, --kinds, -n, --rounds, --json and --tsv. Their actions throw bad_argument.
void add_bench_options(CLI::App& to, bench_options& options);

/// Adds cases to those of the library, at one size. The filters are filled already.
using more_cases = std::function<void(bench_cases& to, const shared_keys& keys,
                                      const std::vector<held_filter>& filters)>;

/// Measures and prints, with the kernel in use: callers make sure that BLOOMERY_KERNEL was not
/// misspelt. Throws memory_refused, std::system_error if the file of --tsv cannot be written, and
/// std::logic_error if a filter's answers are wrong.
void run_bench(const bench_options& options, const more_cases& more = {});

} // namespace bloomery::cli
