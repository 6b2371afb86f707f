// The keys of a benchmark: those that a filter holds, and those that it is asked for.
//
// They are made here by splitmix64, not by the library's own mixer, which would be hashing its own
// output. splitmix64 is a bijection, so it is known of every key whether it is in: the benchmark
// checks the answers before it times them.
#pragma once

#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// The keys that one timing takes.
inline constexpr std::size_t segment_length = std::size_t{1} << 17U;

/// The rate of false positives that filters are made for.
inline constexpr double bench_rate = 0.01;

/// Number i of Steele, Lea and Flood's sequence. O(1).
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t i) noexcept {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// URL-like strings of 23 to 40 bytes, one for each 64-bit number, all in one piece of memory.
class url_arena {
public:
    /// Makes them anew. O(n); what `urls` gave before is gone. Throws std::bad_alloc.
    void assign(std::span<const std::uint64_t> numbers);

    [[nodiscard]] std::span<const std::string_view> urls() const noexcept { return urls_; }

private:
    std::vector<char> bytes_;
    std::vector<std::string_view> urls_;
};

/// Segments of keys to ask for, of a filter that holds `item_count` keys. Immutable: any number of
/// threads may read it.
class bench_keys {
public:
    /// O(segments). Throws std::bad_alloc.
    bench_keys(std::uint64_t item_count, std::size_t segment_count);

    [[nodiscard]] std::uint64_t item_count() const noexcept { return item_count_; }
    [[nodiscard]] std::size_t segment_count() const noexcept { return held_.size(); }

    /// Keys of which a random half is in the filter.
    [[nodiscard]] std::span<const std::uint64_t> mixed(std::size_t segment) const noexcept {
        return std::span(mixed_).subspan(segment * segment_length, segment_length);
    }
    /// Keys that all are in the filter, in random order.
    [[nodiscard]] std::span<const std::uint64_t> members(std::size_t segment) const noexcept {
        return std::span(members_).subspan(segment * segment_length, segment_length);
    }
    /// The keys of `mixed` as URLs.
    [[nodiscard]] std::span<const std::string_view> urls(std::size_t segment) const noexcept {
        return urls_.urls().subspan(segment * segment_length, segment_length);
    }
    /// Which keys of `mixed`, and of `urls`, are in.
    [[nodiscard]] const bitmap& held(std::size_t segment) const noexcept { return held_[segment]; }

    /// All keys that the filter holds, some at a time. O(n).
    void each_held(const std::function<void(std::span<const std::uint64_t>)>& visit) const;

private:
    std::uint64_t item_count_;
    std::vector<std::uint64_t> mixed_;
    std::vector<std::uint64_t> members_;
    std::vector<bitmap> held_;
    url_arena urls_;
};

/// Keys are shared by all cases of a size.
using shared_keys = std::shared_ptr<const bench_keys>;

/// Answers for a segment: bit i is set if the filter may hold key i of it.
using answer_segment = std::function<void(std::size_t segment, bitmap& maybe)>;

/// Asks for every segment and compares with what is known; returns the measured rate of false
/// positives. Throws std::logic_error, which names the subject, when a key is missed, or when the
/// rate is more than twice what the filter was made for: then its timings mean nothing.
double checked_rate(const bench_keys& keys, std::string_view subject, const answer_segment& ask);

} // namespace bloomery::cli
