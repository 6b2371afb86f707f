// From a key to its digest, with any hash.
//
// A hash is a function object of one of two forms:
//   over bytes   callable with `byte_view`; every key works with it
//   over values  callable with the key itself, like std::hash<T>; only those keys work with it
// and it returns a digest64, a digest128, a digest_list or any integer. What it returns is mixed
// before use unless the hash declares `static constexpr bool is_avalanching = true`, because
// layouts read the high bits and a weak hash (the identity of std::hash<int>, a string hash of the
// 1980s) leaves them empty. An integer of fewer than 64 bits is always mixed, for the same reason.
#pragma once

#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/key/key.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0 {

namespace detail {

template <class T>
inline constexpr bool is_digest_list = false;
template <class Word, std::size_t Count>
inline constexpr bool is_digest_list<digest_list<Word, Count>> = true;

template <class T>
concept digest_or_integer = std::same_as<T, digest64> || std::same_as<T, digest128> ||
                            is_digest_list<T> || std::integral<T>;

template <class Hash>
inline constexpr bool is_avalanching = false;
template <class Hash>
    requires requires { Hash::is_avalanching; }
inline constexpr bool is_avalanching<Hash> = Hash::is_avalanching;

template <class Hash, class Raw>
constexpr auto finish(Raw raw) noexcept {
    if constexpr (std::same_as<Raw, digest128>) {
        if constexpr (is_avalanching<Hash>) {
            return raw;
        }
        return digest128{hash::mix64(raw.low, 0), hash::mix64(raw.high, 0)};
    } else if constexpr (is_digest_list<Raw>) {
        static_assert(is_avalanching<Hash>, "a list of hashes is for a scheme that takes it as is");
        return raw;
    } else if constexpr (std::same_as<Raw, digest64>) {
        return is_avalanching<Hash> ? raw : digest64{hash::mix64(raw.value, 0)};
    } else if constexpr (is_avalanching<Hash> && sizeof(Raw) >= sizeof(std::uint64_t)) {
        return digest64{static_cast<std::uint64_t>(raw)};
    } else {
        return digest64{hash::mix64(static_cast<std::uint64_t>(raw), 0)};
    }
}

} // namespace detail

/// A hash over bytes.
template <class Hash>
concept byte_hash = requires(const Hash& h, byte_view bytes) {
    { h(bytes) } -> detail::digest_or_integer;
};

/// A hash over values of one type, like std::hash<T>.
template <class Hash, class T>
concept value_hash = !byte_hash<Hash> && requires(const Hash& h, const T& value) {
    { h(value) } -> detail::digest_or_integer;
    requires !std::same_as<decltype(h(value)), digest128>; // no hash of values is that wide
};

/// A key and a hash that accepts it.
template <class Hash, class T>
concept hashes_key = (byte_hash<Hash> && key<T>) || value_hash<Hash, T>;

namespace detail {

template <class Hash>
struct digest_type {
    using type = digest64; // hashes over values return at most 64 bits
};
template <byte_hash Hash>
struct digest_type<Hash> {
    using type = decltype(finish<Hash>(std::declval<const Hash&>()(byte_view{})));
};

} // namespace detail

/// The digest type of a hash: digest64, digest128 or a digest_list.
template <class Hash>
using digest_type_of = typename detail::digest_type<Hash>::type;

// Compilers print these names if a constraint is not satisfied, so they say what to do.
namespace detail {

template <class T, class Hash>
inline constexpr bool is_key_else_use_by_bits_or_bloomery_feed =
    std::same_as<T, digest_type_of<Hash>> || hashes_key<Hash, T>;
template <class Keys, class Hash>
inline constexpr bool are_keys_else_use_by_bits_or_bloomery_feed = false;
template <std::ranges::input_range Keys, class Hash>
inline constexpr bool are_keys_else_use_by_bits_or_bloomery_feed<Keys, Hash> =
    is_key_else_use_by_bits_or_bloomery_feed<std::ranges::range_value_t<Keys>, Hash>;

} // namespace detail

/// What a filter with this hash accepts: a key of the hash, or the digest of one.
template <class T, class Hash>
concept key_for = detail::is_key_else_use_by_bits_or_bloomery_feed<T, Hash>;

/// A range of them.
template <class Keys, class Hash>
concept keys_for = detail::are_keys_else_use_by_bits_or_bloomery_feed<Keys, Hash>;

/// The id that a hash declares, `hash_id::custom` if it declares none.
template <class Hash>
[[nodiscard]] constexpr hash::hash_id id_of(const Hash& h) noexcept {
    if constexpr (requires {
                      { h.id() } -> std::same_as<hash::hash_id>;
                  }) {
        return h.id();
    } else if constexpr (requires {
                             { Hash::id } -> std::convertible_to<hash::hash_id>;
                         }) {
        return Hash::id;
    } else {
        return hash::hash_id::custom;
    }
}

/// The seed that a hash declares, as a function or as a member; 0 if it declares none.
template <class Hash>
[[nodiscard]] constexpr std::uint64_t seed_of(const Hash& h) noexcept {
    if constexpr (requires {
                      { h.seed() } -> std::convertible_to<std::uint64_t>;
                  }) {
        return h.seed();
    } else if constexpr (requires {
                             { h.seed } -> std::convertible_to<std::uint64_t>;
                         }) {
        return h.seed;
    } else {
        return 0;
    }
}

/// The digest of one key. Linear in the key; throws only what the hash or a user's `bloomery_feed`
/// throws, and std::bad_alloc for compound keys of more than 256 bytes.
template <class Hash, class T>
    requires hashes_key<Hash, T>
[[nodiscard]] BLOOMERY_OWN_COPY auto digest_of(const Hash& hash, const T& value) {
    if constexpr (value_hash<Hash, T>) {
        return detail::finish<Hash>(hash(value));
    } else if constexpr (byte_string<T> && !fed_key<T>) {
        return detail::finish<Hash>(hash(bytes_of(value)));
    } else if constexpr (integer_key<T> && !fed_key<T> &&
                         requires { hash.integer(std::uint64_t{}); }) {
        return detail::finish<Hash>(hash.integer(integer_of(value)));
    } else {
        key_sink sink;
        feed(sink, value);
        return detail::finish<Hash>(hash(sink.bytes()));
    }
}

} // namespace bloomery::inline v0
