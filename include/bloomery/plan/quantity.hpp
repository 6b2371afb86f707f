// Strong types for the numbers that describe a filter, so that keys cannot be confused with bytes.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <compare>
#include <cstdint>

namespace bloomery::inline v0 {

/// A number of distinct keys.
struct items {
    std::uint64_t value;
    friend constexpr auto operator<=>(items, items) = default;
};

/// A false-positive rate, in the open interval (0, 1).
struct rate {
    double value;
    friend constexpr auto operator<=>(rate, rate) = default;
};

/// An amount of memory.
struct bytes {
    std::uint64_t value;
    friend constexpr auto operator<=>(bytes, bytes) = default;
};

/// A number of bits in a filter's array (the m of the formulas).
struct bits {
    std::uint64_t value;
    friend constexpr auto operator<=>(bits, bits) = default;
};

/// A number of probes per key (the k of the formulas).
struct hashes {
    std::uint32_t value;
    friend constexpr auto operator<=>(hashes, hashes) = default;
};

/// `64_MiB` and similar literals, as `bytes`.
namespace literals {
constexpr bytes operator""_KiB(unsigned long long n) { return {n << 10U}; }
constexpr bytes operator""_MiB(unsigned long long n) { return {n << 20U}; }
constexpr bytes operator""_GiB(unsigned long long n) { return {n << 30U}; }
} // namespace literals

} // namespace bloomery::inline v0
