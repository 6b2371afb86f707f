// For calls that cannot tell of a full filter by what they return.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/layout/status.hpp>

namespace bloomery::detail {

/// Whether a key was new, of what an insert tells. Throws filter_full if there was no room. O(1).
inline bool require_room(const insertion& done) {
    if (done.state == status::full) {
        throw filter_full("the filter is full: make a larger one, or one that grows");
    }
    return done.fresh;
}

} // namespace bloomery::detail
