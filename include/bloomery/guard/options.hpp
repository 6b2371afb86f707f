// How a guard behaves, and what it raises an alarm for.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/quantity.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {

// Alarms: what ordinary traffic does not explain.

/// What an alarm is about.
enum class alarm_kind : std::uint8_t {
    overfull,     ///< too many keys in the filter: the computed rate is twice the planned one
    crafted_fill, ///< more bits set than that many keys set by chance: keys are chosen to fill it
    crafted_keys, ///< more false positives than the computed rate explains: somebody requests
                  ///< absent keys that are known to pass, or erased keys
    stale,        ///< the source has a key that the filter denied: somebody writes past the guard
};

inline constexpr std::size_t alarm_kinds = 4;

/// "overfull", "crafted_fill", ... O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(alarm_kind kind) noexcept;

/// One alarm, as passed to `on_alarm`.
struct guard_alarm {
    alarm_kind kind;
    std::string sentence; ///< what was found, with its figures, and what to do
};

// How a guard behaves.

/// What to do when the filter has more keys than it was made for, or its false-positive rate is
/// more than twice the planned rate.
enum class when_overfull : std::uint8_t {
    rebuild, ///< build a new one from the source, in the background
    grow,    ///< add a layer as soon as it is full: no scan, and the rate stays below twice the
             ///< planned one, but removed keys stay in; plain filters only
    alarm,   ///< only raise the alarm
};

/// What a guard does until it has its first filter.
enum class warm_up : std::uint8_t {
    wait,       ///< the constructor scans, and throws if it cannot
    background, ///< until the scan has ended, every key is treated as possibly present
};

/// The steps of a rebuild and of a checkpoint, in order.
enum class guard_step : std::uint8_t {
    begun,      ///< from here on, writes are also kept for the next filter
    settled,    ///< every write that began earlier has ended
    made,       ///< the next filter exists, empty
    scanning,   ///< once per batch of keys
    scanned,    ///< the next filter has all keys of the source
    caught_up,  ///< and those written past the guard meanwhile
    synced,     ///< and it is on disk
    drained,    ///< it has all writes that were kept; writes are paused
    renamed,    ///< its file has replaced the old one
    swapped,    ///< it answers
    checkpoint, ///< what was inserted is on disk
    noted,      ///< and the note beside the file records the mark
};
inline constexpr std::size_t guard_steps = 12;

/// The options of a guard. The defaults are safe for keys that untrusted clients choose.
struct guard_options {
    rate planned{0.01};     ///< false-positive rate
    double headroom = 0.25; ///< extra room, as a fraction of the number of keys in the source
    std::uint64_t least_items = 1024; ///< room for at least this many keys
    /// The filter's file, mapped, so that a restart need not scan. Next to it are FILE.guard (a
    /// note), FILE.lock, FILE.next during a rebuild, and FILE.1, ... for a filter that has grown.
    /// It contains the secret of its hash, and only its owner can read it. Empty: memory only.
    std::filesystem::path file{};
    /// All writes to the source go through this guard. A file that has all of them is then used as
    /// it is, without a query to the source.
    bool only_writer = false;
    warm_up start = warm_up::wait;
    when_overfull policy = when_overfull::rebuild;
    /// The minimum time between two rebuilds that the guard starts by itself.
    std::chrono::milliseconds rebuild_pause{60'000};
    /// Use SipHash with a random secret, new for each filter. If false: XXH3, which is faster, for
    /// keys that no adversary chooses.
    bool keyed = true;
    std::uint64_t most_exceptions = 1U << 20U; ///< 24 to 40 bytes each; the oldest make room; at
                                               ///< least 1024
    /// One in this many refused keys is looked up anyway, to detect writers that bypass the guard.
    /// 0: none.
    std::uint64_t audit_every = 0;
    /// How long the cache is not used after a failure.
    std::chrono::milliseconds cache_pause{1'000};
    /// The maximum number of keys whose old value could not be removed because the cache was down.
    /// With more, the cache is not used until all of its entries have expired.
    std::size_t most_pending_erases = 100'000;

    /// Called during a scan with the keys read so far and the source's own count. Runs on the
    /// scanning thread.
    std::function<void(std::uint64_t done, std::uint64_t expected)> progress{};
    /// Called for each alarm, on the thread that found it; must neither throw nor block.
    std::function<void(const guard_alarm&)> on_alarm{};
    /// Called for each step, on the thread that does it. It must not call the guard. Up to
    /// `synced`, an exception from it ends the rebuild; after that, it must not throw.
    std::function<void(guard_step)> on_step{};
};

} // namespace bloomery::inline v0
