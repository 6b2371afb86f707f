#include "output/chart.hpp"

#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace bloomery::cli {

namespace {

constexpr int samples = 240;
constexpr int decades_below_goal = 2;
constexpr int most_decades = 9;

/// Where the rate has become useless, if nobody says how many keys are meant.
double keys_until_useless(const rate_curve& of) {
    std::uint64_t keys = 1;
    while (keys < std::uint64_t{1} << 60U && of.rate_at(keys) < 0.5) keys *= 2;
    return static_cast<double>(keys);
}

double keys_to_show(const rate_curve& of) {
    double most = 0;
    if (of.made_for) most = 2 * of.made_for->keys;
    if (of.now) most = std::max(most, (of.made_for ? 1.25 : 2.0) * of.now->keys);
    return most > 0 ? most : keys_until_useless(of);
}

int decade_below(double rate) {
    return rate > 0 ? static_cast<int>(std::floor(std::log10(rate))) : -most_decades;
}

int lowest_decade(const rate_curve& of) {
    int lowest = -3;
    if (of.made_for && of.made_for->rate > 0) {
        lowest = std::min(lowest, decade_below(of.made_for->rate) - decades_below_goal);
    }
    // What is in it now may be so little that its rate would leave no room for the rest.
    if (of.now && of.now->keys > 0) {
        lowest = std::min(lowest, std::max(decade_below(of.now->rate), lowest - 4));
    }
    return lowest;
}

/// 500k, 1.5M, 2G: as -n takes it.
std::string short_count(double count) {
    constexpr std::array<std::string_view, 6> units{"", "k", "M", "G", "T", "P"};
    std::size_t unit = 0;
    if (count >= 1e18) return fmt::format("{:g}", count);
    while (count >= 1000 && unit + 1 < units.size()) {
        count /= 1000;
        ++unit;
    }
    return fmt::format("{:.6g}{}", count, units.at(unit));
}

std::string label_of(std::string_view what, const chart_point& at) {
    const auto keys = static_cast<std::uint64_t>(std::llround(at.keys));
    return fmt::format("{} {}: {}", what, counted(keys, "key"), format_rate(at.rate));
}

} // namespace

double chart::up(double rate) const noexcept {
    return rate > 0 ? 1 - std::log10(rate) / least_decade : -1;
}

chart chart_of(const rate_curve& of) {
    chart made;
    made.title = "False-positive rate over the number of keys";
    made.subtitle = of.subtitle;
    made.most_keys = std::max(keys_to_show(of), 1.0);
    made.least_decade = lowest_decade(of);
    for (int i = 0; i <= samples; ++i) {
        const double keys = std::round(made.most_keys * i / samples);
        if (!made.curve.empty() && made.curve.back().keys == keys) continue;
        made.curve.push_back({keys, keys == 0 ? 0 : of.rate_at(static_cast<std::uint64_t>(keys))});
    }
    if (of.made_for) {
        made.marks.push_back(
            {chart_mark::role::made_for, *of.made_for, label_of("made for", *of.made_for)});
    }
    if (of.now) {
        made.marks.push_back(
            {chart_mark::role::now, *of.now,
             label_of(of.now_is_bound ? "now at most about" : "now about", *of.now)});
    }
    return made;
}

std::vector<chart_tick> key_ticks(const chart& of) {
    const double rough = of.most_keys / 4;
    const double unit = std::pow(10.0, std::floor(std::log10(rough)));
    double step = unit;
    for (const double times : {1.0, 2.0, 5.0, 10.0}) {
        step = std::max(1.0, times * unit);
        if (step >= rough) break;
    }
    std::vector<chart_tick> ticks;
    for (int i = 0; i * step <= of.most_keys * (1 + 1e-9); ++i) {
        ticks.push_back({i * step, short_count(i * step)});
    }
    return ticks;
}

std::vector<chart_tick> rate_ticks(const chart& of) {
    std::vector<chart_tick> ticks;
    const int step = -of.least_decade > 6 ? 2 : 1;
    for (int decade = 0; decade >= of.least_decade; decade -= step) {
        const double rate = std::pow(10.0, decade);
        ticks.push_back(
            {rate, decade >= -5 ? fmt::format("{:g} %", 100 * rate) : fmt::format("1e{}", decade)});
    }
    return ticks;
}

} // namespace bloomery::cli
