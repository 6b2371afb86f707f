// Warns once, at the moment when a filter holds more than it was made for.
#pragma once

#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/excepted.hpp>

#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace bloomery::cli {

/// Counts the distinct lines that uniq puts into a filter.
class capacity_watch {
public:
    /// Windows are never too full: they forget. Nor are filters that grow, but it is worth knowing
    /// if somebody said how many lines there are.
    capacity_watch(const any_filter& seen, std::uint64_t held, bool is_given = true)
        : grows_(seen.spec().kind == filter_kind::scalable),
          capacity_(seen.spec().kind == filter_kind::window || (grows_ && !is_given)
                        ? 0
                        : seen.made_for().item_capacity),
          held_(held) {}

    void add(std::uint64_t fresh) {
        held_ += fresh;
        if (told_ || capacity_ == 0 || held_ <= capacity_) return;
        told_ = true;
        warn(fmt::format("more than {} distinct lines: {}", grouped(capacity_),
                         grows_ ? "the filter grows, and takes more memory and time than with a "
                                  "larger -n"
                                : "from here on, unique lines are lost at a growing rate; start "
                                  "again with a larger -n"));
    }
    [[nodiscard]] bool overfilled() const noexcept { return told_ && !grows_; }

private:
    bool grows_;
    std::uint64_t capacity_;
    std::uint64_t held_;
    bool told_ = false;
};

/// The number of keys that a filter almost certainly holds: the estimate minus three standard
/// errors, so that repeated keys do not make a full filter count as overfilled. As
/// any_filter::stats.
[[nodiscard]] inline std::uint64_t surely_held(const any_filter& by) {
    const plan::cardinality now = by.stats().items;
    return static_cast<std::uint64_t>(std::max(0.0, now.items - 3 * now.standard_error));
}

} // namespace bloomery::cli
