#include "occupancy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bloomery::inline v0::plan {
namespace {

// Below this a probability no longer matters; cutting it off keeps the loops out of denormals.
constexpr double negligible = 1e-290;

// Terms that cannot change a sum any more.
constexpr double last_digit = 1e-17;

// Inclusion and exclusion. The terms fall at least as fast as 2^-t / t!, given that an empty cell
// is expected less than half a time, so nothing cancels.
double few_stay_empty(double balls, double cells, std::uint32_t marked) {
    double sum = 1.0;
    double choose = 1.0;
    for (std::uint32_t t = 1; t <= marked && t < cells; ++t) {
        choose *= -static_cast<double>(marked - t + 1) / t;
        const double term = choose * std::exp(balls * std::log1p(-(t / cells)));
        sum += term;
        if (std::abs(term) < last_digit) break;
    }
    return sum;
}

// Sums over the number of balls that fall on the marked cells, Binomial(balls, marked/cells), times
// the chance that so many balls hit all of them. The weights start from an arbitrary 1 whose
// logarithm is kept apart, because the true first weight may lie below the range of a double.
double many_stay_empty(double balls, double cells, std::uint32_t marked) {
    constexpr double large = 1e200;
    const double share = marked / cells;
    const double odds = share / (1.0 - share);
    double log_scale = balls * std::log1p(-share);
    double weight = 1.0;
    double sum = 0.0;
    throws cover(marked, marked, negligible, false);
    // The loop ends long before, once the terms no longer count; only the conversion needs a bound.
    const auto last = static_cast<std::uint64_t>(std::min(balls, 1e18));
    for (std::uint64_t thrown = 1; thrown <= last; ++thrown) {
        const auto ball = static_cast<double>(thrown);
        weight *= (balls - ball + 1.0) / ball * odds;
        if (weight > large) {
            weight /= large;
            sum /= large;
            log_scale += std::log(large);
        }
        cover.one_more();
        const double term = weight * cover.hit[marked];
        sum += term;
        const bool falling = ball > balls * share && ball > marked;
        if ((falling && term < last_digit * sum) || weight == 0.0) break;
    }
    return sum * std::exp(log_scale);
}

} // namespace

throws::throws(std::uint32_t most, double of, double below, bool both)
    : hit(most + 1, 0.0), cells(of), negligible(below), at_both_ends(both) {
    hit[0] = 1.0;
}

void throws::one_more() {
    const double each = 1.0 / cells;
    if (high + 1 < hit.size()) ++high;
    for (std::size_t i = high; i > low; --i) {
        const auto at = static_cast<double>(i);
        hit[i] = (hit[i] * at + hit[i - 1] * (cells - at + 1.0)) * each;
    }
    hit[low] *= static_cast<double>(low) * each;
    while (low < high && hit[low] < negligible) hit[low++] = 0.0;
    while (at_both_ends && high > low && hit[high] < negligible) hit[high--] = 0.0;
}

std::vector<double> distinct_cells(std::uint32_t balls, double cells) {
    // Never more entries than cells, so that no chance of hitting a new one turns negative.
    throws all(static_cast<std::uint32_t>(std::min<double>(balls, cells)), cells, negligible,
               false);
    for (std::uint32_t ball = 0; ball < balls; ++ball) all.one_more();
    return std::move(all.hit);
}

double all_marked_hit(double balls, double cells, std::uint32_t marked) {
    if (balls < marked) return 0.0;
    const double stay_empty = marked * std::exp(balls * std::log1p(-1.0 / cells));
    if (stay_empty <= 0.5) return few_stay_empty(balls, cells, marked);
    if (marked < cells) return many_stay_empty(balls, cells, marked);
    // Every cell is marked, so every ball counts.
    return distinct_cells(static_cast<std::uint32_t>(balls), cells)[marked];
}

double all_probes_hit(double balls, double cells, std::uint32_t probes) {
    if (balls < 1.0) return 0.0;
    if (cells <= 1.0) return 1.0;
    // The probes of a key may coincide: sum over the number of different cells they mean.
    const std::vector<double> distinct = distinct_cells(probes, cells);
    const auto most = static_cast<std::uint32_t>(std::min<double>(probes, cells));
    double sum = 0.0;
    for (std::uint32_t j = most; j > 0; --j) {
        if (distinct[j] == 0.0) continue;
        const double term = distinct[j] * all_marked_hit(balls, cells, j);
        sum += term;
        if (term < last_digit * sum) break;
    }
    return std::min(sum, 1.0);
}

} // namespace bloomery::inline v0::plan
