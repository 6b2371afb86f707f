// Counters that many threads increment at the same time.
#pragma once

#include <bloomery/guard/numbers.hpp>

#include "read_mostly_lock.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace bloomery::inline v0::detail {

/// What a guard counts: numbers of guard_numbers, and calls with the time that they took.
struct counters : guard_numbers {
    std::uint64_t filter_calls = 0;
    std::uint64_t filter_ns = 0;
    std::uint64_t cache_calls = 0;
    std::uint64_t cache_ns = 0;
    std::uint64_t source_calls = 0;
    std::uint64_t source_ns = 0;
};
using tally = std::uint64_t counters::*;

/// A row of counters for each group of threads, so that they do not contend for cache lines.
class tallies {
public:
    void add(tally what, std::uint64_t by = 1) noexcept {
        of(rows_[thread_number() % rows_.size()], what).fetch_add(by, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t operator[](tally what) const noexcept {
        std::uint64_t sum = 0;
        for (row& one : rows_) {
            sum += of(one, what).load(std::memory_order_relaxed);
        }
        return sum;
    }

private:
    struct alignas(64) row {
        counters at{};
    };
    static std::atomic_ref<std::uint64_t> of(row& one, tally what) noexcept {
        return std::atomic_ref(one.at.*what);
    }

    mutable std::array<row, 16> rows_{};
};

/// Measures a scope: adds its duration, and one call, at the end.
class timed {
public:
    timed(tallies& to, tally calls, tally ns) noexcept : to_(to), calls_(calls), ns_(ns) {}
    timed(const timed&) = delete;
    timed& operator=(const timed&) = delete;
    ~timed() {
        const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - begun_;
        to_.add(calls_);
        to_.add(ns_, static_cast<std::uint64_t>(spent.count()));
    }

private:
    tallies& to_;
    tally calls_;
    tally ns_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

} // namespace bloomery::inline v0::detail
