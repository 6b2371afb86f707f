#include "demo/report.hpp"

#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace bloomery::cli {

namespace {

double demo_ratio(double of, double to) { return to > 0 ? of / to : 0; }
double number(std::uint64_t of) { return static_cast<double>(of); }

std::string time_text(std::chrono::nanoseconds time) {
    const auto ns = static_cast<double>(time.count());
    if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
    if (ns < 1e6) return fmt::format("{:.1f} us", ns / 1e3);
    return fmt::format("{:.1f} ms", ns / 1e6);
}

std::string count_text(double of) { return grouped(static_cast<std::uint64_t>(std::llround(of))); }

/// x 0.012, x 1.9, x 45: three digits at most before they are zeros.
std::string times_text(double of) {
    if (of >= 100) return fmt::format("x {}", count_text(of));
    return fmt::format("x {:.{}f}", of, of >= 10 ? 0 : of >= 1 ? 1 : 3);
}

/// A column of the table: what stands over it, in a phase, and in the row that compares two.
struct column {
    std::string_view title;
    std::size_t width;
    std::function<std::string(const demo_phase&)> of;
    std::function<std::string(const demo_phase&, const demo_phase&)> compared;
};

std::string nothing(const demo_phase& /*off*/, const demo_phase& /*on*/) { return ""; }

/// The ratio of one figure of a phase with the guard to the same without.
template <class Figure>
auto compared_by(Figure figure) {
    return [figure](const demo_phase& off, const demo_phase& on) {
        const double base = std::invoke(figure, off);
        return base > 0 ? times_text(std::invoke(figure, on) / base) : "";
    };
}

std::vector<column> columns_of(bool with_cache) {
    std::vector<column> all{
        {"requests", 11, [](const demo_phase& p) { return grouped(p.timing.requests); }, nothing},
        {"queries", 11, [](const demo_phase& p) { return grouped(p.source_queries); },
         compared_by(&demo_phase::per_thousand)},
        {"if absent", 11, [](const demo_phase& p) { return format_rate(p.absent_share()); },
         compared_by(&demo_phase::absent_share)}};
    if (with_cache) {
        all.push_back(
            {"cache hits", 12, [](const demo_phase& p) { return grouped(p.cache_hits); }, nothing});
    }
    all.push_back({"median", 10, [](const demo_phase& p) { return time_text(p.timing.median); },
                   compared_by([](const demo_phase& p) {
                       return static_cast<double>(p.timing.median.count());
                   })});
    all.push_back({"p99", 10, [](const demo_phase& p) { return time_text(p.timing.p99); },
                   compared_by([](const demo_phase& p) {
                       return static_cast<double>(p.timing.p99.count());
                   })});
    all.push_back({"requests/s", 12, [](const demo_phase& p) { return count_text(p.per_second()); },
                   compared_by(&demo_phase::per_second)});
    return all;
}

template <class Cell>
std::string demo_row(std::string_view label, const std::vector<column>& columns, Cell cell) {
    std::string line = fmt::format("{:<14}", label);
    // The blank is outside the width: a figure that is too wide must not run into the one before.
    for (const column& each : columns) line += fmt::format(" {:>{}}", cell(each), each.width - 1);
    return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

template <class Figure>
std::string bars_of(std::string_view title, const demo_report& of, const canvas& on,
                    Figure figure) {
    double most = 0;
    for (const demo_phase& each : of.phases) most = std::max(most, std::invoke(figure, each));
    constexpr std::size_t labels = 14 + 13; // before the bars, and of the figures behind them
    const std::size_t width = std::max<std::size_t>(on.columns, labels + 10) - labels;
    std::string text = fmt::format("\n{}\n", title);
    for (const demo_phase& each : of.phases) {
        const double value = std::invoke(figure, each);
        const std::string drawn = bar(demo_ratio(value, most), width, on);
        text += fmt::format(
            "{:<9}{:<5}{} {}\n", each.guarded ? "" : each.traffic, each.guarded ? "on" : "off",
            inked(drawn, each.guarded ? ink::green : ink::red, on), count_text(value));
    }
    return text;
}

nlohmann::ordered_json phase_json(const demo_phase& of) {
    const auto microseconds = [](std::chrono::nanoseconds time) {
        return static_cast<double>(time.count()) / 1e3;
    };
    return {{"traffic", of.traffic},
            {"guard", of.guarded},
            {"requests", of.timing.requests},
            {"absent_requests", of.timing.absent},
            {"seconds", of.timing.time.count()},
            {"source_queries", of.source_queries},
            {"absent_queries", of.absent_queries},
            {"cache_hits", of.cache_hits},
            {"median_us", microseconds(of.timing.median)},
            {"p99_us", microseconds(of.timing.p99)},
            {"requests_per_second", of.per_second()}};
}

} // namespace

double demo_phase::absent_share() const noexcept {
    return demo_ratio(number(absent_queries), number(timing.absent));
}
double demo_phase::per_second() const noexcept {
    return demo_ratio(number(timing.requests), timing.time.count());
}
double demo_phase::per_thousand() const noexcept {
    return demo_ratio(1000 * number(source_queries), number(timing.requests));
}

std::string demo_table(const demo_report& of) {
    const guard_numbers& n = of.numbers;
    std::string text = fmt::format(
        "source   {}: {}, loaded in {:.1f} s\n"
        "cache    {}\n"
        "guard    {} for {} at {}, filled from the source in {:.2f} s\n"
        "clients  {}; 5 % of their keys are absent (ordinary), or 95 % (attack)\n\n",
        of.source, counted(of.rows, "row"), of.load_seconds, of.cache.empty() ? "none" : of.cache,
        format_bytes(n.filter_bytes), counted(n.item_capacity, "key"), format_rate(n.planned_rate),
        of.warm_up_seconds, of.clients);
    const std::vector<column> columns = columns_of(!of.cache.empty());
    text += demo_row("guard", columns, [](const column& each) { return std::string(each.title); });
    for (std::size_t i = 0; i < of.phases.size(); ++i) {
        const demo_phase& phase = of.phases[i];
        const std::string label = fmt::format("{:<9}{}", phase.guarded ? "" : phase.traffic,
                                              phase.guarded ? "on" : "off");
        text += demo_row(label, columns, [&](const column& each) { return each.of(phase); });
        if (!phase.guarded) continue;
        text += demo_row("         ratio", columns, [&](const column& each) {
            return each.compared(of.phases[i - 1], phase);
        });
    }
    return text + "\nqueries: those that reached the source; if absent: the share of requests "
                  "for\n"
                  "absent keys that reached it\n";
}

std::string demo_bars(const demo_report& of, const canvas& on) {
    return bars_of("source queries per thousand requests", of, on, &demo_phase::per_thousand) +
           bars_of("requests per second", of, on, &demo_phase::per_second);
}

std::string demo_summary(const demo_report& of) {
    const demo_phase& attack = of.phases.back();
    return fmt::format("\nfalse positives  {} of {} in the attack: {}; planned {}\n"
                       "a second time    {}, {} to the source\n",
                       grouped(attack.absent_queries), counted(attack.timing.absent, "absent key"),
                       format_rate(attack.absent_share()), format_rate(of.numbers.planned_rate),
                       counted(of.asked_again, "absent key"), counted(of.queries_again, "query"));
}

std::string demo_json(const demo_report& of) {
    using json = nlohmann::ordered_json;
    json phases = json::array();
    for (const demo_phase& each : of.phases) phases.push_back(phase_json(each));
    const json whole{
        {"source", of.source},
        {"cache", of.cache.empty() ? json() : json(of.cache)},
        {"rows", of.rows},
        {"clients", of.clients},
        {"seed", of.seed},
        {"load_seconds", of.load_seconds},
        {"warm_up_seconds", of.warm_up_seconds},
        {"phases", std::move(phases)},
        {"second_time", {{"requests", of.asked_again}, {"source_queries", of.queries_again}}},
        {"numbers", json::parse(to_json(of.numbers))}};
    return whole.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

} // namespace bloomery::cli
