// Timing that a noisy machine does not decide.
//
// All cases of a size take turns: a round runs each of them once, so that a slow second hits all
// alike, and the least and the median over the rounds are what is reported. A run is a segment of
// keys, another one each round. Before it is timed, a case runs once on another segment, so that it
// finds its array where a program that uses it would have it, and not where the case before it left
// it.
#pragma once

#include "bench/keys.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bloomery::cli {

/// Something to time. It owns, or shares, whatever it works on.
struct bench_case {
    std::string operation;               ///< "bulk lookup"
    std::string subject;                 ///< "split-8x64"
    std::uint64_t byte_count = 0;        ///< of the array that it works on; 0 if there is none
    std::optional<double> rate_measured; ///< the measured rate of false positives of what is asked
    std::function<void(std::size_t segment)> run;
};

using bench_cases = std::vector<bench_case>;

/// What came out for one case at one size.
struct bench_result {
    std::string operation;
    std::string subject;
    std::uint64_t item_count = 0;
    std::uint64_t byte_count = 0;
    std::optional<double> rate_measured;
    double least_ns = 0;  ///< for one key
    double median_ns = 0; ///< for one key
};

/// Makes the compiler believe that a value is used, and that memory was looked at.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r"(value) : "memory"); // NOLINT(hicpp-no-assembler): no instruction
}

/// Runs all cases in turns. The results are in the order of the cases. O(cases * rounds). Throws
/// what a case throws.
[[nodiscard]] std::vector<bench_result> measure(std::span<const bench_case> cases,
                                                const bench_keys& keys, std::size_t round_count);

} // namespace bloomery::cli
