// HighwayHash (Alakuijala, Cox and Wassenberg, 2016): a keyed hash with four 64-bit lanes.
// Redisson's filters use its 128-bit form under a published key. The state is plain
// integers, so the result is the same whatever the processor.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

/// The secret of HighwayHash, 32 bytes read as four little-endian words.
struct highway_key {
    std::array<std::uint64_t, 4> words{};
    friend constexpr bool operator==(const highway_key&, const highway_key&) = default;
};

namespace detail {

class BLOOMERY_OWN_COPY highway_state {
public:
    explicit highway_state(const highway_key& key) noexcept {
        for (std::size_t i = 0; i < 4; ++i) {
            v0_[i] = mul0_[i] ^ key.words[i];
            v1_[i] = mul1_[i] ^ std::rotl(key.words[i], 32);
        }
    }

    void absorb_all(std::span<const std::byte> text) noexcept {
        for (; text.size() >= packet_size; text = text.subspan(packet_size)) {
            absorb(lanes_of(text.data()));
        }
        if (!text.empty()) {
            absorb_tail(text);
        }
    }

    std::uint64_t finish_64() noexcept {
        permute_and_absorb(4);
        return v0_[0] + v1_[0] + mul0_[0] + mul1_[0];
    }

    digest128 finish_128() noexcept {
        permute_and_absorb(6);
        return {v0_[0] + mul0_[0] + v1_[2] + mul1_[2], v0_[1] + mul0_[1] + v1_[3] + mul1_[3]};
    }

private:
    using lanes = std::array<std::uint64_t, 4>;
    static constexpr std::size_t packet_size = 32;

    static lanes lanes_of(const std::byte* packet) noexcept {
        return {load_le64(packet), load_le64(packet + 8), load_le64(packet + 16),
                load_le64(packet + 24)};
    }

    static constexpr std::uint64_t low_times_high(std::uint64_t a, std::uint64_t b) noexcept {
        return (a & 0xffffffff) * (b >> 32);
    }

    /// Byte `from` of `word`, moved to byte `to`.
    static constexpr std::uint64_t move_byte(std::uint64_t word, int from, int to) noexcept {
        return ((word >> (8 * from)) & 0xff) << (8 * to);
    }

    /// Adds to a pair of lanes the bytes of `a` and `b` in an order that puts the well-mixed middle
    /// bytes of a product where the next multiplication needs them.
    static constexpr void zipper_merge(std::uint64_t b, std::uint64_t a, std::uint64_t& even,
                                       std::uint64_t& odd) noexcept {
        even += move_byte(a, 3, 0) | move_byte(b, 4, 1) | move_byte(a, 2, 2) | move_byte(a, 5, 3) |
                move_byte(b, 6, 4) | move_byte(a, 1, 5) | move_byte(b, 7, 6) | move_byte(a, 0, 7);
        odd += move_byte(b, 3, 0) | move_byte(a, 4, 1) | move_byte(b, 2, 2) | move_byte(b, 5, 3) |
               move_byte(b, 1, 4) | move_byte(a, 6, 5) | move_byte(b, 0, 6) | move_byte(a, 7, 7);
    }

    void absorb(const lanes& packet) noexcept {
        for (std::size_t i = 0; i < 4; ++i) {
            v1_[i] += mul0_[i] + packet[i];
            mul0_[i] ^= low_times_high(v1_[i], v0_[i]);
            v0_[i] += mul1_[i];
            mul1_[i] ^= low_times_high(v0_[i], v1_[i]);
        }
        zipper_merge(v1_[1], v1_[0], v0_[0], v0_[1]);
        zipper_merge(v1_[3], v1_[2], v0_[2], v0_[3]);
        zipper_merge(v0_[1], v0_[0], v1_[0], v1_[1]);
        zipper_merge(v0_[3], v0_[2], v1_[2], v1_[3]);
    }

    /// The 1 to 31 bytes after the last whole packet. Their number goes into every lane, because
    /// the padding alone would not distinguish "a" from "a\0".
    void absorb_tail(std::span<const std::byte> tail) noexcept {
        const std::size_t size = tail.size();
        for (std::size_t i = 0; i < 4; ++i) {
            v0_[i] += (std::uint64_t{size} << 32) + size;
            v1_[i] = rotate_halves(v1_[i], static_cast<int>(size));
        }
        std::array<std::byte, packet_size> packet{};
        const std::size_t whole = size & ~std::size_t{3};
        for (std::size_t i = 0; i < whole; ++i) {
            packet[i] = tail[i];
        }
        const std::size_t rest = size & 3;
        if ((size & 16) != 0) {
            for (std::size_t i = 0; i < 4; ++i) {
                packet[28 + i] = tail[size - 4 + i];
            }
        } else if (rest != 0) {
            packet[16] = tail[whole];
            packet[17] = tail[whole + (rest >> 1)];
            packet[18] = tail[size - 1];
        }
        absorb(lanes_of(packet.data()));
    }

    static constexpr std::uint64_t rotate_halves(std::uint64_t word, int by) noexcept {
        const std::uint32_t low = std::rotl(static_cast<std::uint32_t>(word), by);
        const std::uint32_t high = std::rotl(static_cast<std::uint32_t>(word >> 32), by);
        return (std::uint64_t{high} << 32) | low;
    }

    void permute_and_absorb(int times) noexcept {
        for (int i = 0; i < times; ++i) {
            absorb({std::rotl(v0_[2], 32), std::rotl(v0_[3], 32), std::rotl(v0_[0], 32),
                    std::rotl(v0_[1], 32)});
        }
    }

    // Digits of pi: nothing-up-my-sleeve numbers.
    lanes mul0_{0xdbe6d5d5fe4cce2f, 0xa4093822299f31d0, 0x13198a2e03707344, 0x243f6a8885a308d3};
    lanes mul1_{0x3bd39e10cb0ef593, 0xc0acf169b5f18a8c, 0xbe5466cf34e90c6c, 0x452821e638d01377};
    lanes v0_;
    lanes v1_;
};

} // namespace detail

/// HighwayHash in 64 bits. O(key).
BLOOMERY_INLINE std::uint64_t highwayhash_64(std::span<const std::byte> text,
                                             const highway_key& key) noexcept {
    detail::highway_state state(key);
    state.absorb_all(text);
    return state.finish_64();
}

/// HighwayHash in 128 bits. O(key).
BLOOMERY_INLINE digest128 highwayhash_128(std::span<const std::byte> text,
                                          const highway_key& key) noexcept {
    detail::highway_state state(key);
    state.absorb_all(text);
    return state.finish_128();
}

/// HighwayHash in 64 bits as the hash of a filter.
struct highway_64 {
    static constexpr hash_id id = hash_id::highway_64;
    static constexpr bool is_avalanching = true;

    highway_key key{};

    /// The digest of a byte key. O(key).
    digest64 operator()(std::span<const std::byte> text) const noexcept {
        return {highwayhash_64(text, key)};
    }

    friend constexpr bool operator==(const highway_64&, const highway_64&) = default;
};

/// HighwayHash in 128 bits as the hash of a filter.
struct highway_128 {
    static constexpr hash_id id = hash_id::highway_128;
    static constexpr bool is_avalanching = true;

    highway_key key{};

    /// The digest of a byte key. O(key).
    digest128 operator()(std::span<const std::byte> text) const noexcept {
        return highwayhash_128(text, key);
    }

    friend constexpr bool operator==(const highway_128&, const highway_128&) = default;
};

} // namespace bloomery::inline v0::hash
