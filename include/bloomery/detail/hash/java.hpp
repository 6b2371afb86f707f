// Java's own hash codes, which the filters of many Java programs use.
#pragma once

#include <bloomery/detail/hash/classical.hpp>

#include <cstdint>

namespace bloomery::inline v0::hash::java {

/// String.hashCode: 31 * h + unit over UTF-16. Over bytes it equals Java's only for ASCII and
/// Latin-1. O(text).
inline constexpr additive string_hash_code{31};

/// Integer.hashCode: the value itself.
constexpr std::int32_t hash_code(std::int32_t value) noexcept { return value; }

/// Long.hashCode: the two halves xored.
constexpr std::int32_t hash_code(std::int64_t value) noexcept {
    const auto bits = static_cast<std::uint64_t>(value);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits ^ (bits >> 32)));
}

/// HashMap's spread, h ^ (h >>> 16): makes the low half depend on the high one.
constexpr std::int32_t spread(std::int32_t h) noexcept {
    const auto bits = static_cast<std::uint32_t>(h);
    return static_cast<std::int32_t>(bits ^ (bits >> 16));
}

} // namespace bloomery::inline v0::hash::java
