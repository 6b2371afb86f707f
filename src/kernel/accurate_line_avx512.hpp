// A block that is one cache line, changed in one register.
// With the whole block in a vector, no bit that is written is read again from memory. Otherwise,
// most of the time goes into loads that wait for stores, or that did not wait and must be repeated.
//
// Private to the kernels: everything is local to the including file.
#pragma once

#include "accurate_verbs.hpp"
#include "accurate_view.hpp"
#include "broadcast.hpp"

#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

/// How far a place is above the first bit of each word; negative in words above it.
BLOOMERY_INLINE __m512i above_starts(std::uint32_t at) {
    return _mm512_sub_epi64(_mm512_set1_epi64(at),
                            _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448));
}
/// One bit of a line.
BLOOMERY_INLINE __m512i bit_of(__m512i above) {
    return _mm512_sllv_epi64(_mm512_set1_epi64(1), above); // a word that has it not shifts too far
}
/// The bits of a line below that bit.
BLOOMERY_INLINE __m512i below_of(__m512i above, __m512i bit) {
    const __m512i if_not_above = _mm512_sub_epi64(bit, _mm512_set1_epi64(1));
    return _mm512_andnot_si512(_mm512_srai_epi64(above, 63), if_not_above);
}
/// Of each bit, the one of the first line where the mask has a 1, else that of the second.
BLOOMERY_INLINE __m512i chosen(__m512i mask, __m512i if_set, __m512i if_not) {
    return _mm512_ternarylogic_epi64(mask, if_set, if_not, 0xca);
}

/// Moves the bits from a place on up by one and makes it 0.
BLOOMERY_INLINE __m512i opened(__m512i line, std::uint32_t at) {
    const __m512i above = above_starts(at);
    const __m512i bit = bit_of(above);
    const __m512i before = _mm512_alignr_epi64(line, _mm512_setzero_si512(), 7);
    const __m512i up = _mm512_andnot_si512(bit, _mm512_shldi_epi64(line, before, 1));
    return chosen(below_of(above, bit), line, up);
}
/// The reverse: takes out a bit that is 0.
BLOOMERY_INLINE __m512i closed(__m512i line, std::uint32_t at) {
    const __m512i above = above_starts(at);
    const __m512i after = _mm512_alignr_epi64(_mm512_setzero_si512(), line, 1);
    return chosen(below_of(above, bit_of(above)), line, _mm512_shrdi_epi64(line, after, 1));
}

BLOOMERY_INLINE __m512i without_header(const std::uint64_t* words) {
    return _mm512_and_si512(_mm512_loadu_si512(words),
                            _mm512_setr_epi64(-1, -1, -1, -1, -1, -1, -1, (1LL << 48) - 1));
}
BLOOMERY_INLINE void store(std::uint64_t* words, __m512i line, std::uint64_t sum) {
    const std::uint64_t top = sum << 48U;
    const __m512i header = _mm512_maskz_set1_epi64(0x80, static_cast<long long>(top));
    _mm512_storeu_si512(words, _mm512_or_si512(line, header));
}

/// The last bits of all chains, flipped.
BLOOMERY_INLINE __m512i flipped(__m512i line, const chain_ends& of, std::uint32_t k) {
#pragma GCC unroll 6
    for (std::uint32_t i = 0; i < k; ++i) {
        line = _mm512_xor_si512(line, bit_of(above_starts(of.last[i])));
    }
    return line;
}

/// A cut, with what is known of it. K is the number of places, or 0 where that is not: loops over
/// so few are best unrolled.
template <std::uint32_t K>
BLOOMERY_INLINE accurate_cut of_a_line(const accurate_cut& cut) noexcept {
    return {8, cut.places, K != 0 ? K : cut.hash_count};
}

template <std::uint32_t K>
insertion insert_in_line(std::uint64_t* words, const accurate_cut& as, const std::uint32_t* at) {
    const accurate_cut cut = of_a_line<K>(as);
    const std::uint32_t k = cut.hash_count;
    const std::uint32_t sum = counter_sum(words, cut);
    if (is_frozen(words, cut) || sum + k > cut.most()) [[unlikely]] {
        return insert_frozen(words, cut, at);
    }
    const view<8> block(words, cut.places);
    chain_ends of;
    const bool old = ends_to_set(block, at, k, of);
    if (of.repeated(k)) [[unlikely]] {
        count_up<8>(words, cut, at);
        return {!old, status::ok};
    }
    __m512i line = flipped(without_header(words), of, k);
#pragma GCC unroll 6
    for (std::uint32_t i = 0; i < k; ++i) {
        line = opened(line, of.owned[i] + of.below_of(i));
    }
    store(words, line, sum + k);
    return {!old, status::ok};
}

template <std::uint32_t K>
status erase_in_line(std::uint64_t* words, const accurate_cut& as, const std::uint32_t* at) {
    const accurate_cut cut = of_a_line<K>(as);
    const std::uint32_t k = cut.hash_count;
    if (!all_set(words, at, k)) {
        return status::not_present;
    }
    if (is_frozen(words, cut)) [[unlikely]] {
        return status::saturated;
    }
    const std::uint32_t sum = counter_sum(words, cut);
    const view<8> block(words, cut.places);
    chain_ends of;
    ends_to_clear(block, at, k, of);
    if (of.repeated(k)) [[unlikely]] {
        count_down<8>(words, cut, at);
        return status::ok;
    }
    __m512i line = flipped(without_header(words), of, k);
#pragma GCC unroll 6
    for (std::uint32_t i = 0; i < k; ++i) {
        line = closed(line, of.owned[i] - of.below_of(i));
    }
    store(words, line, sum - k);
    return status::ok;
}

template <std::uint32_t K>
constexpr detail::accurate_verbs line_verbs{insert_in_line<K>, erase_in_line<K>};

} // namespace
} // namespace bloomery::inline v0::kernel
