// Numbers as people type them and as people read them.
//
// Parsing is exact decimal arithmetic on the text itself: a count never passes through a double, so
// 9007199254740993 stays itself and 1.5k is 1500, while 1.5 is refused and never rounded. What is
// not understood whole is refused with `bad_argument`, whose sentence quotes the text and gives an
// example. Pure functions: safe from any thread, O(length of the text).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// A whole number: `1000000`, `1_000_000`, `1e9`, `1.5k`, `10M`; k K M G T P are powers of 1000.
/// Throws `bad_argument` on a fraction, a sign, anything left over, and more than 2^64-1.
[[nodiscard]] std::uint64_t parse_count(std::string_view text);

/// An amount of memory: bytes, or `8KiB`, `64Mi` (powers of 1024), or `10kB`, `64M` (powers of
/// 1000). A bare `B` or `b` says bytes; `Mb` is refused, since it means megabits to half of us.
/// Throws `bad_argument` as `parse_count` does.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view text);

/// A false-positive rate: `0.01`, `1e-3`, `0.1%`, `1in1000`, `1 in 1M`, `1/1000`.
/// Throws `bad_argument` unless it lies strictly between 0 and 1.
[[nodiscard]] double parse_rate(std::string_view text);

/// A time in seconds: `90s`, `15m`, `24h`, `7d`. Throws `bad_argument` for none, for 0, and for a
/// number without its unit.
[[nodiscard]] std::uint64_t parse_duration(std::string_view text);

/// `1,000,000`.
[[nodiscard]] std::string format_count(std::uint64_t count);

/// The number with its noun, which takes the plural unless there is one: `1 key`, `0 keys`,
/// `1,000 hashes`, `2 queries`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// The noun alone, in the form that goes with the number: `key`, `keys`.
[[nodiscard]] std::string noun_for(std::uint64_t count, std::string_view noun);

/// `512 B`, `64 MiB`, `1.14 MiB`: decimals are shown exactly when the amount is no whole unit.
[[nodiscard]] std::string format_bytes(std::uint64_t amount);

/// `1.000 %`, `0.0100 %`, and below one in 100,000 `1.2e-06`.
[[nodiscard]] std::string format_rate(double rate);

/// The same rate as `1 in 100`; `never` for 0.
[[nodiscard]] std::string format_one_in(double rate);

} // namespace bloomery::cli
