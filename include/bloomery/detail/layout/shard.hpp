// Which shard a key belongs to, if a filter is split into many small ones.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

namespace bloomery::inline v0::layout {

/// The shard that holds all bits of a key. The two words of the digest are mixed once more, so that
/// the shard is independent of the probes, which are remainders of sums of the same words: of the
/// 128 bits, a shard uses a dozen and a probe a few dozen. Part of the layout in Redis: never
/// changes. O(1).
[[nodiscard]] constexpr std::uint64_t shard_of(digest128 d, std::uint64_t shards) noexcept {
    std::uint64_t mixed = (d.low ^ 0x2545F4914F6CDD1DU) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 32U) ^ d.high) * 0xD6E8FEB86659FD93U;
    mixed = (mixed ^ (mixed >> 32U)) * 0xD6E8FEB86659FD93U;
    return hash::fastrange(mixed ^ (mixed >> 32U), shards);
}

} // namespace bloomery::inline v0::layout
