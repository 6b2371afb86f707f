// XXH3 in 64 bits of keys of up to 128 bytes, for processors without a 128-bit product, and of keys
// of 17 to 64 bytes in batches.
//
// WebAssembly has no such product. There, xxhash.h makes each product of four, one after the other
// and behind a call, which takes longer than all else that a filter does with a key. This makes the
// two products of a step side by side, in vectors where the module has them. The results are those
// of xxhash.h: tests/hash/xxh3_short.cpp compares them at every length.
#pragma once

#include <bloomery/detail/hash/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace bloomery::inline v0::hash::detail {

/// The longest key of `xxh3_short`. Longer ones go through a loop of another kind.
inline constexpr std::size_t xxh3_short_most = 128;
/// The start of XXH3's secret, in words.
inline constexpr std::array<std::uint64_t, 16> xxh3_secret{
    0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
    0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
    0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
    0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8};

inline constexpr std::uint64_t xxh3_step = 0x9e3779b185ebca87;

constexpr std::uint64_t xxh3_avalanche(std::uint64_t h) noexcept {
    h ^= h >> 37;
    h *= 0x165667919e3779f9;
    return h ^ h >> 32;
}

/// Both halves of a product in one word.
BLOOMERY_INLINE constexpr std::uint64_t xxh3_fold(std::uint64_t a, std::uint64_t b) noexcept {
    const product128 product = multiply_wide(a, b);
    return product.low ^ product.high;
}

#if defined(__wasm_simd128__)

/// The folded products of the halves of `x` and of `y`, added up.
BLOOMERY_INLINE std::uint64_t xxh3_two_folds(v128_t x, v128_t y) noexcept {
    // The factors of the two products in two vectors, the low half of each word first.
    const v128_t a = wasm_i32x4_shuffle(x, y, 0, 4, 1, 5);
    const v128_t b = wasm_i32x4_shuffle(x, y, 2, 6, 3, 7);
    const v128_t crossed = wasm_i32x4_shuffle(b, b, 2, 3, 0, 1);
    const v128_t half = wasm_u64x2_const_splat(0xffffffff);
    const v128_t low = wasm_u64x2_extmul_low_u32x4(a, b);
    const v128_t cross = wasm_i64x2_add(wasm_u64x2_extmul_high_u32x4(a, crossed), // high × low
                                        wasm_u64x2_shr(low, 32));
    const v128_t carry = wasm_i64x2_add(wasm_u64x2_extmul_low_u32x4(a, crossed), // low × high
                                        wasm_v128_and(cross, half));
    const v128_t high =
        wasm_i64x2_add(wasm_u64x2_extmul_high_u32x4(a, b),
                       wasm_i64x2_add(wasm_u64x2_shr(cross, 32), wasm_u64x2_shr(carry, 32)));
    const v128_t folded =
        wasm_v128_xor(wasm_v128_or(wasm_v128_and(low, half), wasm_i64x2_shl(carry, 32)), high);
    return wasm_u64x2_extract_lane(folded, 0) + wasm_u64x2_extract_lane(folded, 1);
}

/// One step: 16 bytes from each end of a key, with 32 bytes of the secret.
BLOOMERY_INLINE std::uint64_t xxh3_ends(const std::byte* first, const std::byte* last,
                                        const std::uint64_t* secret, std::uint64_t seed) noexcept {
    const v128_t seeds = wasm_u64x2_make(seed, 0 - seed);
    return xxh3_two_folds(
        wasm_v128_xor(wasm_v128_load(first), wasm_i64x2_add(wasm_v128_load(secret), seeds)),
        wasm_v128_xor(wasm_v128_load(last), wasm_i64x2_add(wasm_v128_load(secret + 2), seeds)));
}

#else

BLOOMERY_INLINE std::uint64_t xxh3_ends(const std::byte* first, const std::byte* last,
                                        const std::uint64_t* secret, std::uint64_t seed) noexcept {
    return xxh3_fold(load_le64(first) ^ (secret[0] + seed),
                     load_le64(first + 8) ^ (secret[1] - seed)) +
           xxh3_fold(load_le64(last) ^ (secret[2] + seed),
                     load_le64(last + 8) ^ (secret[3] - seed));
}

#endif

BLOOMERY_INLINE std::uint64_t xxh3_up_to_8(const std::byte* key, std::size_t size,
                                           std::uint64_t seed) noexcept {
    constexpr std::uint64_t factor = 0x9fb21c651e98df25;
    constexpr std::uint64_t flip = xxh3_secret[1] ^ xxh3_secret[2];
    seed ^= std::uint64_t{byteswap(static_cast<std::uint32_t>(seed))} << 32;
    std::uint64_t h = (std::uint64_t{load_le32(key)} << 32) + load_le32(key + size - 4);
    h ^= flip - seed;
    h ^= std::rotl(h, 49) ^ std::rotl(h, 24);
    h *= factor;
    h ^= (h >> 35) + size;
    h *= factor;
    return h ^ h >> 28;
}

BLOOMERY_INLINE std::uint64_t xxh3_up_to_16(const std::byte* key, std::size_t size,
                                            std::uint64_t seed) noexcept {
    const std::uint64_t low = load_le64(key) ^ ((xxh3_secret[3] ^ xxh3_secret[4]) + seed);
    const std::uint64_t high =
        load_le64(key + size - 8) ^ ((xxh3_secret[5] ^ xxh3_secret[6]) - seed);
    return xxh3_avalanche(size + byteswap(low) + high + xxh3_fold(low, high));
}

BLOOMERY_INLINE std::uint64_t xxh3_up_to_32(const std::byte* key, std::size_t size,
                                            std::uint64_t seed) noexcept {
    return xxh3_avalanche(size * xxh3_step +
                          xxh3_ends(key, key + size - 16, xxh3_secret.data(), seed));
}

/// The hash of a key of 33 to 128 bytes. Not inlined: it is long.
[[gnu::noinline]] inline std::uint64_t xxh3_up_to_128(const std::byte* key, std::size_t size,
                                                      std::uint64_t seed) noexcept {
    std::uint64_t h = size * xxh3_step;
    for (std::size_t at = 0; 2 * at < size; at += 16) {
        h += xxh3_ends(key + at, key + size - at - 16, xxh3_secret.data() + at / 4, seed);
    }
    return xxh3_avalanche(h);
}

/// The hash of a key of 17 to 64 bytes without a branch: in a batch of keys of many lengths, the
/// processor guesses wrong for about every second key, which takes longer than the two products
/// that keys of up to 32 bytes do not need.
BLOOMERY_INLINE std::uint64_t xxh3_17_to_64(const std::byte* key, std::size_t size,
                                            std::uint64_t seed) noexcept {
    const std::uint64_t* const secret = xxh3_secret.data();
    // All ones from 33 bytes on. In a register, or compilers make a branch of it.
    const std::uint64_t longer = in_register(0 - ((32 - std::uint64_t{size}) >> 63U));
    const std::byte* const second = key + (16 & longer); // for shorter keys, any 16 bytes of them
    const std::byte* const last_but_one = key + ((size - 32) & longer);
    return xxh3_avalanche(size * xxh3_step + xxh3_ends(key, key + size - 16, secret, seed) +
                          (xxh3_ends(second, last_but_one, secret + 4, seed) & longer));
}

/// The hash of a key of 4 to 128 bytes.
BLOOMERY_INLINE std::uint64_t xxh3_short(const std::byte* key, std::size_t size,
                                         std::uint64_t seed) noexcept {
    if (size > 32) {
        return xxh3_up_to_128(key, size, seed);
    }
    if (size > 16) {
        return xxh3_up_to_32(key, size, seed);
    }
    return size > 8 ? xxh3_up_to_16(key, size, seed) : xxh3_up_to_8(key, size, seed);
}

} // namespace bloomery::inline v0::hash::detail
