// How bulk calls walk their keys: hash ahead, ask the memory, then do the work in order.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace bloomery {

/// Up to this size a filter mostly stays in the caches, and asking ahead costs more than it saves:
/// measured with bench/filter.cpp, where 1.2 MB lose by it and 24 MB gain.
inline constexpr std::uint64_t prefetch_beyond = 4U << 20U;

/// Calls `visit(digest, index)` for each key in order, with the prefetches some keys ahead. O(n).
template <class Digest, class Keys, class Hash, class Prefetch, class Visit>
void for_each_digest(const Keys& keys, Hash&& hash, Prefetch&& prefetch, bool ahead,
                     Visit&& visit) {
    constexpr std::size_t distance = 32;
    if constexpr (std::ranges::contiguous_range<const Keys> &&
                  std::same_as<std::ranges::range_value_t<const Keys>, Digest>) {
        const std::span<const Digest> digests(keys);
        const std::size_t early = ahead ? std::min(distance, digests.size()) : 0;
        for (std::size_t i = 0; i < early; ++i) {
            prefetch(digests[i]);
        }
        for (std::size_t i = 0; i < digests.size(); ++i) {
            if (ahead && i + distance < digests.size()) {
                prefetch(digests[i + distance]);
            }
            visit(digests[i], i);
        }
    } else {
        // A ring of digests: the place of the key that is due is where the newest one goes.
        std::array<Digest, distance> ring{};
        std::size_t hashed = 0;
        for (const auto& key : keys) {
            Digest& place = ring[hashed % distance];
            if (hashed >= distance) {
                visit(place, hashed - distance);
            }
            place = hash(key);
            if (ahead) {
                prefetch(place);
            }
            ++hashed;
        }
        for (std::size_t i = hashed < distance ? 0 : hashed - distance; i < hashed; ++i) {
            visit(ring[i % distance], i);
        }
    }
}

} // namespace bloomery
