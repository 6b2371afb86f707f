// What a hash gives and a layout takes: 64 or 128 bits, never to be confused with an integer key.
#pragma once

#include <bloomery/cxx20.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace bloomery {

/// 64 well-mixed bits. Enough below about a billion keys and above a rate of 1e-9; past either,
/// collisions of the digest itself would show in the rate (they add n / 2^64).
struct digest64 {
    std::uint64_t value;
    friend constexpr auto operator<=>(digest64, digest64) = default;
};

/// 128 well-mixed bits, in two words that are independent of each other.
struct digest128 {
    std::uint64_t low;
    std::uint64_t high;
    friend constexpr auto operator<=>(digest128, digest128) = default;
};

/// Several hashes of one key, for filters of other systems that hash once for each probe. No filter
/// of our own needs it.
template <class Word, std::size_t Count>
struct digest_list {
    std::array<Word, Count> words;
    friend constexpr auto operator<=>(const digest_list&, const digest_list&) = default;
};

/// The odd constant (2^64 over the golden ratio) by which native filters step from probe to probe.
inline constexpr std::uint64_t digest_step = 0x9E3779B97F4A7C15U;

/// The 128-bit digest that native filters probe exactly as they probe the 64-bit one.
[[nodiscard]] constexpr digest128 widen(digest64 d) noexcept {
    return {d.value, d.value * digest_step};
}

/// Either digest as 128 bits.
[[nodiscard]] constexpr digest128 widely(digest128 d) noexcept { return d; }
[[nodiscard]] constexpr digest128 widely(digest64 d) noexcept { return widen(d); }

} // namespace bloomery
