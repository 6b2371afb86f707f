// How a guard behaves.
#pragma once

#include <bloomery/guard/alarm.hpp>
#include <bloomery/plan/quantity.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace bloomery {

/// What to do when the filter has more keys than it is for, or errs more than twice as often as
/// planned.
enum class when_overfull : std::uint8_t {
    rebuild, ///< make another from the source, in the background
    grow,    ///< add a layer as soon as it has the keys it is for: no scan, the rate stays below
             ///< twice the planned one, and removed keys stay in; a plain filter only
    alarm,   ///< tell, and leave it to the caller
};

/// Where a guard that has no filter yet spends the time until it has one.
enum class warm_up : std::uint8_t {
    wait,       ///< the constructor scans, and throws if it cannot
    background, ///< every key is taken for a possible one until the scan has ended
};

/// The steps of a rebuild and of a checkpoint, in their order.
enum class guard_step : std::uint8_t {
    begun,      ///< from here on, writes are kept for the next filter too
    settled,    ///< every write that was begun before has ended
    made,       ///< the next filter is there, empty
    scanning,   ///< once for each batch of keys
    scanned,    ///< all keys of the source are in the next filter
    caught_up,  ///< and those that came past the guard meanwhile
    synced,     ///< and it is on the disk
    drained,    ///< it has all writes that were kept; nobody writes now
    renamed,    ///< its file has the place of the old one
    swapped,    ///< it answers
    checkpoint, ///< what was inserted is on the disk
    noted,      ///< and the note beside the file says up to when
};
inline constexpr std::size_t guard_steps = 12;

/// See above. Everything has a default that suits keys that anybody may choose.
struct guard_options {
    rate planned{0.01};     ///< of false positives
    double headroom = 0.25; ///< room for so many more keys than the source has, as a share of them
    std::uint64_t least_items = 1024; ///< room for at least so many
    /// The file of the filter, mapped, so that a restart need not scan. Beside it lie FILE.guard (a
    /// note), FILE.lock, while it is made anew FILE.next, and FILE.1, ... of a filter that grew. It
    /// keeps the secret of its hash, and is readable by its owner alone. Empty: memory only.
    std::filesystem::path file{};
    /// Nobody writes to the source but through this guard: then a file that has all of its writes
    /// is taken as it is, without a look at the source.
    bool only_writer = false;
    warm_up start = warm_up::wait;
    when_overfull policy = when_overfull::rebuild;
    /// The least time between two rebuilds that the guard begins by itself.
    std::chrono::milliseconds rebuild_pause{60'000};
    /// SipHash under a random secret, a new one for each filter made. Without it XXH3, which is
    /// faster, for keys that no adversary chooses.
    bool keyed = true;
    std::uint64_t most_exceptions = 1U << 20U; ///< 24 to 40 bytes each; the oldest make room; 1024
                                               ///< at least
    /// One in so many keys that the filter refuses is looked up nevertheless, to find writers that
    /// go past the guard. 0: none.
    std::uint64_t audit_every = 0;
    /// How long the cache is left alone after it failed.
    std::chrono::milliseconds cache_pause{1'000};
    /// Keys whose old value could not be removed from a cache that is down. If there are more, the
    /// cache is not used before all of its entries have expired.
    std::size_t most_debts = 100'000;

    /// Told of a scan: keys so far, and how many the source said it has. From the scanning thread.
    std::function<void(std::uint64_t done, std::uint64_t expected)> progress{};
    /// Told of each alarm, from whatever thread found it; must not throw nor wait.
    std::function<void(const guard_alarm&)> on_alarm{};
    /// Told of each step, from the thread that makes it. It must not call the guard. What it throws
    /// ends the rebuild up to `synced`; after that it must not throw.
    std::function<void(guard_step)> on_step{};
};

} // namespace bloomery
