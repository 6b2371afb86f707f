// XXH3 of keys of any length in code that also compiles for GPUs, which cannot run xxhash.h.
//
// A key is read through a small object, because on a GPU it may be in memory that has no usual
// addresses:
//
//   word64(at), word32(at)             8 or 4 bytes at an offset, which is a multiple of 4
//   word64_at_end(at), word32_at_end   the same, `at` bytes before the end: also a multiple of 4
//   byte(at)                           one byte
//
// Least significant first. On a GPU, offsets that are known when compiling, from either end, are
// part of the instructions that read.
//
// The results are those of xxhash.h: tests/gpu/xxh3.cpp compares them at every length.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

#if defined(__CUDACC__)
#define BLOOMERY_UNROLL _Pragma("unroll")
#define BLOOMERY_OUTLINE_ANYWHERE __noinline__ __host__ __device__
#else
#define BLOOMERY_UNROLL
#define BLOOMERY_OUTLINE_ANYWHERE inline
#endif

namespace bloomery::inline v0::hash::detail {

// What the specification of XXH3 calls its primes, and other odd constants.
inline constexpr std::uint64_t xxh_p32_1 = 0x9e3779b1;
inline constexpr std::uint64_t xxh_p32_2 = 0x85ebca77;
inline constexpr std::uint64_t xxh_p32_3 = 0xc2b2ae3d;
inline constexpr std::uint64_t xxh_p64_1 = 0x9e3779b185ebca87;
inline constexpr std::uint64_t xxh_p64_2 = 0xc2b2ae3d27d4eb4f;
inline constexpr std::uint64_t xxh_p64_3 = 0x165667b19e3779f9;
inline constexpr std::uint64_t xxh_p64_4 = 0x85ebca77c2b2ae63;
inline constexpr std::uint64_t xxh_p64_5 = 0x27d4eb2f165667c5;
inline constexpr std::uint64_t xxh_rrmxmx = 0x9fb21c651e98df25;
inline constexpr std::uint64_t xxh_mix = 0x165667919e3779f9;

/// Word `i` of the 24 words of XXH3's default secret.
BLOOMERY_INLINE_ANYWHERE std::uint64_t xxh_secret(unsigned i) noexcept {
    static constexpr std::uint64_t words[24]{
        0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
        0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
        0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
        0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
        0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
        0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af};
    return words[i];
}

/// The 8 bytes of the secret at any offset.
BLOOMERY_INLINE_ANYWHERE std::uint64_t xxh_secret_at(unsigned at) noexcept {
    const unsigned shift = at % 8 * 8;
    return shift == 0 ? xxh_secret(at / 8)
                      : xxh_secret(at / 8) >> shift | xxh_secret(at / 8 + 1) << (64 - shift);
}

/// The same in the secret that a seed makes of the default one, for long keys.
BLOOMERY_INLINE_ANYWHERE std::uint64_t xxh_seeded_at(unsigned at, std::uint64_t seed) noexcept {
    const auto word = [seed](unsigned i) { return xxh_secret(i) + (i % 2 == 0 ? seed : 0 - seed); };
    const unsigned shift = at % 8 * 8;
    return shift == 0 ? word(at / 8) : word(at / 8) >> shift | word(at / 8 + 1) << (64 - shift);
}

BLOOMERY_INLINE_ANYWHERE constexpr std::uint32_t xxh_swap32(std::uint32_t x) noexcept {
    return x << 24 | (x << 8 & 0xff0000) | (x >> 8 & 0xff00) | x >> 24;
}
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t xxh_swap64(std::uint64_t x) noexcept {
    return std::uint64_t{xxh_swap32(static_cast<std::uint32_t>(x))} << 32 |
           xxh_swap32(static_cast<std::uint32_t>(x >> 32));
}
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t xxh_rotl64(std::uint64_t x, unsigned by) noexcept {
    return x << by | x >> (64 - by);
}
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t xxh_fold(std::uint64_t a,
                                                          std::uint64_t b) noexcept {
    const product128 product = multiply_wide(a, b);
    return product.low ^ product.high;
}
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t xxh3_finish(std::uint64_t h) noexcept {
    h ^= h >> 37;
    h *= xxh_mix;
    return h ^ h >> 32;
}
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t xxh64_finish(std::uint64_t h) noexcept {
    h ^= h >> 33;
    h *= xxh_p64_2;
    h ^= h >> 29;
    h *= xxh_p64_3;
    return h ^ h >> 32;
}

/// 16 bytes of a key.
struct xxh_pair {
    std::uint64_t first;
    std::uint64_t second;
};
template <class Key>
BLOOMERY_INLINE_ANYWHERE xxh_pair xxh_pair_at(const Key& key, std::uint64_t at) noexcept {
    return {key.word64(at), key.word64(at + 8)};
}
template <class Key>
BLOOMERY_INLINE_ANYWHERE xxh_pair xxh_pair_at_end(const Key& key, std::uint64_t at) noexcept {
    return {key.word64_at_end(at), key.word64_at_end(at - 8)};
}

/// 16 bytes of a key with 16 bytes of the secret.
BLOOMERY_INLINE_ANYWHERE std::uint64_t xxh_mix16(xxh_pair bytes, unsigned secret,
                                                 std::uint64_t seed) noexcept {
    return xxh_fold(bytes.first ^ (xxh_secret_at(secret) + seed),
                    bytes.second ^ (xxh_secret_at(secret + 8) - seed));
}

/// A key of 1 to 3 bytes in one word.
template <class Key>
BLOOMERY_INLINE_ANYWHERE std::uint32_t xxh_combined(const Key& key, std::uint64_t size) noexcept {
    return std::uint32_t{key.byte(0)} << 16 | std::uint32_t{key.byte(size >> 1)} << 24 |
           std::uint32_t{key.byte(size - 1)} | static_cast<std::uint32_t>(size) << 8;
}
/// The two halves of a word of the secret.
BLOOMERY_INLINE_ANYWHERE std::uint64_t xxh_halves(unsigned word) noexcept {
    return (xxh_secret(word) ^ xxh_secret(word) >> 32) & 0xffffffff;
}
/// What the seed becomes for keys of 4 to 8 bytes.
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t xxh_seed_of_8(std::uint64_t seed) noexcept {
    return seed ^ std::uint64_t{xxh_swap32(static_cast<std::uint32_t>(seed))} << 32;
}

/// The eight sums of a key of more than 240 bytes.
struct xxh_sums {
    std::uint64_t of[8];

    /// 64 bytes of the key with 64 bytes of the secret.
    template <class WordAt>
    BLOOMERY_INLINE_ANYWHERE void add(const WordAt& word_at, unsigned secret,
                                      std::uint64_t seed) noexcept {
        for (unsigned i = 0; i < 8; ++i) {
            const std::uint64_t word = word_at(i);
            const std::uint64_t mixed = word ^ xxh_seeded_at(secret + 8 * i, seed);
            of[i ^ 1U] += word;
            of[i] += (mixed & 0xffffffff) * (mixed >> 32);
        }
    }
    BLOOMERY_INLINE_ANYWHERE void scramble(std::uint64_t seed) noexcept {
        for (unsigned i = 0; i < 8; ++i) {
            of[i] ^= of[i] >> 47 ^ xxh_seeded_at(128 + 8 * i, seed);
            of[i] *= xxh_p32_1;
        }
    }
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE std::uint64_t
    merged(unsigned secret, std::uint64_t seed, std::uint64_t start) const noexcept {
        for (unsigned i = 0; i < 8; i += 2) {
            start += xxh_fold(of[i] ^ xxh_seeded_at(secret + 8 * i, seed),
                              of[i + 1] ^ xxh_seeded_at(secret + 8 * i + 8, seed));
        }
        return xxh3_finish(start);
    }
};

/// The words of 64 bytes of a key. (Not lambdas, which a GPU would need a compiler option for.)
template <class Key>
struct xxh_stripe {
    const Key& key;
    std::uint64_t at;
    BLOOMERY_INLINE_ANYWHERE std::uint64_t operator()(unsigned i) const noexcept {
        return key.word64(at + 8 * i);
    }
};
template <class Key>
struct xxh_last_stripe {
    const Key& key;
    BLOOMERY_INLINE_ANYWHERE std::uint64_t operator()(unsigned i) const noexcept {
        return key.word64_at_end(64 - 8 * i);
    }
};

template <class Key>
BLOOMERY_INLINE_ANYWHERE xxh_sums xxh_sum_up(const Key& key, std::uint64_t size,
                                             std::uint64_t seed) noexcept {
    xxh_sums sums{
        {xxh_p32_3, xxh_p64_1, xxh_p64_2, xxh_p64_3, xxh_p64_4, xxh_p32_2, xxh_p64_5, xxh_p32_1}};
    const std::uint64_t stripes = (size - 1) / 64;
    for (std::uint64_t i = 0; i < stripes; ++i) {
        sums.add(xxh_stripe<Key>{key, 64 * i}, static_cast<unsigned>(i % 16 * 8), seed);
        if (i % 16 == 15) {
            sums.scramble(seed);
        }
    }
    sums.add(xxh_last_stripe<Key>{key}, 121, seed);
    return sums;
}

/// The hash of a key of more than 128 bytes. Not inlined on GPUs: it would take registers from the
/// keys that most are.
template <class Key>
BLOOMERY_OUTLINE_ANYWHERE std::uint64_t xxh3_64_of_long(const Key& key, std::uint64_t size,
                                                        std::uint64_t seed) noexcept {
    if (size > 240) {
        return xxh_sum_up(key, size, seed).merged(11, seed, size * xxh_p64_1);
    }
    std::uint64_t h = size * xxh_p64_1;
    for (unsigned at = 0; at < 128; at += 16) {
        h += xxh_mix16(xxh_pair_at(key, at), at, seed);
    }
    h = xxh3_finish(h);
    for (unsigned at = 128; at + 16 <= size; at += 16) {
        h += xxh_mix16(xxh_pair_at(key, at), at - 125, seed);
    }
    return xxh3_finish(h + xxh_mix16(xxh_pair_at_end(key, 16), 119, seed));
}

/// XXH3 in 64 bits.
template <class Key>
BLOOMERY_INLINE_ANYWHERE std::uint64_t xxh3_64_of(const Key& key, std::uint64_t size,
                                                  std::uint64_t seed) noexcept {
    if (size > 128) {
        return xxh3_64_of_long(key, size, seed);
    }
    if (size > 16) {
        std::uint64_t h = size * xxh_p64_1;
        BLOOMERY_UNROLL // so that the secret is in the instructions
            for (unsigned at = 0; at < 64; at += 16) {
            if (2 * at >= size) {
                break;
            }
            h += xxh_mix16(xxh_pair_at(key, at), 2 * at, seed) +
                 xxh_mix16(xxh_pair_at_end(key, at + 16), 2 * at + 16, seed);
        }
        return xxh3_finish(h);
    }
    if (size > 8) {
        const std::uint64_t low = key.word64(0) ^ ((xxh_secret(3) ^ xxh_secret(4)) + seed);
        const std::uint64_t high = key.word64_at_end(8) ^ ((xxh_secret(5) ^ xxh_secret(6)) - seed);
        return xxh3_finish(size + xxh_swap64(low) + high + xxh_fold(low, high));
    }
    if (size >= 4) {
        std::uint64_t h = (std::uint64_t{key.word32(0)} << 32) + key.word32_at_end(4);
        h ^= (xxh_secret(1) ^ xxh_secret(2)) - xxh_seed_of_8(seed);
        h ^= xxh_rotl64(h, 49) ^ xxh_rotl64(h, 24);
        h *= xxh_rrmxmx;
        h ^= (h >> 35) + size;
        h *= xxh_rrmxmx;
        return h ^ h >> 28;
    }
    return size == 0 ? xxh64_finish(seed ^ xxh_secret(7) ^ xxh_secret(8))
                     : xxh64_finish(xxh_combined(key, size) ^ (xxh_halves(0) + seed));
}

/// 32 bytes of a key with 32 bytes of the secret.
BLOOMERY_INLINE_ANYWHERE digest128 xxh_mix32(digest128 sum, xxh_pair first, xxh_pair second,
                                             unsigned secret, std::uint64_t seed) noexcept {
    sum.low += xxh_mix16(first, secret, seed);
    sum.low ^= second.first + second.second;
    sum.high += xxh_mix16(second, secret + 16, seed);
    sum.high ^= first.first + first.second;
    return sum;
}

template <class Key>
BLOOMERY_INLINE_ANYWHERE digest128 xxh3_128_up_to_16(const Key& key, std::uint64_t size,
                                                     std::uint64_t seed) noexcept {
    if (size > 8) {
        const std::uint64_t low = key.word64(0);
        std::uint64_t high = key.word64_at_end(8);
        product128 m =
            multiply_wide(low ^ high ^ ((xxh_secret(4) ^ xxh_secret(5)) - seed), xxh_p64_1);
        m.low += (size - 1) << 54;
        high ^= (xxh_secret(6) ^ xxh_secret(7)) + seed;
        m.high += high + (high & 0xffffffff) * (xxh_p32_2 - 1);
        m.low ^= xxh_swap64(m.high);
        const product128 h = multiply_wide(m.low, xxh_p64_2);
        return {xxh3_finish(h.low), xxh3_finish(h.high + m.high * xxh_p64_2)};
    }
    if (size >= 4) {
        const std::uint64_t word = key.word32(0) + (std::uint64_t{key.word32_at_end(4)} << 32);
        product128 m = multiply_wide(word ^ ((xxh_secret(2) ^ xxh_secret(3)) + xxh_seed_of_8(seed)),
                                     xxh_p64_1 + (size << 2));
        m.high += m.low << 1;
        m.low ^= m.high >> 3;
        m.low ^= m.low >> 35;
        m.low *= xxh_rrmxmx;
        m.low ^= m.low >> 28;
        return {m.low, xxh3_finish(m.high)};
    }
    if (size == 0) {
        return {xxh64_finish(seed ^ xxh_secret(8) ^ xxh_secret(9)),
                xxh64_finish(seed ^ xxh_secret(10) ^ xxh_secret(11))};
    }
    const std::uint32_t low = xxh_combined(key, size);
    const std::uint32_t swapped = xxh_swap32(low);
    const std::uint32_t high = swapped << 13 | swapped >> 19;
    return {xxh64_finish(low ^ (xxh_halves(0) + seed)),
            xxh64_finish(high ^ (xxh_halves(1) - seed))};
}

BLOOMERY_INLINE_ANYWHERE digest128 xxh3_128_finish(digest128 sum, std::uint64_t size,
                                                   std::uint64_t seed) noexcept {
    return {
        xxh3_finish(sum.low + sum.high),
        0 - xxh3_finish(sum.low * xxh_p64_1 + sum.high * xxh_p64_4 + (size - seed) * xxh_p64_2)};
}

/// As xxh3_64_of_long.
template <class Key>
BLOOMERY_OUTLINE_ANYWHERE digest128 xxh3_128_of_long(const Key& key, std::uint64_t size,
                                                     std::uint64_t seed) noexcept {
    if (size > 240) {
        const xxh_sums sums = xxh_sum_up(key, size, seed);
        return {sums.merged(11, seed, size * xxh_p64_1),
                sums.merged(117, seed, ~(size * xxh_p64_2))};
    }
    digest128 sum{size * xxh_p64_1, 0};
    for (unsigned at = 0; at < 128; at += 32) {
        sum = xxh_mix32(sum, xxh_pair_at(key, at), xxh_pair_at(key, at + 16), at, seed);
    }
    sum = {xxh3_finish(sum.low), xxh3_finish(sum.high)};
    for (unsigned at = 128; at + 32 <= size; at += 32) {
        sum = xxh_mix32(sum, xxh_pair_at(key, at), xxh_pair_at(key, at + 16), at - 125, seed);
    }
    sum = xxh_mix32(sum, xxh_pair_at_end(key, 16), xxh_pair_at_end(key, 32), 103, 0 - seed);
    return xxh3_128_finish(sum, size, seed);
}

/// XXH3 in 128 bits.
template <class Key>
BLOOMERY_INLINE_ANYWHERE digest128 xxh3_128_of(const Key& key, std::uint64_t size,
                                               std::uint64_t seed) noexcept {
    if (size <= 16) {
        return xxh3_128_up_to_16(key, size, seed);
    }
    if (size > 128) {
        return xxh3_128_of_long(key, size, seed);
    }
    digest128 sum{size * xxh_p64_1, 0};
    BLOOMERY_UNROLL
    for (unsigned part = 4; part-- > 0;) {
        if (32 * part < size) {
            sum = xxh_mix32(sum, xxh_pair_at(key, 16 * part), xxh_pair_at_end(key, 16 * part + 16),
                            32 * part, seed);
        }
    }
    return xxh3_128_finish(sum, size, seed);
}

} // namespace bloomery::inline v0::hash::detail
