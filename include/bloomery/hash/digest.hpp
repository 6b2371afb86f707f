// The result of a hash and the input of a layout: 64 or 128 bits, a type that cannot be confused
// with an integer key.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0 {

/// 64 well-mixed bits. Enough for up to about a billion keys and rates down to 1e-9; beyond that,
/// collisions of the digest itself would raise the rate noticeably (they add n / 2^64).
struct digest64 {
    std::uint64_t value;
    friend constexpr auto operator<=>(digest64, digest64) = default;
};

/// 128 well-mixed bits, in two independent words.
struct digest128 {
    std::uint64_t low;
    std::uint64_t high;
    friend constexpr auto operator<=>(digest128, digest128) = default;
};

/// Several hashes of one key, for filters of other systems that hash once per probe. Native filters
/// do not use it.
template <class Word, std::size_t Count>
struct digest_list {
    std::array<Word, Count> words;
    friend constexpr auto operator<=>(const digest_list&, const digest_list&) = default;
};

/// The odd constant (2^64 divided by the golden ratio) that native filters use to step from probe
/// to probe.
inline constexpr std::uint64_t digest_step = 0x9E3779B97F4A7C15U;

/// Extends a 64-bit digest to 128 bits such that native filters probe the same positions.
[[nodiscard]] constexpr digest128 widen(digest64 d) noexcept {
    return {d.value, d.value * digest_step};
}

/// Either digest as 128 bits.
[[nodiscard]] constexpr digest128 widely(digest128 d) noexcept { return d; }
[[nodiscard]] constexpr digest128 widely(digest64 d) noexcept { return widen(d); }

} // namespace bloomery::inline v0
