// Numbers as people type them.
//
// Parsing is exact decimal arithmetic on the text itself: a count never passes through a double, so
// 9007199254740993 stays exact and 1.5k is 1500, while 1.5 is refused and never rounded. Anything
// not fully understood is refused with `bad_argument`, whose message quotes the text and gives an
// example. Pure functions: thread-safe, O(length of the text).
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstdint>
#include <string_view>

namespace bloomery::inline v0::text {

/// A whole number: `1000000`, `1_000_000`, `1e9`, `1.5k`, `10M`; k K M G T P are powers of 1000.
/// Throws `bad_argument` on a fraction, a sign, anything left over, and more than 2^64-1.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t parse_count(std::string_view text);

/// A seed: a whole number, or a negative one down to -2^63, as its 64 bits in two's complement.
/// Throws `bad_argument` like `parse_count`.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t parse_seed(std::string_view text);

/// An amount of memory: bytes, or `8KiB`, `64Mi` (powers of 1024), or `10kB`, `64M` (powers of
/// 1000). A bare `B` or `b` means bytes; `Mb` is refused, because many read it as megabits. Throws
/// `bad_argument` like `parse_count`.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t parse_bytes(std::string_view text);

/// A false-positive rate: `0.01`, `1e-3`, `0.1%`, `1in1000`, `1 in 1M`, `1/1000`.
/// Throws `bad_argument` unless it is strictly between 0 and 1.
[[nodiscard]] BLOOMERY_EXPORT double parse_rate(std::string_view text);

/// A time in seconds: `90s`, `15m`, `24h`, `7d`. Throws `bad_argument` for none, for 0, and for a
/// number without its unit.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t parse_duration(std::string_view text);

} // namespace bloomery::inline v0::text
