// XXH3 of many keys in a row, chosen by how much the lengths of the last ones varied.
#pragma once

#include <bloomery/detail/hash/xxh3_short.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/key/key.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

namespace bloomery::inline v0::hash::detail {

/// Whether XXH3's branch between keys of up to 32 bytes and longer ones is hard to predict.
class key_lengths {
public:
    [[nodiscard]] bool vary() const noexcept { return vary_; }

    /// Takes the number of keys of a run, and how many of them were longer than 32 bytes.
    void learn(std::size_t keys, std::size_t longer) noexcept {
        if (keys >= 16) {
            vary_ = longer >= keys / 16 && keys - longer >= keys / 16;
        }
    }

private:
    bool vary_ = true;
};

/// XXH3 in 64 bits, without a branch for keys of 17 to 64 bytes.
class BLOOMERY_OWN_COPY xxh3_64_of_varying {
public:
    static constexpr bool is_avalanching = true;

    BLOOMERY_INLINE explicit xxh3_64_of_varying(const xxh3_64& of) noexcept : of_(of) {}

    BLOOMERY_INLINE digest64 operator()(std::span<const std::byte> key) const noexcept {
        if (key.size() - 17 < 48) [[likely]] {
            return {xxh3_17_to_64(key.data(), key.size(), of_.seed())};
        }
        return other(of_, key);
    }
    [[nodiscard]] BLOOMERY_INLINE digest64 integer(std::uint64_t key) const noexcept {
        return of_.integer(key);
    }

private:
    /// Not inlined, because it is long: the loop around it should have all registers.
    [[gnu::noinline]] static digest64 other(xxh3_64 of, std::span<const std::byte> key) noexcept {
        return of(key);
    }

    xxh3_64 of_;
};

/// Calls `with` with the hash for the next keys: the given one, or a form of it.
template <class Hash, class With>
BLOOMERY_INLINE decltype(auto)
with_run_hash(const Hash& hash, [[maybe_unused]] const key_lengths& lengths, With with) {
#if !defined(__wasm__) // where xxh3_64 has a loop of its own
    if constexpr (std::same_as<Hash, xxh3_64>) {
        if (lengths.vary()) {
            return with(xxh3_64_of_varying(hash));
        }
    }
#endif
    return with(hash);
}

/// Keys that such a hash takes as bytes, in the caller's loop: a call per key would load all of its
/// constants again.
template <class Hash, class Key>
concept is_text_in_run =
    std::same_as<Hash, xxh3_64_of_varying> && byte_string<Key> && !fed_key<Key>;

/// The bytes of such a key. It names the hash so that a compiler looks at it only where it is used.
template <class Hash, class Key>
    requires is_text_in_run<Hash, Key>
BLOOMERY_INLINE byte_view bytes_in_run(const Key& key) {
    return bloomery::bytes_of(key);
}

/// 1 if the key is longer than 32 bytes, if that matters to a hash and is known at once.
template <class Hash, class Key>
[[nodiscard]] BLOOMERY_INLINE std::size_t is_longer([[maybe_unused]] const Key& key) {
    if constexpr ((std::same_as<Hash, xxh3_64> || std::same_as<Hash, xxh3_64_of_varying>) &&
                  requires { key.size(); }) {
        return static_cast<std::size_t>(key.size() > 32);
    }
    return 0;
}

/// Calls `put(digest)` for each key of a range, in order. `digest_with(hash, key)` makes it.
template <class Hash, class Keys, class DigestWith, class Put>
BLOOMERY_OWN_COPY void hash_in_runs(const Hash& hash, const Keys& keys, DigestWith digest_with,
                                    Put put) {
    constexpr std::size_t run_length = 128;
    using key_type = std::ranges::range_value_t<Keys>;
    key_lengths lengths;
    auto next = std::ranges::begin(keys);
    const auto end = std::ranges::end(keys);
    while (next != end) {
        with_run_hash(hash, lengths, [&](const auto& run) {
            using run_hash = std::remove_cvref_t<decltype(run)>;
            std::size_t longer = 0;
            std::size_t done = 0;
            for (; done < run_length && next != end; ++next, ++done) {
                const key_type& key = *next; // a proxy becomes what it stands for
                longer += is_longer<run_hash>(key);
                if constexpr (is_text_in_run<run_hash, key_type>) {
                    put(run(bytes_in_run<run_hash>(key)));
                } else {
                    put(digest_with(run, key));
                }
            }
            lengths.learn(done, longer);
        });
    }
}

} // namespace bloomery::inline v0::hash::detail
