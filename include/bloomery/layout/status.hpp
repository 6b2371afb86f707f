// How an insert or an erase came out, for filters that can refuse one.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstdint>

namespace bloomery {

/// What became of a key.
enum class status : std::uint8_t {
    ok,
    not_present, ///< erase: the key surely is not in; nothing changed
    full,        ///< insert: no room is left for it; nothing changed
    saturated,   ///< done, but a counter of the key has lost count and stays where it is for good
};

/// What an insert did. Converts to whether the key surely was not in before.
struct insertion {
    bool fresh = false;
    status state = status::ok;

    constexpr operator bool() const noexcept { return fresh; } // NOLINT: that is what it tells
    friend constexpr bool operator==(const insertion&, const insertion&) = default;
};

} // namespace bloomery
