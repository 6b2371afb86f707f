// Which keys a kernel can take where they are, and which must be hashed into a buffer first.
#pragma once

#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/key/key.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>

namespace bloomery::inline v0::detail {

/// Keys that are already what a kernel takes, in one piece.
template <class Keys>
concept in_place = std::ranges::contiguous_range<Keys> && std::ranges::sized_range<Keys>;
template <class Keys>
concept in_place_integers =
    in_place<Keys> && (std::same_as<std::ranges::range_value_t<Keys>, std::uint64_t> ||
                       std::same_as<std::ranges::range_value_t<Keys>, std::int64_t>);
template <class Keys>
concept in_place_digests =
    in_place<Keys> && std::same_as<std::ranges::range_value_t<Keys>, digest128>;

template <class Key>
inline constexpr bool is_digest =
    std::same_as<Key, digest64> || std::same_as<Key, digest128> || is_digest_list<Key>;

template <class Hash>
concept mixes_integers = requires(const Hash& hash) {
    { hash.integer_seed() } -> std::same_as<std::optional<std::uint64_t>>;
};

template <class Key, class Hash>
inline constexpr bool is_mixed_integer = integer_key<Key> && !fed_key<Key> && mixes_integers<Hash>;

/// Signed and unsigned words of one width may alias.
template <in_place_integers Keys>
[[nodiscard]] std::span<const std::uint64_t> words_of(Keys& keys) {
    return {reinterpret_cast<const std::uint64_t*>(std::ranges::data(keys)),
            std::ranges::size(keys)};
}

/// Calls `visit` with the keys as a kernel takes them; returns false, without a call, if they must
/// be hashed first.
template <class Hash, class Keys, class Visit>
BLOOMERY_OWN_COPY bool visit_in_place(const Hash& hash, Keys& keys, Visit visit) {
    if constexpr (in_place_digests<Keys> && std::same_as<digest_type_of<Hash>, digest128>) {
        visit(kernel::digests(std::ranges::data(keys), std::ranges::size(keys)));
        return true;
    } else if constexpr (in_place_integers<Keys>) {
        if constexpr (is_mixed_integer<std::ranges::range_value_t<Keys>, Hash>) {
            if (const std::optional<std::uint64_t> seed = hash.integer_seed()) {
                visit(kernel::integers{words_of(keys), *seed});
                return true;
            }
        }
    }
    return false;
}

} // namespace bloomery::inline v0::detail
