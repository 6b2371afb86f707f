// How other languages turn a double into a whole number.
//
// Out of line, because a compiler may fuse the caller's last product with the difference in here,
// and then one rounding is missing.
#pragma once

#include <cstdint>

namespace bloomery::plan {

/// Java's Math.round: the whole number next to x, halves upwards, without rounding x + 1/2 first.
/// NaN gives 0; what no long holds gives the end of the range.
[[nodiscard]] std::int64_t java_round(double x);

/// Go's uint32(math.Floor(x + 0.5)) on x86-64: by way of a 64-bit number, of which the low half
/// stays; 0 for NaN and what no such number holds.
[[nodiscard]] std::uint32_t go_round(double x);

} // namespace bloomery::plan
