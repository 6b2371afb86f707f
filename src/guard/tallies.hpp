// Counts that many threads raise at once.
#pragma once

#include "read_mostly_lock.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace bloomery::detail {

/// What a guard counts; the names are those of guard_numbers.
enum class tally : std::uint8_t {
    refused,
    excepted,
    joined,
    cache_hits,
    cache_absences,
    source_hits,
    false_positives,
    unfiltered_absences,
    failed,
    puts,
    updates,
    erases,
    uncertain,
    cache_failures,
    source_failures,
    caught_up,
    filter_calls,
    filter_ns,
    cache_calls,
    cache_ns,
    source_calls,
    source_ns,
    end,
};

/// A row of counts for each group of threads, so that they do not wait for each other's lines.
class tallies {
public:
    void add(tally what, std::uint64_t by = 1) noexcept {
        rows_[thread_number() % row_count].at[index(what)].fetch_add(by, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t operator[](tally what) const noexcept {
        std::uint64_t sum = 0;
        for (const row& one : rows_) {
            sum += one.at[index(what)].load(std::memory_order_relaxed);
        }
        return sum;
    }

private:
    static constexpr std::size_t row_count = 16;
    static constexpr auto kinds = static_cast<std::size_t>(tally::end);
    static constexpr std::size_t index(tally what) noexcept {
        return static_cast<std::size_t>(what);
    }
    struct alignas(64) row {
        std::array<std::atomic<std::uint64_t>, kinds> at{};
    };

    std::array<row, row_count> rows_{};
};

/// Adds the time of its life, and one call, when it ends.
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

} // namespace bloomery::detail
