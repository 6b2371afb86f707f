// How bulk calls walk their keys: hash a group, ask the memory for it, then do the work in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>

namespace bloomery {

/// Below this size a filter stays in the core's own cache, and asking ahead only costs time.
inline constexpr std::uint64_t prefetch_beyond = 512U << 10U;

/// Calls `visit(digest, index)` for each key in order, a group behind the prefetches. O(n).
template <class Digest, class Keys, class Hash, class Prefetch, class Visit>
void for_each_digest(const Keys& keys, Hash&& hash, Prefetch&& prefetch, bool ahead,
                     Visit&& visit) {
    constexpr std::size_t group = 64;
    std::array<Digest, group> digests{};
    std::size_t filled = 0;
    std::size_t base = 0;
    const auto drain = [&] {
        for (std::size_t i = 0; i < filled; ++i) {
            visit(digests[i], base + i);
        }
        base += filled;
        filled = 0;
    };
    for (const auto& key : keys) {
        digests[filled] = hash(key);
        if (ahead) {
            prefetch(digests[filled]);
        }
        if (++filled == group) {
            drain();
        }
    }
    drain();
}

} // namespace bloomery
