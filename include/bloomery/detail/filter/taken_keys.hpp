// How a filter inside any_filter takes keys: as they are, or as digests of its width.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/hash/run_hash.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/key/key.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace bloomery::inline v0::detail {

/// The digests of all keys, widened: the hash is chosen once, and integers are mixed in vectors if
/// the hash supports it. O(bytes), throws what the hash throws.
template <class Hash, class Keys>
BLOOMERY_OWN_COPY void digest_all(const Hash& hash, Keys keys, digest128* into) {
    if constexpr (mixes_integers<Hash> &&
                  std::same_as<std::ranges::range_value_t<Keys>, std::uint64_t>) {
        if (const std::optional<std::uint64_t> seed = hash.integer_seed()) {
            return kernel::mix({keys, *seed}, into);
        }
    }
    const auto each = [&](const auto& chosen) {
        hash::detail::hash_in_runs(
            chosen, keys, [](const auto& run, const auto& key) { return digest_of(run, key); },
            [&](const auto& digest) { *into++ = widely(digest); });
    };
    if constexpr (requires { hash.visit(each); }) {
        hash.visit(each);
    } else {
        each(hash);
    }
}

/// What `Filter` takes: the digest of a key, if it has a digest_type, or the key itself. Filters
/// with 64-bit digests return them widened, and take the narrow half back.
template <class Filter>
struct BLOOMERY_OWN_COPY taken_keys {
    using digests = std::span<const digest128>;

    static constexpr bool hashes_first = requires { typename Filter::digest_type; };
    using asked_with = decltype([] {
        if constexpr (hashes_first) {
            return std::type_identity<typename Filter::digest_type>{};
        } else {
            return std::type_identity<byte_view>{};
        }
    }())::type;
    static constexpr bool wide = std::same_as<asked_with, digest128>;
    static constexpr bool narrow = std::same_as<asked_with, digest64>;

    [[noreturn]] static void refuse_digests() {
        throw unsupported(
            "the keys of this filter cannot be hashed in advance: pass the keys themselves");
    }

    /// One key as the filter receives it.
    template <class Key>
    [[nodiscard]] static auto of(const Filter& filter, const Key& key) {
        if constexpr (std::same_as<Key, digest128> && narrow) {
            return digest64{key.low};
        } else if constexpr (std::same_as<Key, digest128> && !wide) {
            refuse_digests();
            return asked_with{}; // not reached; the next call has to compile
        } else if constexpr (std::same_as<Key, digest128> || !hashes_first) {
            return key;
        } else {
            return filter.digest(key);
        }
    }

    /// Calls `with` with many keys; digests have the filter's width.
    template <class Keys, class With>
    static void all(Keys keys, With with) {
        if constexpr (!std::same_as<Keys, digests> || wide) {
            with(keys);
        } else if constexpr (narrow) {
            with(std::views::transform(keys, [](digest128 d) { return digest64{d.low}; }));
        } else if (!keys.empty()) {
            refuse_digests();
        }
    }

    template <class Key>
    [[nodiscard]] static digest128 digest(const Filter& filter, const Key& key) {
        if constexpr (narrow || wide) {
            return widely(filter.digest(key));
        } else {
            refuse_digests();
        }
    }
    template <class Keys>
    static void digest_many(const Filter& filter, Keys keys, std::vector<digest128>& into) {
        into.resize(std::ranges::size(keys));
        if constexpr ((narrow || wide) && requires { filter.hash(); }) {
            digest_all(filter.hash(), keys, into.data());
        } else {
            std::size_t at = 0;
            for (const auto& key : keys) {
                into[at++] = digest(filter, key);
            }
        }
    }
    template <class Keys>
    [[nodiscard]] static std::vector<digest128> digest_many(const Filter& filter, Keys keys) {
        std::vector<digest128> made;
        digest_many(filter, keys, made);
        return made;
    }
};

} // namespace bloomery::inline v0::detail
