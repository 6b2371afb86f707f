// What the tests of a guard's behaviour share: a source and a cache that tests can inspect, keys, a
// door.
#pragma once

#include <bloomery/guard/guard.hpp>

#include "refusal.hpp"
#include "wait.hpp"
#include "watched_cache.hpp"
#include "watched_source.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

namespace bloomery::testing {

/// Long enough for anything that comes at all.
inline constexpr std::chrono::seconds in_time{30};

inline std::string key_of(std::uint64_t i) { return std::string("key ").append(std::to_string(i)); }
/// Never equal to the others, always similar.
inline std::string stranger_of(std::uint64_t i) {
    return std::string("kex ").append(std::to_string(i));
}
inline std::string value_of(std::uint64_t i) {
    return std::string("value ").append(std::to_string(i));
}

inline void fill(const watched_source& source, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) {
        source->data.put(key_of(i), value_of(i));
    }
}

/// A filter that errs often, so that false positives are easily met.
inline guard_options leaky() {
    guard_options options;
    options.planned = rate{0.25};
    options.headroom = 0;
    options.least_items = 64;
    return options;
}

inline guard_options in_file(const std::filesystem::path& file, guard_options options = {}) {
    options.file = file;
    return options;
}

/// Counts of keys, as each was answered: their sum is what was asked.
inline std::uint64_t answered(const guard_numbers& now) {
    return now.refused + now.excepted + now.joined + now.cache_hits + now.cache_absences +
           now.source_hits + now.false_positives + now.unfiltered_absences + now.failed;
}

inline std::uint64_t raised(const guard_numbers& now, alarm_kind kind) {
    return now.alarms.at(static_cast<std::size_t>(kind));
}

/// An absent key that the filter claims and that nobody has asked for; asks for others on the way.
template <class Guard>
std::string next_false_positive(Guard& of, std::uint64_t& from) {
    for (;; ++from) {
        const std::uint64_t before = of.numbers().false_positives;
        (void)of.get(stranger_of(from));
        if (of.numbers().false_positives != before) {
            return stranger_of(from++);
        }
    }
}

template <class Guard>
void await_rebuilds(const Guard& of, std::uint64_t count) {
    wait_until("the guard has rebuilt", in_time, [&] {
        const guard_numbers now = of.numbers();
        return now.rebuilds >= count && !now.rebuilding;
    });
}

/// Holds up the first thread that comes, until it is opened. Later ones pass.
class door {
public:
    void pass() {
        std::unique_lock lock(mutex_);
        if (std::exchange(somebody_, true)) {
            return;
        }
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
    }
    /// Returns when somebody stands before it.
    void await() {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, in_time, [this] { return somebody_; })) {
            throw std::runtime_error("waited in vain at a door");
        }
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool somebody_ = false;
    bool open_ = false;
};

using plain_guard = guard<filter, watched_cache, watched_source>;

} // namespace bloomery::testing
