// The string hashes of the textbooks, as Java programs compute them.
//
// Every int is 32 bits, wraps, and shifts right with its sign, which makes several of these differ
// from their C originals once the top bit is set. They are weak: here for filters that were filled
// with them, and to show how much a good hash gains. Results are Java's int or long, sign included.
#pragma once

#include <bloomery/hash/hash_id.hpp>
#include <bloomery/hash/text_hash.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomery::hash {

namespace detail {

/// Java's `&` with the largest int: what most of these end with to be rid of the sign.
constexpr std::int32_t without_sign(std::uint32_t h) noexcept {
    return static_cast<std::int32_t>(h & 0x7fffffff);
}

/// Java's `>>` on an int.
constexpr std::uint32_t shift_signed(std::uint32_t h, int by) noexcept {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(h) >> by);
}

/// Java's `Math.abs` on an int, in which the smallest int stays negative.
constexpr std::uint32_t absolute(std::uint32_t h) noexcept { return h >> 31 != 0 ? 0U - h : h; }

template <class Text>
constexpr std::uint32_t additive(const Text& text, std::uint32_t multiplier) noexcept {
    std::uint32_t h = 0;
    for (const auto c : text) {
        h = multiplier * h + unit(c);
    }
    return h;
}

} // namespace detail

/// h = multiplier * h + unit, from 0, sign kept: Java's String.hashCode with 31.
struct additive {
    std::uint32_t multiplier = 31;

    /// The hash of a text. O(text).
    constexpr std::int32_t operator()(std::string_view text) const noexcept {
        return static_cast<std::int32_t>(detail::additive(text, multiplier));
    }
    constexpr std::int32_t operator()(std::u16string_view text) const noexcept {
        return static_cast<std::int32_t>(detail::additive(text, multiplier));
    }
    constexpr std::int32_t operator()(std::span<const std::byte> text) const noexcept {
        return static_cast<std::int32_t>(detail::additive(text, multiplier));
    }
    friend constexpr bool operator==(additive, additive) = default;
};

namespace detail {

struct bkdr_rule {
    static constexpr hash_id id = hash_id::bkdr;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        return without_sign(additive(text, 131));
    }
};

struct ap_rule {
    static constexpr hash_id id = hash_id::ap;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 0;
        bool odd = false;
        for (const auto c : text) {
            h ^= odd ? ~((h << 11) ^ unit(c) ^ shift_signed(h, 5))
                     : (h << 7) ^ unit(c) ^ shift_signed(h, 3);
            odd = !odd;
        }
        return static_cast<std::int32_t>(h);
    }
};

struct djb_rule {
    static constexpr hash_id id = hash_id::djb;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 5381;
        for (const auto c : text) {
            h = 33 * h + unit(c);
        }
        return without_sign(h);
    }
};

struct js_rule {
    static constexpr hash_id id = hash_id::js;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 1315423911;
        for (const auto c : text) {
            h ^= (h << 5) + unit(c) + shift_signed(h, 2);
        }
        return without_sign(absolute(h));
    }
};

struct rs_rule {
    static constexpr hash_id id = hash_id::rs;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 0;
        std::uint32_t a = 63689;
        for (const auto c : text) {
            h = h * a + unit(c);
            a *= 378551;
        }
        return without_sign(h);
    }
};

struct sdbm_rule {
    static constexpr hash_id id = hash_id::sdbm;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        return without_sign(additive(text, 65599)); // c + (h << 6) + (h << 16) - h
    }
};

struct pjw_rule {
    static constexpr hash_id id = hash_id::pjw;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 0;
        for (const auto c : text) {
            h = (h << 4) + unit(c);
            const std::uint32_t top = h & 0xf0000000;
            if (top != 0) {
                h = (h ^ shift_signed(top, 24)) & 0x0fffffff;
            }
        }
        return without_sign(h);
    }
};

struct elf_rule {
    static constexpr hash_id id = hash_id::elf;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 0;
        for (const auto c : text) {
            h = (h << 4) + unit(c);
            const std::uint32_t top = h & 0xf0000000;
            if (top != 0) {
                h = (h ^ shift_signed(top, 24)) & ~top;
            }
        }
        return without_sign(h);
    }
};

struct dek_rule {
    static constexpr hash_id id = hash_id::dek;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        auto h = static_cast<std::uint32_t>(text.size());
        for (const auto c : text) {
            h = (h << 5) ^ shift_signed(h, 27) ^ unit(c);
        }
        return without_sign(h);
    }
};

struct fnv_java_rule {
    static constexpr hash_id id = hash_id::fnv_java;

    template <class Text>
    static constexpr std::int32_t of(const Text& text) noexcept {
        std::uint32_t h = 2166136261;
        for (const auto c : text) {
            h = (h ^ unit(c)) * 16777619;
        }
        h += h << 13;
        h ^= shift_signed(h, 7);
        h += h << 3;
        h ^= shift_signed(h, 17);
        h += h << 5;
        return static_cast<std::int32_t>(absolute(h));
    }
};

struct hf_rule {
    static constexpr hash_id id = hash_id::hf;

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
    static constexpr hash_id id = hash_id::hf_ip;

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
    static constexpr hash_id id = hash_id::tianl;

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
inline constexpr text_hash<detail::bkdr_rule> bkdr{};
/// Arash Partow's. 32 bits with sign.
inline constexpr text_hash<detail::ap_rule> ap{};
/// Daniel J. Bernstein's "times 33". 31 bits.
inline constexpr text_hash<detail::djb_rule> djb{};
/// Justin Sobel's, its absolute value taken. 31 bits.
inline constexpr text_hash<detail::js_rule> js{};
/// Robert Sedgewick's. 31 bits.
inline constexpr text_hash<detail::rs_rule> rs{};
/// That of the sdbm database, "times 65599". 31 bits.
inline constexpr text_hash<detail::sdbm_rule> sdbm{};
/// Peter J. Weinberger's. 28 bits.
inline constexpr text_hash<detail::pjw_rule> pjw{};
/// PJW as in Unix object files; unlike PJW here it keeps some high bits. 31 bits.
inline constexpr text_hash<detail::elf_rule> elf{};
/// Donald E. Knuth's (The Art of Computer Programming, volume 3, 6.4). 31 bits.
inline constexpr text_hash<detail::dek_rule> dek{};
/// FNV-1a over units, not bytes, stirred once more at the end. 31 bits.
inline constexpr text_hash<detail::fnv_java_rule> fnv_java{};
/// The sum of 3 * i * unit; the first unit never counts. 64 bits.
inline constexpr text_hash<detail::hf_rule> hf{};
/// The sum of each unit xor one of the first four; texts of up to four units all give 0. 64 bits.
inline constexpr text_hash<detail::hf_ip_rule> hf_ip{};
/// A polynomial over the last 96 units, blind to ASCII case. Below 2^33.
inline constexpr text_hash<detail::tianl_rule> tianl{};

} // namespace bloomery::hash
