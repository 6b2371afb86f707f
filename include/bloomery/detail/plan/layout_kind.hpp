// The native layouts and the facts of each: how a key's probes are spread over the bit array.
//
// Everything else in this folder, and the filters themselves, use the numbers from here, so that a
// block has the same size in the whole library.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bloomery::inline v0 {

/// How the probes of one key are placed. The numbers are part of the file format and never change.
enum class layout_kind : std::uint8_t {
    classic = 0,     ///< k independent bits anywhere in the array
    blocked_512 = 1, ///< k independent bits in one block of 512 (one cache line)
    split_8x32 = 2,  ///< one bit in each of 8 words of 32 bits (256-bit block, as in Parquet)
    split_8x64 = 3,  ///< one bit in each of 8 words of 64 bits (one cache line)
    split_16x32 = 4, ///< one bit in each of 16 words of 32 bits (one cache line)
};

namespace plan {

using bloomery::layout_kind;

/// The most probes that a native filter makes for one key.
inline constexpr std::uint32_t max_hash_count = 64;

/// The most that a native filter of the classic layout makes if the number is given explicitly.
inline constexpr std::uint32_t max_classic_hash_count = 255;

/// The most that filters of other libraries make. Everything except sizing works for them too.
inline constexpr std::uint32_t max_foreign_hash_count = 65535;

/// The numbers that define a layout.
struct layout_facts {
    layout_kind kind;
    std::string_view name;
    std::uint32_t block_bits; ///< 1 for the classic layout: it grows bit by bit
    std::uint32_t words;      ///< words in a block; 0 if the layout has no words
    std::uint32_t word_bits;
    std::uint32_t fixed_hashes; ///< 0 if k can be chosen
};

/// All layouts, in the order of the enumeration.
inline constexpr std::array<layout_facts, 5> all_layouts{{
    {layout_kind::classic, "classic", 1, 0, 0, 0},
    {layout_kind::blocked_512, "blocked", 512, 0, 0, 0},
    {layout_kind::split_8x32, "split-8x32", 256, 8, 32, 8},
    {layout_kind::split_8x64, "split-8x64", 512, 8, 64, 8},
    {layout_kind::split_16x32, "split-16x32", 512, 16, 32, 16},
}};

/// The facts of one layout. O(1), never throws for an enumerator.
[[nodiscard]] constexpr const layout_facts& facts_of(layout_kind kind) {
    return all_layouts.at(static_cast<std::size_t>(kind));
}

/// "classic", "blocked", "split-8x32", "split-8x64" or "split-16x32". O(1).
[[nodiscard]] constexpr std::string_view name_of(layout_kind kind) { return facts_of(kind).name; }

/// The layout of that name, or nothing. O(number of layouts), never throws.
[[nodiscard]] constexpr std::optional<layout_kind> layout_named(std::string_view name) {
    for (const layout_facts& facts : all_layouts) {
        if (facts.name == name) return facts.kind;
    }
    return std::nullopt;
}

} // namespace plan
} // namespace bloomery::inline v0
