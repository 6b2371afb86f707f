// Results of a benchmark as people, programs and bench/plot read them.
#pragma once

#include "bench/harness.hpp"
#include "output/canvas.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::cli {

/// Where and how the figures were made.
struct bench_facts {
    std::string processor; ///< as /proc/cpuinfo names it
    unsigned thread_count; ///< that the processor runs at once
    std::string compiler;
    std::string kernel;
    std::size_t round_count;
};

/// The facts of this program on this machine. Never fails: what is not known is "unknown".
[[nodiscard]] bench_facts facts_here(std::size_t round_count);

/// A table: one row a case, one column a size, the least and the median. Rows are in order of
/// appearance.
[[nodiscard]] std::string table_of(const bench_facts& facts, std::span<const bench_result> results);

/// The bulk lookups of the largest size as bars: the shorter, the faster.
[[nodiscard]] std::string lookup_bars(std::span<const bench_result> results, const canvas& on);

/// One object: `version`, `processor`, `threads`, `compiler`, `kernel`, `rate`, `rounds`,
/// `keys_per_round`, and `results`, an array of objects: `operation`, `subject`, `items`, `bytes`
/// (null where there is no array), `rate` (measured; null where nothing is asked), `min_ns`,
/// `median_ns` (for one key), `times_floor` (min_ns over that of the floor; null but for bulk
/// lookups). Names keep their meanings; new ones may be added.
[[nodiscard]] std::string json_of(const bench_facts& facts, std::span<const bench_result> results);

/// The results as lines of tab-separated fields under a line with their names: `operation`,
/// `subject`, `items`, `bytes`, `rate`, `min_ns`, `median_ns`; empty where JSON has null. The facts
/// stand in front, on lines that begin with #.
[[nodiscard]] std::string tsv_of(const bench_facts& facts, std::span<const bench_result> results);

} // namespace bloomery::cli
