// What a guard finds that ordinary traffic does not explain.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery {

/// Why somebody should look.
enum class alarm_kind : std::uint8_t {
    overfull,     ///< more keys than the filter is for: the computed rate is twice the planned one
    crafted_fill, ///< more bits set than so many keys set by chance: keys are chosen to fill it
    crafted_keys, ///< more false positives than the computed rate explains: absent keys are chosen
                  ///< that pass, or keys that were erased are asked for
    stale,        ///< the source has a key that the filter denied: somebody writes past the guard
};

inline constexpr std::size_t alarm_kinds = 4;

/// "overfull", "crafted_fill", ... O(1).
[[nodiscard]] std::string_view name_of(alarm_kind kind) noexcept;

/// One alarm, as it is handed to whoever wants to know.
struct guard_alarm {
    alarm_kind kind;
    std::string sentence; ///< what was found, with its figures, and what to do
};

} // namespace bloomery
