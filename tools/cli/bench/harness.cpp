#include "bench/harness.hpp"

#include <algorithm>
#include <chrono>

namespace bloomery::cli {

namespace {

double nanoseconds_a_key(const bench_case& of, std::size_t segment) {
    const auto start = std::chrono::steady_clock::now();
    of.run(segment);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    return took.count() / static_cast<double>(segment_length);
}

/// The middle one, or the mean of the two in the middle. `sorted` is not empty.
double median_of(std::span<const double> sorted) {
    return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

} // namespace

std::vector<bench_result> measure(std::span<const bench_case> cases, const bench_keys& keys,
                                  std::size_t round_count) {
    std::vector<std::vector<double>> times(cases.size());
    for (std::size_t round = 0; round < round_count; ++round) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::size_t other = round + keys.segment_count() / 2;
            cases[i].run(other % keys.segment_count());
            times[i].push_back(nanoseconds_a_key(cases[i], round % keys.segment_count()));
        }
    }
    std::vector<bench_result> results;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        std::ranges::sort(times[i]);
        const bench_case& of = cases[i];
        results.push_back({of.operation, of.subject, keys.item_count(), of.byte_count,
                           of.rate_measured, times[i].front(), median_of(times[i])});
    }
    return results;
}

} // namespace bloomery::cli
