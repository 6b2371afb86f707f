// Textbook string hashes, as Java programs compute them.
//
// Every int is 32 bits, wraps, and shifts right with its sign, which makes several of these differ
// from their C originals once the top bit is set. They are weak: here for filters that were filled
// with them, and to show how much a good hash gains. Results are Java's int or long, sign included.
//
// They run over the units of a text, one number each. Java's are the 16-bit code units of a String;
// those of a UTF-8 string or of raw bytes are its bytes, unsigned. The same rule gives different
// hashes over the two once a character is not ASCII, so a filter that Java filled must be queried
// with UTF-16.
#pragma once

#include <bloomery/detail/hash/hash_id.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomery::inline v0::hash {

/// The number that a unit of text counts as, never negative.
constexpr std::uint32_t unit(char c) noexcept { return static_cast<unsigned char>(c); }
constexpr std::uint32_t unit(char16_t c) noexcept { return c; }
constexpr std::uint32_t unit(std::byte b) noexcept { return std::to_integer<std::uint32_t>(b); }

/// A hash over text, made from a rule that is written once for every kind of unit. Takes views, not
/// arrays, so that a literal is hashed without its terminator. O(text).
template <hash_id Id, class Rule>
struct string_hash {
    static constexpr hash_id id = Id;

    constexpr auto operator()(std::string_view text) const noexcept { return Rule::of(text); }
    constexpr auto operator()(std::u16string_view text) const noexcept { return Rule::of(text); }
    constexpr auto operator()(std::span<const std::byte> text) const noexcept {
        return Rule::of(text);
    }
    friend constexpr bool operator==(string_hash, string_hash) = default;
};

namespace detail {

/// Java's `&` with the largest int: most of these end with it to clear the sign.
constexpr std::int32_t without_sign(std::uint32_t h) noexcept {
    return static_cast<std::int32_t>(h & 0x7fffffff);
}

/// Java's `>>` on an int.
constexpr std::uint32_t shift_signed(std::uint32_t h, int by) noexcept {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(h) >> by);
}

/// Java's `Math.abs` on an int, for which the smallest int stays negative.
constexpr std::uint32_t absolute(std::uint32_t h) noexcept { return h >> 31 != 0 ? 0U - h : h; }

/// h = step(h, unit) for each unit.
template <class Text, class Step>
constexpr std::uint32_t fold(const Text& text, std::uint32_t h, Step step) noexcept {
    for (const auto c : text) {
        h = step(h, unit(c));
    }
    return h;
}

template <class Text>
constexpr std::uint32_t additive(const Text& text, std::uint32_t multiplier,
                                 std::uint32_t start = 0) noexcept {
    return fold(text, start, [=](std::uint32_t h, std::uint32_t c) { return multiplier * h + c; });
}

} // namespace detail

/// h = multiplier * h + unit, from 0, sign kept: Java's String.hashCode with 31.
struct additive {
    std::uint32_t multiplier = 31;

    /// The hash of a text. O(text).
    constexpr std::int32_t operator()(std::string_view text) const noexcept { return of(text); }
    constexpr std::int32_t operator()(std::u16string_view text) const noexcept { return of(text); }
    constexpr std::int32_t operator()(std::span<const std::byte> text) const noexcept {
        return of(text);
    }
    friend constexpr bool operator==(additive, additive) = default;

private:
    template <class Text>
    constexpr std::int32_t of(const Text& text) const noexcept {
        return static_cast<std::int32_t>(detail::additive(text, multiplier));
    }
};

namespace detail {

template <std::uint32_t Multiplier, std::uint32_t Start = 0>
struct additive_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        return without_sign(additive(text, Multiplier, Start));
    }
};

struct ap_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        bool odd = true;
        return static_cast<std::int32_t>(fold(text, 0, [&](std::uint32_t h, std::uint32_t c) {
            odd = !odd;
            return h ^ (odd ? ~((h << 11) ^ c ^ shift_signed(h, 5))
                            : (h << 7) ^ c ^ shift_signed(h, 3));
        }));
    }
};

struct js_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        return without_sign(absolute(fold(text, 1315423911, [](std::uint32_t h, std::uint32_t c) {
            return h ^ ((h << 5) + c + shift_signed(h, 2));
        })));
    }
};

struct rs_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t a = 63689;
        return without_sign(fold(text, 0, [&](std::uint32_t h, std::uint32_t c) {
            h = h * a + c;
            a *= 378551;
            return h;
        }));
    }
};

/// PJW clears the four high bits each time; ELF only those that it has moved down.
template <bool Elf>
struct pjw_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        return without_sign(fold(text, 0, [](std::uint32_t h, std::uint32_t c) {
            h = (h << 4) + c;
            const std::uint32_t top = h & 0xf0000000;
            return (h ^ shift_signed(top, 24)) & (Elf ? ~top : 0x0fffffff);
        }));
    }
};

struct dek_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        return without_sign(fold(
            text, static_cast<std::uint32_t>(text.size()),
            [](std::uint32_t h, std::uint32_t c) { return (h << 5) ^ shift_signed(h, 27) ^ c; }));
    }
};

struct fnv_java_rule {
    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = fold(text, 2166136261, [](std::uint32_t before, std::uint32_t c) {
            return (before ^ c) * 16777619;
        });
        h += h << 13;
        h ^= shift_signed(h, 7);
        h += h << 3;
        h ^= shift_signed(h, 17);
        h += h << 5;
        return static_cast<std::int32_t>(absolute(h));
    }
};

struct hf_rule {
    template <class Text>
    static constexpr std::int64_t of(const Text& text) noexcept {
        std::uint64_t sum = 0;
        std::uint64_t i = 0;
        for (const auto c : text) {
            sum += std::uint64_t{unit(c)} * 3 * i++;
        }
        return static_cast<std::int64_t>(sum);
    }
};

struct hf_ip_rule {
    template <class Text>
    static constexpr std::int64_t of(const Text& text) noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            sum += unit(text[i % 4]) ^ unit(text[i]);
        }
        return static_cast<std::int64_t>(sum);
    }
};

struct tianl_rule {
    template <class Text>
    static constexpr std::int64_t of(const Text& text) noexcept {
        const std::size_t size = text.size();
        if (size == 0) {
            return 0;
        }
        std::uint64_t sum = size <= 256 ? 16777216 * (size - 1) : 4278190080;
        std::uint64_t i = 0;
        for (std::size_t at = size > 96 ? size - 96 : 0; at < size; ++at) {
            std::uint64_t c = unit(text[at]);
            if (c >= 'A' && c <= 'Z') {
                c += 'a' - 'A';
            }
            ++i;
            sum += (3 * i * c * c + 5 * i * c + 7 * i + 11 * c) % 16777216;
        }
        return static_cast<std::int64_t>(sum);
    }
};

} // namespace detail

/// Kernighan and Ritchie's with multiplier 131. 31 bits.
inline constexpr string_hash<hash_id::bkdr, detail::additive_rule<131>> bkdr{};
/// Arash Partow's. 32 bits with sign.
inline constexpr string_hash<hash_id::ap, detail::ap_rule> ap{};
/// Daniel J. Bernstein's "times 33". 31 bits.
inline constexpr string_hash<hash_id::djb, detail::additive_rule<33, 5381>> djb{};
/// Justin Sobel's, its absolute value taken. 31 bits.
inline constexpr string_hash<hash_id::js, detail::js_rule> js{};
/// Robert Sedgewick's. 31 bits.
inline constexpr string_hash<hash_id::rs, detail::rs_rule> rs{};
/// That of the sdbm database, "times 65599". 31 bits.
inline constexpr string_hash<hash_id::sdbm, detail::additive_rule<65599>> sdbm{};
/// Peter J. Weinberger's. 28 bits.
inline constexpr string_hash<hash_id::pjw, detail::pjw_rule<false>> pjw{};
/// PJW as in Unix object files; unlike PJW here it keeps some high bits. 31 bits.
inline constexpr string_hash<hash_id::elf, detail::pjw_rule<true>> elf{};
/// Donald E. Knuth's (The Art of Computer Programming, volume 3, 6.4). 31 bits.
inline constexpr string_hash<hash_id::dek, detail::dek_rule> dek{};
/// FNV-1a over units, not bytes, stirred once more at the end. 31 bits.
inline constexpr string_hash<hash_id::fnv_java, detail::fnv_java_rule> fnv_java{};
/// The sum of 3 * i * unit; the first unit never counts. 64 bits.
inline constexpr string_hash<hash_id::hf, detail::hf_rule> hf{};
/// The sum of each unit xor one of the first four; texts of up to four units all give 0. 64 bits.
inline constexpr string_hash<hash_id::hf_ip, detail::hf_ip_rule> hf_ip{};
/// A polynomial over the last 96 units, blind to ASCII case. Below 2^33.
inline constexpr string_hash<hash_id::tianl, detail::tianl_rule> tianl{};

} // namespace bloomery::inline v0::hash
