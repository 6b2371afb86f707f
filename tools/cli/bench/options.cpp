// The options of a benchmark.
#include <bloomery/error.hpp>

#include "bench/run.hpp"
#include "wording.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

constexpr std::uint64_t least_items = 1000;
constexpr std::uint64_t most_items = 1'000'000'000;
constexpr std::uint64_t most_rounds = 10'000;

/// The sizes in a list with commas.
std::vector<std::uint64_t> parse_sizes(const std::string& list) {
    std::vector<std::uint64_t> sizes;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string text = list.substr(from, comma - from);
        from = comma + 1;
        const std::uint64_t count = parse_count(text);
        if (count < least_items || count > most_items) {
            throw bad_argument(fmt::format("-n takes {} to {} keys, not {}", grouped(least_items),
                                           grouped(most_items), in_quotes(text)));
        }
        if (std::ranges::find(sizes, count) == sizes.end()) sizes.push_back(count);
    }
    return sizes;
}

std::size_t parse_rounds(const std::string& text) {
    const std::uint64_t count = parse_count(text);
    if (count == 0 || count > most_rounds) {
        throw bad_argument(
            fmt::format("--rounds takes 1 to {}, not {}", grouped(most_rounds), count));
    }
    return static_cast<std::size_t>(count);
}

} // namespace

void add_bench_options(CLI::App& to, bench_options& options) {
    to.add_flag("--quick", options.quick,
                "Finish in less than half a minute: at most 10M keys, and fewer rounds");
    to.add_flag("--kinds", options.kinds,
                "Also measure the other kinds of filter: counting, dleft, window, ...");
    to.add_option_function<std::string>(
          "-n,--items",
          [&options](const std::string& list) { options.item_counts = parse_sizes(list); },
          "Number of keys in the filters: 1M, or several sizes such as 10k,1M,10M (default: "
          "10k,1M,10M,100M)")
        ->type_name("N");
    to.add_option_function<std::string>(
          "--rounds",
          [&options](const std::string& text) { options.round_count = parse_rounds(text); },
          "How many times to time each case (default: 101, or 21 with --quick)")
        ->type_name("N");
    to.add_flag("--json", options.json, "Print JSON instead of a table");
    to.add_option("--tsv", options.tsv_path, "Also write the results to a file, for bench/plot")
        ->type_name("FILE");
}

} // namespace bloomery::cli
