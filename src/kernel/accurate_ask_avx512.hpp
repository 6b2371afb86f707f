// Bulk queries of accurate filters, for processors with AVX-512 that can select bytes by a vector.
// Others query one key after the other, because gathering words would take longer.
//
// Private to the kernels: everything is local to the including file.
#pragma once

#include <bloomery/detail/kernel/accurate_ask.hpp>

#include "broadcast.hpp"

#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

using detail::accurate_cut;
using detail::accurate_questions;

BLOOMERY_INLINE __m512i upper(__m512i lanes) { return _mm512_srli_epi64(lanes, 32); }

/// The bytes numbered i of all lanes.
constexpr __mmask64 byte_of_each(std::uint32_t i) { return __mmask64{0x0101010101010101} << i; }

/// accurate_filter::each_place for eight keys at a time, one in a lane; the places are digits of
/// one word, and byte i of a lane is for place i.
template <std::uint32_t K>
void prepare_accurate(const digest128* keys, std::uint32_t count, std::uint64_t blocks,
                      const accurate_cut& cut, accurate_questions& into) {
    const __m512i all_blocks = all8(blocks);
    const __m512i places = all8(cut.places);
    for (std::uint32_t from = 0; from < count; from += 8) {
        const __m512i front = _mm512_loadu_si512(keys + from);
        const __m512i back = _mm512_loadu_si512(keys + from + 4);
        const __m512i low =
            _mm512_permutex2var_epi64(front, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), back);
        __m512i fraction =
            _mm512_permutex2var_epi64(front, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), back);
        _mm512_store_si512(into.block.data() + from,
                           upper(_mm512_add_epi64(_mm512_mul_epu32(upper(low), all_blocks),
                                                  upper(_mm512_mul_epu32(low, all_blocks)))));
        __m512i byte = _mm512_setzero_si512();
        __m512i bit = _mm512_setzero_si512();
#pragma GCC unroll 6
        for (std::uint32_t i = 0; i < K; ++i) {
            const __m512i below = _mm512_mul_epu32(fraction, places);
            // The place, above 32 bits of what follows it.
            const __m512i above =
                _mm512_add_epi64(_mm512_mul_epu32(upper(fraction), places), upper(below));
            fraction = _mm512_mask_shuffle_epi32(below, 0xaaaa, above, _MM_PERM_CCAA);
            byte = _mm512_mask_multishift_epi64_epi8(byte, byte_of_each(i), _mm512_set1_epi8(35),
                                                     above);
            bit = _mm512_mask_multishift_epi64_epi8(bit, byte_of_each(i), _mm512_set1_epi8(32),
                                                    above);
        }
        _mm512_store_si512(into.byte.data() + from, byte); // of which six bits count
        _mm512_store_si512(into.bit.data() + from,
                           _mm512_shuffle_epi8(all8(0x8040201008040201),
                                               _mm512_and_si512(bit, _mm512_set1_epi8(7))));
    }
    into.count = count;
}

BLOOMERY_INLINE __m512i any(__m512i a, __m512i b, __m512i c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0xfe);
}

/// Lane J from the line of key J. Each is made by itself and then joined, so that none waits for
/// another.
template <std::uint32_t J>
BLOOMERY_INLINE __m512i lane(const std::uint64_t* words, const std::uint64_t* block, __m512i byte) {
    return _mm512_maskz_permutexvar_epi8(__mmask64{255} << (8 * J), byte,
                                         _mm512_loadu_si512(words + 8 * block[J]));
}

template <std::uint32_t K>
std::uint64_t answer_accurate(const std::uint64_t* words, const accurate_questions& of) {
    std::uint64_t answers = 0;
    for (std::uint32_t from = 0; from < of.count; from += 8) {
        const __m512i byte = _mm512_load_si512(of.byte.data() + from);
        const std::uint64_t* const block = of.block.data() + from;
        const __m512i found =
            any(any(lane<0>(words, block, byte), lane<1>(words, block, byte),
                    lane<2>(words, block, byte)),
                any(lane<3>(words, block, byte), lane<4>(words, block, byte),
                    lane<5>(words, block, byte)),
                _mm512_or_si512(lane<6>(words, block, byte), lane<7>(words, block, byte)));
        constexpr __mmask64 used = byte_of_each(0) * ((1U << K) - 1);
        const __m512i missing = _mm512_movm_epi8(
            _mm512_mask_testn_epi8_mask(used, found, _mm512_load_si512(of.bit.data() + from)));
        answers |= std::uint64_t{_mm512_testn_epi64_mask(missing, missing)} << from;
    }
    return of.count == 64 ? answers : answers & ((std::uint64_t{1} << of.count) - 1);
}

template <std::uint32_t K>
constexpr detail::accurate_asker with_bytes{prepare_accurate<K>, answer_accurate<K>};

} // namespace
} // namespace bloomery::inline v0::kernel
