// Warns once, at the moment when a filter holds more than it was made for.
#pragma once

#include <bloomery/filter/any_excepted.hpp>
#include <bloomery/filter/any_filter.hpp>

#include "units.hpp"
#include "warn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace bloomery::cli {

/// Counts the distinct lines that uniq puts into a filter.
class capacity_watch {
public:
    capacity_watch(const any_filter& seen, std::uint64_t held)
        : capacity_(
              has_no_end(without_exceptions(seen).spec().kind) ? 0 : seen.made_for().item_capacity),
          held_(held) {}

    void add(std::uint64_t fresh) {
        held_ += fresh;
        if (overfilled_ || capacity_ == 0 || held_ <= capacity_) return;
        overfilled_ = true;
        warn(fmt::format(
            "more than {} distinct lines: from here on, unique lines are lost at a growing "
            "rate; start again with a larger -n",
            format_count(capacity_)));
    }
    [[nodiscard]] bool overfilled() const noexcept { return overfilled_; }

private:
    /// Windows are never too full, since they forget, nor are filters that grow.
    static bool has_no_end(filter_kind kind) noexcept {
        return kind == filter_kind::window || kind == filter_kind::scalable;
    }

    std::uint64_t capacity_;
    std::uint64_t held_;
    bool overfilled_ = false;
};

/// How many keys a filter surely holds: the estimate, less what it may err by, so that a full one
/// is not overfilled by more of the same. As any_filter::stats.
[[nodiscard]] inline std::uint64_t surely_held(const any_filter& by) {
    const plan::cardinality now = by.stats().items;
    return static_cast<std::uint64_t>(std::max(0.0, now.items - 3 * now.standard_error));
}

} // namespace bloomery::cli
