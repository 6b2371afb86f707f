#include "demo/demo.hpp"

#include <bloomery/error.hpp>
#include <bloomery/guard/guard.hpp>

#include "demo/place.hpp"
#include "demo/report.hpp"
#include "demo/traffic.hpp"
#include "interruption.hpp"
#include "output/progress.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

namespace {

using demo_clock = std::chrono::steady_clock;
using demo_guard = guard<filter, demo_cache, demo_source>;

double seconds_since(demo_clock::time_point begin) {
    return std::chrono::duration<double>(demo_clock::now() - begin).count();
}

void require_sense(const guard_demo_options& o) {
    constexpr std::uint64_t most_rows = 1'000'000'000;
    constexpr std::uint64_t most_requests = 100'000'000;
    if (o.rows == 0 || o.rows > most_rows) {
        throw bad_argument(fmt::format("--rows takes 1 to 1,000,000,000, not {}", grouped(o.rows)));
    }
    if (o.requests == 0 || o.requests > most_requests) {
        throw bad_argument(
            fmt::format("--requests takes 1 to 100,000,000, not {}", grouped(o.requests)));
    }
}

void load_rows(demo_source& into, const guard_demo_options& o) {
    constexpr std::uint64_t at_once = 100'000;
    progress line("load", o.rows);
    for (std::uint64_t done = 0; done < o.rows;) {
        const std::uint64_t count = std::min(at_once, o.rows - done);
        std::vector<demo_key> keys;
        std::vector<std::string> values;
        std::vector<store::entry> rows;
        keys.reserve(count); // so that none moves away from under its row
        values.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string_view key = keys.emplace_back(done + i, o.seed).text();
            rows.push_back({key, values.emplace_back(demo_value(key))});
        }
        // In the order of the index, whose pages are then written once for each batch.
        std::ranges::sort(rows, {}, &store::entry::key);
        into.load(rows);
        done += count;
        line.update(done, done);
        interruption::check();
    }
}

std::unique_ptr<demo_guard> warmed_up(const demo_cache& cache, const demo_source& source,
                                      const guard_demo_options& o) {
    progress line("warm up", o.rows);
    guard_options how;
    how.planned = o.planned;
    // The line must not outlive this call, and rebuilds might.
    how.policy = when_overfull::alarm;
    how.progress = [&line](std::uint64_t done, std::uint64_t /*expected*/) {
        line.update(done, done);
    };
    how.on_step = [](guard_step step) {
        if (step == guard_step::scanning) interruption::check();
    };
    return std::make_unique<demo_guard>(cache, source, how);
}

/// As a service without a filter does it.
std::optional<std::string> ask_unguarded(demo_cache& cache, demo_source& source,
                                         std::string_view key) {
    store::cached known = cache.get(key);
    if (known.is == store::cached::knowledge::value) return std::move(known.value);
    std::optional<std::string> found = source.get(key);
    if (found) {
        const store::entry one{key, *found};
        cache.put({&one, 1});
    }
    return found;
}

demo_phase measured(const demo_traffic& traffic, bool guarded, const demo_limits& limits,
                    const demo_cache& cache, const demo_source& source, const demo_asker& ask) {
    const demo_counts& queries = source.counts();
    const std::uint64_t asked = queries.asked;
    const std::uint64_t found = queries.found;
    const std::uint64_t hits = cache.counts().found;
    demo_phase phase{traffic.name, guarded, play(traffic, limits, ask)};
    phase.source_queries = queries.asked - asked;
    phase.absent_queries = phase.source_queries - (queries.found - found);
    phase.cache_hits = cache.counts().found - hits;
    return phase;
}

void play_phases(demo_report& into, demo_source& source, demo_cache& cache_off,
                 demo_cache& cache_on, demo_guard& with, const guard_demo_options& o) {
    const demo_limits limits{o.requests, std::chrono::duration<double>(o.seconds), o.threads};
    const std::array traffics{demo_traffic{"ordinary", 0.05, o.rows, o.seed, 0},
                              demo_traffic{"attack", 0.95, o.rows, o.seed, 1}};
    const demo_asker off = [&](std::string_view key) {
        return ask_unguarded(cache_off, source, key);
    };
    const demo_asker on = [&](std::string_view key) { return with.get(key); };
    std::size_t at = 0;
    for (const demo_traffic& each : traffics) {
        into.phases[at++] = measured(each, false, limits, cache_off, source, off);
        into.phases[at++] = measured(each, true, limits, cache_on, source, on);
    }
    const std::uint64_t before = source.counts().asked;
    into.asked_again = ask_absent_again(traffics.back(), into.phases.back().timing, on);
    into.queries_again = source.counts().asked - before;
}

demo_report demonstrate(const guard_demo_options& o) {
    demo_place place(o);
    interruption::check();
    demo_report report{place.source_text(), place.cache_text(), o.rows, o.threads, o.seed};
    demo_source source = place.source();
    auto begin = demo_clock::now();
    load_rows(source, o);
    report.load_seconds = seconds_since(begin);
    place.settle();
    demo_cache cache_off = place.cache("off");
    demo_cache cache_on = place.cache("on");
    begin = demo_clock::now();
    const std::unique_ptr<demo_guard> with = warmed_up(cache_on, source, o);
    report.warm_up_seconds = seconds_since(begin);
    play_phases(report, source, cache_off, cache_on, *with, o);
    report.numbers = with->numbers();
    return report;
}

void print(const demo_report& of, bool json) {
    if (json) return fmt::print("{}", demo_json(of));
    fmt::print("{}{}{}", demo_table(of), demo_bars(of, canvas_here()), demo_summary(of));
}

} // namespace

void play_guard_demo(const guard_demo_options& o) {
    require_sense(o);
    demo_report report;
    {
        const interruption watch;
        try {
            report = demonstrate(o);
        } catch (...) { // what fails after a signal fails because of it
            if (!interruption::noted()) throw;
        }
    }
    interruption::end_if_noted();
    print(report, o.json);
}

} // namespace bloomery::cli
