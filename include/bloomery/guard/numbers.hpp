// The counters of a guard, as a struct, as JSON and for Prometheus.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/guard/options.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {

/// Time spent in one component.
struct guard_time {
    std::uint64_t calls = 0; ///< how many were timed
    std::chrono::nanoseconds total{};

    /// The mean time per call; zero without calls. O(1).
    [[nodiscard]] std::chrono::nanoseconds mean() const noexcept {
        return calls == 0 ? std::chrono::nanoseconds{0}
                          : total / static_cast<std::chrono::nanoseconds::rep>(calls);
    }
};

/// A guard's counters since it was created, and the current state of its filter. Every requested
/// key is counted in exactly one of `refused`, `excepted`, `joined`, `cache_hits`,
/// `cache_absences`, `source_hits`, `false_positives`, `unfiltered_absences` and `failed`.
struct guard_numbers {
    std::uint64_t asked = 0;               ///< keys that were requested
    std::uint64_t refused = 0;             ///< definitely absent according to the filter
    std::uint64_t excepted = 0;            ///< known to be absent from the exception list
    std::uint64_t joined = 0;              ///< took the answer of another thread's request
    std::uint64_t cache_hits = 0;          ///< values from the cache
    std::uint64_t cache_absences = 0;      ///< the cache knew that there is no value
    std::uint64_t source_hits = 0;         ///< values from the source
    std::uint64_t false_positives = 0;     ///< the filter said maybe, the source said no
    std::uint64_t unfiltered_absences = 0; ///< the source said no while there was no filter yet
    std::uint64_t failed = 0;              ///< the source was down or refused the request

    std::uint64_t puts = 0;      ///< puts begun
    std::uint64_t updates = 0;   ///< puts of keys that the source already had
    std::uint64_t erases = 0;    ///< erases begun
    std::uint64_t leftovers = 0; ///< keys erased since the last build that are still in the filter
    std::uint64_t uncertain = 0; ///< puts that failed with an unknown outcome
    std::uint64_t cache_failures = 0;  ///< calls to the cache that failed
    std::uint64_t source_failures = 0; ///< calls to the source that failed

    bool ready = false;         ///< there is a filter
    bool rebuilding = false;    ///< one is being built
    std::uint64_t rebuilds = 0; ///< filters built from a full scan
    std::uint64_t failed_rebuilds = 0;
    std::uint64_t caught_up = 0; ///< keys read from the source since a mark
    std::uint64_t scanned = 0;   ///< keys read so far by the current scan, or by the last one
    std::uint64_t layers = 0;    ///< one, plus one for each time the filter has grown

    std::uint64_t item_capacity = 0;   ///< how many keys the filter is made for
    std::uint64_t estimated_items = 0; ///< roughly how many it holds
    std::uint64_t filter_bytes = 0;
    std::uint64_t exceptions = 0; ///< entries on the exception list
    double planned_rate = 0;      ///< false-positive rate as requested
    double present_rate = 0;      ///< computed from the current contents
    double measured_rate = 0;     ///< false_positives / (false_positives + refused): the share of
                                  ///< false positives among absent keys that reached the filter

    std::array<std::uint64_t, alarm_kinds> alarms{}; ///< how often each alarm was raised

    guard_time filter_time; ///< sampled: one call in 256
    guard_time cache_time;
    guard_time source_time;
};

/// One JSON object with the names above; alarms as an object by name; times as calls and seconds.
/// O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string to_json(const guard_numbers& numbers);

/// The text format of Prometheus: one metric family per number, named bloomery_guard_..., with HELP
/// and TYPE. `labels` are inserted unchanged into the braces of each sample: `table="items"`. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string to_prometheus(const guard_numbers& numbers,
                                                        std::string_view labels = {});

} // namespace bloomery::inline v0
