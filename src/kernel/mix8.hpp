// Eight keys at a time: mix64, the widened digest, and the block of each.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/kernel/lanes.hpp>

#if defined(BLOOMERY_LANES_AVX2)
#include "broadcast.hpp"
#endif

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

constexpr std::uint64_t fold_factor = hash::detail::fold_factor;
constexpr std::uint64_t low_factor = hash::detail::spread_factor;
constexpr std::uint64_t high_factor = hash::detail::spread_factor * digest_step;

#if defined(BLOOMERY_LANES_AVX512)

/// Low and high words of eight digests.
struct eight {
    __m512i low;
    __m512i high;
};

BLOOMERY_INLINE eight mix8(const std::uint64_t* keys, std::uint64_t seed) noexcept {
    const __m512i x = _mm512_loadu_si512(keys);
    const __m512i top = _mm512_srli_epi64(x, 32);
    const __m512i factor_low = all8(fold_factor & 0xffffffffU);
    const __m512i factor_high = all8(fold_factor >> 32U);
    // The schoolbook product; each sum of a product and two halves fits 64 bits.
    const __m512i low_low = _mm512_mul_epu32(x, factor_low);
    const __m512i middle =
        _mm512_add_epi64(_mm512_mul_epu32(top, factor_low), _mm512_srli_epi64(low_low, 32));
    const __m512i other = _mm512_add_epi64(_mm512_mul_epu32(x, factor_high),
                                           _mm512_and_si512(middle, all8(0xffffffffU)));
    const __m512i high = _mm512_add_epi64(
        _mm512_add_epi64(_mm512_mul_epu32(top, factor_high), _mm512_srli_epi64(middle, 32)),
        _mm512_srli_epi64(other, 32));
    const __m512i low = _mm512_mullo_epi64(x, all8(fold_factor));
    const __m512i folded = _mm512_ternarylogic_epi64(low, high, all8(seed), 0x96); // exclusive or
    return {_mm512_mullo_epi64(folded, all8(low_factor)),
            _mm512_mullo_epi64(folded, all8(high_factor))};
}

BLOOMERY_INLINE eight read8(const digest128* digests) noexcept {
    const __m512i a = _mm512_loadu_si512(digests);
    const __m512i b = _mm512_loadu_si512(digests + 4);
    return {_mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), b),
            _mm512_permutex2var_epi64(a, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), b)};
}

/// Stores the first word of each digest's block, for fewer than 2^32 blocks of 2^`Shift` words.
template <unsigned Shift>
BLOOMERY_INLINE void place8(eight digests, std::uint64_t blocks, std::uint64_t* first,
                            std::uint64_t* high) noexcept {
    const __m512i count = all8(blocks);
    const __m512i carry = _mm512_srli_epi64(_mm512_mul_epu32(digests.low, count), 32);
    const __m512i product =
        _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(digests.low, 32), count), carry);
    _mm512_store_si512(first, _mm512_slli_epi64(_mm512_srli_epi64(product, 32), Shift));
    _mm512_store_si512(high, digests.high);
}

BLOOMERY_INLINE void store8(eight digests, std::uint64_t* low, std::uint64_t* high) noexcept {
    _mm512_store_si512(low, digests.low);
    _mm512_store_si512(high, digests.high);
}

BLOOMERY_INLINE void write8(eight from, digest128* to) noexcept {
    const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi64(from.low, first, from.high));
    _mm512_storeu_si512(to + 4, _mm512_permutex2var_epi64(from.low, second, from.high));
}

#elif defined(BLOOMERY_LANES_AVX2)

struct four {
    __m256i low;
    __m256i high;
};
struct eight {
    four first;
    four second;
};

/// x * factor modulo 2^64, with the high halves of x at hand.
BLOOMERY_INLINE __m256i multiply4(__m256i x, __m256i top, std::uint64_t factor) noexcept {
    const __m256i factor_low = all4(factor & 0xffffffffU);
    const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(top, factor_low),
                                           _mm256_mul_epu32(x, all4(factor >> 32U)));
    return _mm256_add_epi64(_mm256_mul_epu32(x, factor_low), _mm256_slli_epi64(cross, 32));
}

BLOOMERY_INLINE four mix4(const std::uint64_t* keys, std::uint64_t seed) noexcept {
    const __m256i x = half_line::load(keys);
    const __m256i top = _mm256_srli_epi64(x, 32);
    const __m256i factor_low = all4(fold_factor & 0xffffffffU);
    const __m256i factor_high = all4(fold_factor >> 32U);
    // The schoolbook product; each sum of a product and two halves fits 64 bits.
    const __m256i low_low = _mm256_mul_epu32(x, factor_low);
    const __m256i middle =
        _mm256_add_epi64(_mm256_mul_epu32(top, factor_low), _mm256_srli_epi64(low_low, 32));
    const __m256i other = _mm256_add_epi64(
        _mm256_mul_epu32(x, factor_high), _mm256_blend_epi32(middle, _mm256_setzero_si256(), 0xaa));
    const __m256i high = _mm256_add_epi64(
        _mm256_add_epi64(_mm256_mul_epu32(top, factor_high), _mm256_srli_epi64(middle, 32)),
        _mm256_srli_epi64(other, 32));
    const __m256i low = _mm256_blend_epi32(low_low, _mm256_slli_epi64(other, 32), 0xaa);
    const __m256i folded = _mm256_xor_si256(_mm256_xor_si256(low, all4(seed)), high);
    const __m256i folded_top = _mm256_srli_epi64(folded, 32);
    return {multiply4(folded, folded_top, low_factor), multiply4(folded, folded_top, high_factor)};
}

BLOOMERY_INLINE eight mix8(const std::uint64_t* keys, std::uint64_t seed) noexcept {
    return {mix4(keys, seed), mix4(keys + 4, seed)};
}

BLOOMERY_INLINE four read4(const digest128* digests) noexcept {
    const auto* const words = reinterpret_cast<const std::uint64_t*>(digests);
    const __m256i a = half_line::load(words);
    const __m256i b = half_line::load(words + 4);
    return {_mm256_permute4x64_epi64(_mm256_unpacklo_epi64(a, b), 0xd8),
            _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(a, b), 0xd8)};
}

BLOOMERY_INLINE eight read8(const digest128* digests) noexcept {
    return {read4(digests), read4(digests + 4)};
}

template <unsigned Shift>
BLOOMERY_INLINE void place4(four digests, std::uint64_t blocks, std::uint64_t* first,
                            std::uint64_t* high) noexcept {
    const __m256i count = all4(blocks);
    const __m256i carry = _mm256_srli_epi64(_mm256_mul_epu32(digests.low, count), 32);
    const __m256i product =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(digests.low, 32), count), carry);
    half_line::store(first, _mm256_slli_epi64(_mm256_srli_epi64(product, 32), Shift));
    half_line::store(high, digests.high);
}

/// Stores the first word of each digest's block, for fewer than 2^32 blocks of 2^`Shift` words.
template <unsigned Shift>
BLOOMERY_INLINE void place8(eight digests, std::uint64_t blocks, std::uint64_t* first,
                            std::uint64_t* high) noexcept {
    place4<Shift>(digests.first, blocks, first, high);
    place4<Shift>(digests.second, blocks, first + 4, high + 4);
}

BLOOMERY_INLINE void store8(eight digests, std::uint64_t* low, std::uint64_t* high) noexcept {
    half_line::store(low, digests.first.low);
    half_line::store(low + 4, digests.second.low);
    half_line::store(high, digests.first.high);
    half_line::store(high + 4, digests.second.high);
}

BLOOMERY_INLINE void write4(four from, digest128* to) noexcept {
    auto* const words = reinterpret_cast<std::uint64_t*>(to);
    const __m256i evens = _mm256_unpacklo_epi64(from.low, from.high);
    const __m256i odds = _mm256_unpackhi_epi64(from.low, from.high);
    half_line::store(words, _mm256_permute2x128_si256(evens, odds, 0x20));
    half_line::store(words + 4, _mm256_permute2x128_si256(evens, odds, 0x31));
}

BLOOMERY_INLINE void write8(eight from, digest128* to) noexcept {
    write4(from.first, to);
    write4(from.second, to + 4);
}

#else

/// Eight digests, each made when it is asked for: a processor without vectors has no room for all.
struct eight_mixed {
    const std::uint64_t* keys;
    std::uint64_t seed;

    BLOOMERY_INLINE digest128 operator[](std::size_t i) const noexcept {
        const std::uint64_t low = hash::mix64_with(keys[i], seed);
        return {low, low * digest_step};
    }
};

BLOOMERY_INLINE eight_mixed mix8(const std::uint64_t* keys, std::uint64_t seed) noexcept {
    return {keys, seed};
}

BLOOMERY_INLINE const digest128* read8(const digest128* from) noexcept { return from; }

/// Stores the first word of each digest's block of 2^`Shift` words.
template <unsigned Shift, class Eight>
BLOOMERY_INLINE void place8(Eight digests, std::uint64_t blocks, std::uint64_t* first,
                            std::uint64_t* high) noexcept {
    for (std::size_t i = 0; i < 8; ++i) {
        const digest128 digest = digests[i];
#if defined(__wasm__) // where fewer than 2^32 blocks fit into memory
        const std::uint64_t carry = (digest.low & 0xffffffffU) * blocks >> 32U;
        first[i] = ((digest.low >> 32U) * blocks + carry) >> 32U << Shift;
#else
        first[i] = hash::fastrange(digest.low, blocks) << Shift;
#endif
        high[i] = digest.high;
    }
}

template <class Eight>
BLOOMERY_INLINE void store8(Eight digests, std::uint64_t* low, std::uint64_t* high) noexcept {
    for (std::size_t i = 0; i < 8; ++i) {
        const digest128 digest = digests[i];
        low[i] = digest.low;
        high[i] = digest.high;
    }
}

template <class Eight>
BLOOMERY_INLINE void write8(Eight from, digest128* to) noexcept {
    for (std::size_t i = 0; i < 8; ++i) {
        to[i] = from[i];
    }
}

#endif

} // namespace
} // namespace bloomery::inline v0::kernel
