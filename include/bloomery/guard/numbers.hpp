// What a guard has counted, for people, programs and Prometheus.
#pragma once

#include <bloomery/guard/alarm.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery {

/// Time spent in one place.
struct guard_time {
    std::uint64_t calls = 0; ///< how many were timed
    std::chrono::nanoseconds total{};

    /// The mean of a call; zero without calls. O(1).
    [[nodiscard]] std::chrono::nanoseconds mean() const noexcept {
        return calls == 0 ? std::chrono::nanoseconds{0}
                          : total / static_cast<std::chrono::nanoseconds::rep>(calls);
    }
};

/// A guard's counts since it was made, and its filter's state now. Every key that was asked for is
/// in one of `refused`, `excepted`, `joined`, `cache_hits`, `cache_absences`, `source_hits`,
/// `false_positives`, `unfiltered_absences` and `failed`.
struct guard_numbers {
    std::uint64_t asked = 0;               ///< keys that were asked for
    std::uint64_t refused = 0;             ///< surely absent, by the filter
    std::uint64_t excepted = 0;            ///< known to be absent, by the list of exceptions
    std::uint64_t joined = 0;              ///< took the answer that another thread was waiting for
    std::uint64_t cache_hits = 0;          ///< values from the cache
    std::uint64_t cache_absences = 0;      ///< the cache knew that the source has none
    std::uint64_t source_hits = 0;         ///< values from the source
    std::uint64_t false_positives = 0;     ///< the filter said maybe, the source no
    std::uint64_t unfiltered_absences = 0; ///< the source said no while there was no filter yet
    std::uint64_t failed = 0;              ///< the source was down or refused

    std::uint64_t puts = 0;      ///< that were begun
    std::uint64_t updates = 0;   ///< of them, keys that the source had already
    std::uint64_t erases = 0;    ///< that were begun
    std::uint64_t leftovers = 0; ///< keys that left the source since the last build, not the filter
    std::uint64_t uncertain = 0; ///< puts that failed with an unknown outcome
    std::uint64_t cache_failures = 0;  ///< calls to the cache that failed
    std::uint64_t source_failures = 0; ///< calls to the source that failed

    bool ready = false;         ///< there is a filter
    bool rebuilding = false;    ///< one is being made
    std::uint64_t rebuilds = 0; ///< filters made from a whole scan
    std::uint64_t failed_rebuilds = 0;
    std::uint64_t caught_up = 0; ///< keys read from the source since a mark
    std::uint64_t scanned = 0;   ///< keys read so far by the scan under way, or by the last one
    std::uint64_t layers = 0;    ///< one, and one more each time that the filter has grown

    std::uint64_t item_capacity = 0;   ///< how many keys the filter is for
    std::uint64_t estimated_items = 0; ///< about how many are in
    std::uint64_t filter_bytes = 0;
    std::uint64_t exceptions = 0; ///< entries of the list
    double planned_rate = 0;      ///< of false positives, as asked for
    double present_rate = 0;      ///< computed from what is in
    double measured_rate = 0; ///< false positives of all distinct absences that reached the filter:
                              ///< false_positives / (false_positives + refused)

    std::array<std::uint64_t, alarm_kinds> alarms{}; ///< how often each was raised

    guard_time filter_time; ///< a sample: one call in 256
    guard_time cache_time;
    guard_time source_time;
};

/// One JSON object: the names above; alarms as an object by name; times as calls and seconds. O(1).
[[nodiscard]] std::string to_json(const guard_numbers& numbers);

/// The text form that Prometheus reads: a family a number, named bloomery_guard_..., with HELP and
/// TYPE. `labels` stand inside the braces of each sample as they are: `table="items"`. O(1).
[[nodiscard]] std::string to_prometheus(const guard_numbers& numbers, std::string_view labels = {});

} // namespace bloomery
