// The mean of a curve over a random load.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bloomery::inline v0::plan {

/// Sums weight(i) * curve(i) outwards from the most likely load, where the weight is set to 1 and
/// divided out at the end: no factorial, no logarithm, no loss for n of any size.
/// `step(i)` is weight(i + 1) / weight(i).
template <class Curve, class Step>
[[nodiscard]] double mean_over_load(Curve&& curve, Step step, std::uint64_t mode) {
    constexpr double last_digit = 1e-17;
    const double spread = 10.0 * std::sqrt(static_cast<double>(mode)) + 10.0;
    if (static_cast<double>(mode) - spread > static_cast<double>(curve.saturation())) return 1.0;
    double weights = 1.0;
    double sum = curve(mode);
    double weight = 1.0;
    for (std::uint64_t i = mode; i > 0; --i) {
        weight /= step(i - 1);
        const double term = weight * curve(i - 1);
        weights += weight;
        sum += term;
        if (weight < last_digit * weights && term < last_digit * sum) break;
    }
    weight = 1.0;
    for (std::uint64_t i = mode;; ++i) {
        weight *= step(i);
        const double term = weight * curve(i + 1);
        weights += weight;
        sum += term;
        if (weight <= 1e-300) break;
        if (weight < last_digit * weights && term < last_digit * sum) break;
    }
    return std::min(sum / weights, 1.0);
}

/// Load ~ Binomial(n, 1/blocks), n a whole number.
template <class Curve>
[[nodiscard]] double binomial_mean(Curve&& curve, double n, double blocks) {
    if (blocks <= 1.0) {
        return n >= static_cast<double>(curve.saturation()) ? 1.0
                                                            : curve(static_cast<std::uint64_t>(n));
    }
    const auto step = [=](std::uint64_t i) {
        const auto at = static_cast<double>(i);
        return (n - at) / ((at + 1.0) * (blocks - 1.0));
    };
    return mean_over_load(curve, step, static_cast<std::uint64_t>((n + 1.0) / blocks));
}

/// Load ~ Poisson(mean), the limit of the above for many blocks.
template <class Curve>
[[nodiscard]] double poisson_mean(Curve&& curve, double mean) {
    const auto step = [=](std::uint64_t i) { return mean / (static_cast<double>(i) + 1.0); };
    return mean_over_load(curve, step, static_cast<std::uint64_t>(mean));
}

} // namespace bloomery::inline v0::plan
