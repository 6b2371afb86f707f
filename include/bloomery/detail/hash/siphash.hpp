// SipHash-c-d (Aumasson and Bernstein, 2012): a keyed hash, for keys that an adversary chooses.
//
// Anyone who knows a filter's hash can craft keys that all answer "maybe"; a secret key prevents
// it. SipHash-1-3 is what Rust, Python and Ruby put in front of their hash tables; 2-4 is the
// authors' conservative choice.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace bloomery::inline v0::hash {

/// The secret of SipHash: 16 bytes, read as two little-endian words.
struct sip_key {
    std::uint64_t k0 = 0;
    std::uint64_t k1 = 0;
    friend constexpr bool operator==(sip_key, sip_key) = default;
};

/// A fresh secret from the system's random generator. Throws io_error if the system has none.
[[nodiscard]] BLOOMERY_EXPORT sip_key random_key();

namespace detail {

struct sip_state {
    std::uint64_t v0;
    std::uint64_t v1;
    std::uint64_t v2;
    std::uint64_t v3;

    constexpr explicit sip_state(sip_key key) noexcept
        : v0(key.k0 ^ 0x736f6d6570736575), v1(key.k1 ^ 0x646f72616e646f6d),
          v2(key.k0 ^ 0x6c7967656e657261), v3(key.k1 ^ 0x7465646279746573) {}

    template <int Rounds>
    constexpr void rounds() noexcept {
        for (int i = 0; i < Rounds; ++i) {
            v0 += v1;
            v2 += v3;
            v1 = std::rotl(v1, 13) ^ v0;
            v3 = std::rotl(v3, 16) ^ v2;
            v0 = std::rotl(v0, 32) + v3;
            v2 += v1;
            v3 = std::rotl(v3, 21) ^ v0;
            v1 = std::rotl(v1, 17) ^ v2;
            v2 = std::rotl(v2, 32);
        }
    }

    template <int C>
    constexpr void absorb(std::uint64_t word) noexcept {
        v3 ^= word;
        rounds<C>();
        v0 ^= word;
    }

    template <int C>
    void absorb_all(std::span<const std::byte> key) noexcept {
        const std::byte* at = key.data();
        std::size_t left = key.size();
        for (; left >= 8; left -= 8, at += 8) {
            absorb<C>(load_le64(at));
        }
        absorb<C>((std::uint64_t{key.size()} << 56) | load_le_tail(at, left));
    }

    template <int D>
    constexpr std::uint64_t squeeze() noexcept {
        rounds<D>();
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

} // namespace detail

/// SipHash-C-D in 64 bits. O(key).
template <int C, int D>
BLOOMERY_OWN_COPY std::uint64_t siphash_64(std::span<const std::byte> text, sip_key key) noexcept {
    detail::sip_state state(key);
    state.absorb_all<C>(text);
    state.v2 ^= 0xff;
    return state.squeeze<D>();
}

/// SipHash-C-D in 128 bits; `low` holds the first eight bytes of the reference's output. O(key).
template <int C, int D>
BLOOMERY_OWN_COPY digest128 siphash_128(std::span<const std::byte> text, sip_key key) noexcept {
    detail::sip_state state(key);
    state.v1 ^= 0xee;
    state.absorb_all<C>(text);
    state.v2 ^= 0xee;
    const std::uint64_t low = state.squeeze<D>();
    state.v1 ^= 0xdd;
    return {low, state.squeeze<D>()};
}

/// A check value that distinguishes secrets without revealing them: files store it instead of the
/// secret.
[[nodiscard]] inline std::uint64_t key_check(sip_key key) noexcept {
    constexpr std::string_view text = "bloomery key check";
    return siphash_64<1, 3>(std::as_bytes(std::span{text}), key);
}

namespace detail {

template <int C, int D, class Digest, hash_id Id>
struct sip_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = true;

    sip_key key{};

    /// The digest of a byte key. O(key).
    Digest operator()(std::span<const std::byte> text) const noexcept {
        if constexpr (std::is_same_v<Digest, digest64>) {
            return {siphash_64<C, D>(text, key)};
        } else {
            return siphash_128<C, D>(text, key);
        }
    }

    /// The digest of an integer key, which is that of its eight little-endian bytes: a mixer would
    /// be faster, but would not protect the secret.
    [[nodiscard]] Digest integer(std::uint64_t x) const noexcept {
        std::array<std::byte, 8> bytes;
        store_le64(bytes.data(), x);
        return (*this)(bytes);
    }

    /// The check value that represents the key in a filter's spec.
    [[nodiscard]] std::uint64_t seed() const noexcept { return key_check(key); }

    friend constexpr bool operator==(sip_hash, sip_hash) = default;
};

} // namespace detail

/// Keyed hashes, for filters whose keys an adversary may choose. Make one with `{random_key()}`.
using siphash13_64 = detail::sip_hash<1, 3, digest64, hash_id::siphash13_64>;
using siphash13_128 = detail::sip_hash<1, 3, digest128, hash_id::siphash13_128>;
using siphash24_64 = detail::sip_hash<2, 4, digest64, hash_id::siphash24_64>;
using siphash24_128 = detail::sip_hash<2, 4, digest128, hash_id::siphash24_128>;

} // namespace bloomery::inline v0::hash
