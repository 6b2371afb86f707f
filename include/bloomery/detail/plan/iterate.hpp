// Sizing by hand: take the available memory, compute k and the rate, enlarge until the rate holds.
//
// This is how people plan on paper, kept as one call so that a tool can show each step; `for_rate`
// gives the exact minimum directly.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/shape.hpp>

#include <vector>

namespace bloomery::inline v0::plan {

/// One round of the loop.
struct iteration_step {
    std::uint64_t bit_count;
    std::uint32_t hash_count; ///< m/n ln 2, rounded, within 1..64
    double textbook_rate;     ///< (1-e^(-kn/m))^k
    double expected_rate;     ///< the exact rate, which decides
};

/// The whole loop, and how its result compares with the minimum.
struct iteration {
    std::vector<iteration_step> steps; ///< at least one; the last one holds the rate
    shape result;
    shape minimum;      ///< what `for_rate` gives
    double excess_bits; ///< result over minimum, as a fraction: 0.05 is 5 % too much
};

/// Starts with `start` and enlarges m by `growth` per step until the exact rate is at most p. Ends
/// after O(log(m) / log(growth)) steps. Classic layout.
/// Throws `bad_argument` for n = 0, p outside (0, 1), no memory, growth outside (1, 2].
[[nodiscard]] BLOOMERY_EXPORT iteration iterate(items n, rate p, bytes start, double growth = 1.1);

} // namespace bloomery::inline v0::plan
