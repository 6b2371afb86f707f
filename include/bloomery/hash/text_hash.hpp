// What the classical string hashes run over: the units of a text, one number each.
//
// Java's are the 16-bit code units of a String; those of a UTF-8 string or of raw bytes are its
// bytes, unsigned. The same rule gives different hashes over the two once a character is not ASCII,
// so a filter that Java filled has to be asked with UTF-16.
#pragma once

#include <bloomery/hash/hash_id.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomery::hash {

/// The number that a unit of text counts as, never negative.
constexpr std::uint32_t unit(char c) noexcept { return static_cast<unsigned char>(c); }
constexpr std::uint32_t unit(char16_t c) noexcept { return c; }
constexpr std::uint32_t unit(std::byte b) noexcept { return std::to_integer<std::uint32_t>(b); }

/// A hash over text, made from a rule that is written once for every kind of unit. Takes views, not
/// arrays, so that a literal is hashed without its terminator. O(text).
template <class Rule>
struct text_hash {
    static constexpr hash_id id = Rule::id;

    constexpr auto operator()(std::string_view text) const noexcept { return Rule::of(text); }
    constexpr auto operator()(std::u16string_view text) const noexcept { return Rule::of(text); }
    constexpr auto operator()(std::span<const std::byte> text) const noexcept {
        return Rule::of(text);
    }
    friend constexpr bool operator==(text_hash, text_hash) = default;
};

} // namespace bloomery::hash
