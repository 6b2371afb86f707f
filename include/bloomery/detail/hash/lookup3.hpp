// Bob Jenkins' lookup3 (2006), the default hash of Hadoop's and HBase's filters.
#pragma once

#include <bloomery/detail/hash/bits.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::hash {

namespace detail {

struct lookup3_state {
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t c;

    /// Adds 1 to 12 bytes; missing ones count as zeros.
    constexpr void add(const std::byte* from, std::size_t count) noexcept {
        a += word(from, std::min<std::size_t>(count, 4));
        if (count > 4) {
            b += word(from + 4, std::min<std::size_t>(count - 4, 4));
        }
        if (count > 8) {
            c += word(from + 8, count - 8);
        }
    }

    /// Between two blocks; reversible.
    constexpr void mix() noexcept {
        mix_step(a, c, b, 4);
        mix_step(b, a, c, 6);
        mix_step(c, b, a, 8);
        mix_step(a, c, b, 16);
        mix_step(b, a, c, 19);
        mix_step(c, b, a, 4);
    }

    /// After the last block: spreads everything over `c`.
    constexpr void finish() noexcept {
        finish_step(c, b, 14);
        finish_step(a, c, 11);
        finish_step(b, a, 25);
        finish_step(c, b, 16);
        finish_step(a, c, 4);
        finish_step(b, a, 14);
        finish_step(c, b, 24);
    }

private:
    static constexpr std::uint32_t word(const std::byte* from, std::size_t count) noexcept {
        return static_cast<std::uint32_t>(load_le_tail(from, count));
    }

    static constexpr void mix_step(std::uint32_t& x, std::uint32_t& y, std::uint32_t z,
                                   int turn) noexcept {
        x = (x - y) ^ std::rotl(y, turn);
        y += z;
    }

    static constexpr void finish_step(std::uint32_t& x, std::uint32_t y, int turn) noexcept {
        x = (x ^ y) - std::rotl(y, turn);
    }
};

} // namespace detail

/// hashlittle of lookup3: the original's `c`, under `initval`. O(key).
BLOOMERY_INLINE constexpr std::uint32_t lookup3(std::span<const std::byte> key,
                                                std::uint32_t initval = 0) noexcept {
    const std::uint32_t start = 0xdeadbeef + static_cast<std::uint32_t>(key.size()) + initval;
    detail::lookup3_state state{start, start, start};
    if (key.empty()) {
        return state.c; // unmixed, as in the original
    }
    const std::byte* at = key.data();
    std::size_t left = key.size();
    // The last block, even when it is full, is finished instead of mixed.
    for (; left > 12; left -= 12, at += 12) {
        state.add(at, 12);
        state.mix();
    }
    state.add(at, left);
    state.finish();
    return state.c;
}

} // namespace bloomery::inline v0::hash
