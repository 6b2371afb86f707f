// One digest for several filters that a key goes through, one after another.
#pragma once

#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/mix.hpp>

#include <cstdint>

namespace bloomery::hash {

/// What part `number` of a filter of many parts takes for a key: the key is hashed once, and yet a
/// key on which one part errs is like any other to the next. Part 0 takes the digest as it is.
/// Decides the bits of stored filters and never changes. O(1).
BLOOMERY_INLINE constexpr digest128 digest_for_part(digest128 key, std::uint64_t number) noexcept {
    if (number == 0) {
        return key;
    }
    const std::uint64_t salt = number * digest_step;
    return {fmix64(key.low ^ salt), fmix64(key.high ^ salt)};
}

} // namespace bloomery::hash
