// The result of an insert or an erase, for filters that can refuse one.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <cstdint>

namespace bloomery::inline v0 {

/// The result of an operation on a key.
enum class status : std::uint8_t {
    ok,
    not_present, ///< erase: the key is definitely not in the filter; nothing changed
    full,        ///< insert: there is no room for it; nothing changed
    saturated,   ///< done, but a counter of the key is stuck at its maximum for good
};

/// The result of try_insert. True if the key was definitely new and is now in the filter: never
/// true for a key without room.
struct insertion {
    bool fresh = false;        ///< it was definitely new
    status state = status::ok; ///< full: it is not in the filter, and nothing changed

    // NOLINTNEXTLINE: filters that always have room return bool, and this reads the same
    constexpr operator bool() const noexcept { return fresh && state != status::full; }
    friend constexpr bool operator==(const insertion&, const insertion&) = default;
};

} // namespace bloomery::inline v0
