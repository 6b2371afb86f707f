// Bounds for tests of a rate: they fail for a defect, not by chance.
#pragma once

#include <cmath>
#include <cstdint>

namespace bloomery::testing {

/// Where a Binomial(n, p) count lies but for one run in 1e9 (each side), for p up to 1/2: the
/// closed form is no narrower than the exact tails, so it never cries wolf more often
/// (tests/stats/binomial_bounds.cpp).
struct bounds {
    double low;
    double high;
    [[nodiscard]] bool contain(std::uint64_t count) const {
        const auto value = static_cast<double>(count);
        return low <= value && value <= high;
    }
};

inline bounds binomial_bounds(std::uint64_t n, double p) {
    const double mean = static_cast<double>(n) * p;
    const double spread = 6 * std::sqrt(mean * (1 - p));
    return {mean - spread - 1, mean + spread + 7}; // 6 of the 7 are for the skew
}

} // namespace bloomery::testing
