// Probabilities of balls in cells, computed without cancellation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::inline v0::plan {

/// Balls thrown one after another: hit[i] is the chance that i of the cells are hit. All terms are
/// positive. Numbers of cells whose chance is below `negligible` are no longer carried along at the
/// lower end and, if `at_both_ends`, at the upper end: hit is zero outside [low, high].
struct throws {
    throws(std::uint32_t most, double of, double below, bool both);
    void one_more();

    std::vector<double> hit;
    double cells;
    double negligible;
    bool at_both_ends;
    std::size_t low = 0;
    std::size_t high = 0;
};

/// The distribution of the number of different cells hit by `balls` uniform balls in `cells`:
/// entry i is P(i different). All terms positive. O(balls^2).
[[nodiscard]] std::vector<double> distinct_cells(std::uint32_t balls, double cells);

/// P(each of `marked` given cells out of `cells` is hit by at least one of `balls` balls).
[[nodiscard]] double all_marked_hit(double balls, double cells, std::uint32_t marked);

/// E[(X/m)^k] with X the cells hit by `balls` balls in m cells: the rate of a Bloom filter.
[[nodiscard]] double all_probes_hit(double balls, double cells, std::uint32_t probes);

} // namespace bloomery::inline v0::plan
