// How many keys each shard of a split filter must hold.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bloomery::plan {

/// The mean load plus six standard deviations: fewer than one shard in 1e9 gets more.
[[nodiscard]] inline std::uint64_t load_with_margin(items n, std::uint64_t shards) {
    if (shards == 1) return n.value;
    const double mean = static_cast<double>(n.value) / static_cast<double>(shards);
    const double deviation = std::sqrt(mean * (1.0 - 1.0 / static_cast<double>(shards)));
    const double load = std::ceil(mean + 6.0 * deviation);
    if (load >= static_cast<double>(n.value)) return n.value;
    return static_cast<std::uint64_t>(load);
}

} // namespace bloomery::plan
