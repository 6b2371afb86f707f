// For calls that cannot report a full filter by their result.
#pragma once

#include <bloomery/detail/layout/status.hpp>
#include <bloomery/error.hpp>

namespace bloomery::inline v0::detail {

[[noreturn]] inline void refuse_full() {
    throw filter_full("the filter is full: make a larger one, or one that grows");
}

/// Whether a key was new. Throws filter_full if there was no room for it. O(1).
inline bool require_room(const insertion& done) {
    if (done.state == status::full) [[unlikely]] {
        refuse_full();
    }
    return done.fresh;
}
/// The same for a filter that always has room.
inline bool require_room(bool fresh) noexcept { return fresh; }

} // namespace bloomery::inline v0::detail
