// What filters that count have in common: a key has k counters, and the least of them is its count
// or too high.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/layout/places.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/storage/words.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0 {

/// Counters, and the rule that maps keys to them. `Counters` has operator[], prepare, set and
/// limit, like storage::escaped_counters.
///
/// All counters of a key are read before any is written, so a counter that two probes share counts
/// once. A counter that reaches limit() is stuck there. Calls that throw memory_refused have
/// changed nothing. Moved-from counters are all 0, and adding to them throws bad_argument.
template <class Counters>
class BLOOMERY_EXPORT key_counters {
public:
    key_counters(Counters counters, const layout::place_rule& rule)
        : rule_(rule), counters_(std::move(counters)) {}

    /// The smallest of a key's counters. O(k).
    [[nodiscard]] std::uint64_t least(digest128 key) const noexcept {
        std::uint64_t found = counters_.limit();
        rule_.each(key, [&](std::uint64_t at) {
            found = std::min(found, counters_[at]);
            return found != 0;
        });
        return found;
    }

    /// Minimum selection: adds r to each of a key's counters. O(k).
    insertion add(digest128 key, std::uint64_t r) {
        const layout::key_places at = rule_.of(key);
        values now = read(at);
        const std::uint64_t before = now.least();
        for (std::uint64_t& value : now.all()) {
            value = plus(value, r);
        }
        return store(at, now, before);
    }

    /// Minimal increase: raises those of a key's counters that are below the least plus r. O(k).
    insertion raise(digest128 key, std::uint64_t r) {
        const layout::key_places at = rule_.of(key);
        values now = read(at);
        const std::uint64_t before = now.least();
        for (std::uint64_t& value : now.all()) {
            value = std::max(value, plus(before, r));
        }
        return store(at, now, before);
    }

    /// Makes room, so that `add` with the same arguments cannot fail. O(k).
    void make_room(digest128 key, std::uint64_t r) {
        require_places();
        const layout::key_places at = rule_.of(key);
        values now = read(at);
        for (std::uint64_t& value : now.all()) {
            value = plus(value, r);
        }
        counters_.prepare(at.all(), now.all());
    }

    /// Takes r from each of a key's counters that is not stuck; `saturated` if one is. If any is
    /// below r: `not_present`, and nothing changes. O(k).
    status subtract(digest128 key, std::uint64_t r) noexcept {
        const layout::key_places at = rule_.of(key);
        const values now = read(at);
        if (now.least() < r || rule_.place_count() == 0) {
            return status::not_present;
        }
        status done = status::ok;
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (now.all()[i] == counters_.limit()) {
                done = status::saturated;
            } else {
                counters_.set(at[i], now.all()[i] - r);
            }
        }
        return done;
    }

    /// Whether only one of a key's counters has the smallest value. O(k).
    [[nodiscard]] bool has_lone_least(digest128 key) const noexcept {
        const layout::key_places at = rule_.of(key);
        const values now = read(at);
        const std::uint64_t lowest = now.least();
        std::size_t first = 0;
        while (now.numbers[first] != lowest) {
            ++first;
        }
        for (std::size_t i = first + 1; i < at.size(); ++i) {
            if (now.numbers[i] == lowest && at[i] != at[first]) {
                return false;
            }
        }
        return true;
    }

    /// a + b, at most limit(). O(1).
    [[nodiscard]] std::uint64_t plus(std::uint64_t a, std::uint64_t b) const noexcept {
        return b > counters_.limit() - a ? counters_.limit() : a + b;
    }

    /// Prefetches a key's counters.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        rule_.each(key, [this](std::uint64_t at) {
            counters_.prefetch(at);
            return true;
        });
    }

    [[nodiscard]] const layout::place_rule& rule() const noexcept { return rule_; }
    [[nodiscard]] Counters& counters() noexcept { return counters_; }
    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

private:
    void require_places() const {
        if (rule_.place_count() == 0) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }

    /// The values of a key's counters. Not zeroed: each key costs only as many as it has.
    struct values {
        std::array<std::uint64_t, plan::max_hash_count> numbers; // NOLINT
        std::size_t size = 0;

        [[nodiscard]] std::span<std::uint64_t> all() noexcept { return {numbers.data(), size}; }
        [[nodiscard]] std::span<const std::uint64_t> all() const noexcept {
            return {numbers.data(), size};
        }
        [[nodiscard]] std::uint64_t least() const noexcept {
            std::uint64_t found = numbers[0];
            for (const std::uint64_t number : all()) {
                found = std::min(found, number);
            }
            return found;
        }
    };

    [[nodiscard]] values read(const layout::key_places& at) const noexcept {
        values now;
        now.size = at.size();
        for (std::size_t i = 0; i < at.size(); ++i) {
            now.numbers[i] = counters_[at[i]];
        }
        return now;
    }
    insertion store(const layout::key_places& at, const values& next, std::uint64_t before) {
        require_places();
        counters_.prepare(at.all(), next.all());
        status done = status::ok;
        for (std::size_t i = 0; i < at.size(); ++i) {
            counters_.set(at[i], next.numbers[i]);
            if (next.numbers[i] == counters_.limit()) {
                done = status::saturated;
            }
        }
        return {before == 0, done};
    }

    layout::place_rule rule_;
    Counters counters_;
};

} // namespace bloomery::inline v0
