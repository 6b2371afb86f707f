#include "coincidence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::uint32_t most = 10;

// Below this the sum of terms of about 1 has lost too many digits.
constexpr double safe_from_cancellation = 1e-6;

// Where floor(i x) steps for some i up to count: all fractions with such a denominator, in 1/unit.
std::vector<std::uint64_t> steps_of(std::uint32_t count, std::uint64_t unit) {
    std::vector<std::uint64_t> points;
    for (std::uint64_t below = 1; below <= count; ++below) {
        for (std::uint64_t above = 0; above <= below; ++above) {
            points.push_back(above * unit / below);
        }
    }
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

} // namespace

const coincidence& coincidence::of(std::uint32_t count) {
    static std::array<std::once_flag, most + 1> once;
    static std::array<std::unique_ptr<const coincidence>, most + 1> made;
    std::call_once(once.at(count), [&] { made.at(count).reset(new coincidence(count)); });
    return *made.at(count);
}

coincidence::coincidence(std::uint32_t count) : count_(count) {
    for (std::uint64_t i = 2; i <= count; ++i) unit_ = std::lcm(unit_, i);
    const std::vector<std::uint64_t> points = steps_of(count, unit_);
    // x and 1 - x are mirror images of each other: half of the intervals tell all.
    for (std::size_t i = 0; i + 1 < points.size() && 2 * points[i] < unit_; ++i) {
        const bool mirrored = points[i] + points[i + 1] != unit_;
        const std::uint64_t length = (points[i + 1] - points[i]) * (mirrored ? 2 : 1);
        intervals_.push_back(
            {static_cast<double>(length) / static_cast<double>(unit_), sets_at(points, points[i])});
        add_summands(intervals_.back(), length);
    }
}

std::vector<std::pair<std::uint32_t, std::uint64_t>>
coincidence::sets_at(const std::vector<std::uint64_t>& points, std::uint64_t x) const {
    std::map<std::uint32_t, std::uint64_t> weights;
    std::vector<std::tuple<std::uint64_t, std::int64_t, std::uint32_t>> met;
    const auto unit = static_cast<std::int64_t>(unit_);
    for (std::size_t at = 0; at + 1 < points.size(); ++at) {
        met.clear();
        for (std::uint32_t i = 1; i <= count_; ++i) {
            for (std::uint32_t j = 1; j <= count_; ++j) {
                const auto wraps = static_cast<std::int64_t>(i * points[at] / unit_) -
                                   static_cast<std::int64_t>(j * x / unit_);
                met.emplace_back(j * unit_ / i, wraps * unit / i, 1U << (j - 1));
            }
        }
        std::ranges::sort(met);
        for (std::size_t i = 0; i < met.size();) {
            const auto& [ratio, shift, first] = met[i];
            std::uint32_t set = 0;
            for (; i < met.size() && std::get<0>(met[i]) == ratio && std::get<1>(met[i]) == shift;
                 ++i) {
                set |= std::get<2>(met[i]);
            }
            weights[set] += points[at + 1] - points[at];
        }
    }
    return {weights.begin(), weights.end()};
}

void coincidence::add_summands(const interval& at, std::uint64_t length) {
    const std::uint32_t all = (1U << count_) - 1;
    std::vector<std::uint64_t> within(all + 1); // conditions that set only probes of the index
    for (const auto& [set, conditions] : at.sets) within[set] += conditions;
    for (std::uint32_t bit = 1; bit <= all; bit *= 2) {
        for (std::uint32_t set = 0; set <= all; ++set) {
            if ((set & bit) != 0) within[set] += within[set ^ bit];
        }
    }
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> grouped;
    for (std::uint32_t clear = 0; clear <= all; ++clear) {
        const auto probes = static_cast<std::uint32_t>(std::popcount(clear));
        grouped[{probes, within[all] - within[all ^ clear]}] += probes % 2 == 0 ? 1 : -1;
    }
    for (const auto& [which, times] : grouped) {
        summands_.push_back({which.first, which.second,
                             static_cast<double>(times) * static_cast<double>(length) /
                                 static_cast<double>(unit_)});
    }
}

double coincidence::by_exclusion(double load, std::uint32_t even) const {
    double sum = 0.0;
    for (const summand& one : summands_) {
        const double avoided = static_cast<double>(even * one.probes) +
                               static_cast<double>(one.conditions) / static_cast<double>(unit_);
        sum += one.factor * std::exp(-load * avoided);
    }
    return sum;
}

// The chance of each set of probes to be the one that is set, as the conditions are gone through
// one by one: all terms are positive.
double coincidence::by_cases(double load, std::uint32_t even) const {
    const std::uint32_t all = (1U << count_) - 1;
    double sum = 0.0;
    std::vector<double> chance(all + 1);
    for (const interval& at : intervals_) {
        std::ranges::fill(chance, 0.0);
        chance[0] = 1.0;
        const auto meet = [&](std::uint32_t set, double conditions) {
            const double met = -std::expm1(-load * conditions);
            for (std::uint32_t before = 0; before <= all; ++before) {
                if ((before & set) == set) continue;
                const double moved = chance[before] * met;
                chance[before] -= moved;
                chance[before | set] += moved;
            }
        };
        for (std::uint32_t bit = 1; bit <= all; bit *= 2) meet(bit, even);
        for (const auto& [set, conditions] : at.sets) {
            meet(set, static_cast<double>(conditions) / static_cast<double>(unit_));
        }
        sum += at.share * chance[all];
    }
    return sum;
}

double coincidence::all_set(double load, std::uint32_t even) const {
    if (count_ == 0) return 1.0;
    const double quick = by_exclusion(load, even);
    return quick >= safe_from_cancellation ? std::min(quick, 1.0) : by_cases(load, even);
}

} // namespace bloomery::inline v0::plan
