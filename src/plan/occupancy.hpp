// Balls in cells, without cancellation.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomery::plan {

/// The distribution of the number of different cells hit by `balls` uniform balls in `cells`:
/// entry i is P(i different). All terms positive. O(balls^2).
[[nodiscard]] std::vector<double> distinct_cells(std::uint32_t balls, double cells);

/// P(each of `marked` given cells out of `cells` is hit by at least one of `balls` balls).
[[nodiscard]] double all_marked_hit(double balls, double cells, std::uint32_t marked);

/// E[(X/m)^k] with X the cells hit by `balls` balls in m cells: the rate of a Bloom filter.
[[nodiscard]] double all_probes_hit(double balls, double cells, std::uint32_t probes);

} // namespace bloomery::plan
