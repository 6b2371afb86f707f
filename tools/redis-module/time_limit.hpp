// How long a command for many items may keep the server busy.
//
// Items are done in slices. The time is checked before each, except the first: it is that of the
// processor, so that a busy machine refuses nothing. Most commands have one slice, and never ask
// for the time.
#pragma once

#include "call.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bloomery::redis_module {

/// What items that were not done are answered.
inline constexpr const char* too_long_text =
    "ERR this took longer than bf-time-limit allows: send the items without an answer again";

/// How many items make a slice, if each reads memory so many times at worst.
constexpr std::size_t slice_of(std::uint64_t reads_per_item, std::uint64_t reads_per_slice) {
    return std::clamp<std::uint64_t>(reads_per_slice / std::max<std::uint64_t>(reads_per_item, 1),
                                     1, longest_run);
}

/// The time of one command. Large commands get more, in proportion to their items: sound filters
/// with few layers need much less than that. What the system takes to provide memory is not
/// counted, up to a number of pages for each item.
class time_limit {
public:
    /// For items in slices of about that size.
    time_limit(const call& of, std::size_t items, std::size_t slice) noexcept;

    /// Call it before each slice, with the layers that there are then. Never true before the first.
    [[nodiscard]] bool is_over(std::size_t layers) noexcept;

private:
    void begin() noexcept;

    const call& of_;
    std::size_t items_;
    std::int64_t begin_ = 0; ///< 0: not known, because there is one slice only
    std::int64_t pages_ = 0; ///< that this thread had been given then
    bool is_first_ = true;
};

} // namespace bloomery::redis_module
