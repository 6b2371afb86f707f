// Operations on lines of four-bit counters, on all words of a line at once if the processor has
// suitable vectors.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/kernel/counter_line.hpp>
#include <bloomery/detail/kernel/instructions.hpp>

#include "table.hpp"

#include <cstddef>
#include <cstdint>

#if defined(BLOOMERY_LANES_AVX2)
#include <immintrin.h>
#endif

namespace bloomery::inline v0::kernel {
namespace {

enum class line_verb : std::uint8_t { insert, contains, erase };

#if defined(BLOOMERY_LANES_AVX2)
/// Bit w is set if word w has a counter of the key.
BLOOMERY_INLINE std::uint32_t words_of_key(std::uint64_t high, std::uint32_t k) noexcept {
    const std::uint32_t twice = ((1U << k) - 1) * 0x101U;
    return twice << counter_line<4>::start(high) >> 8U & 0xffU;
}
#endif

#if defined(BLOOMERY_LANES_AVX512)

template <line_verb Verb, class Word>
line_answer on_line(Word* line, std::uint64_t high, std::uint32_t k) noexcept {
    // The forms without a mask make GCC 12 warn about its own headers; this one is free.
    constexpr __mmask8 every = 0xff;
    const auto mine = static_cast<__mmask8>(words_of_key(high, k));
    const __m512i most = _mm512_set1_epi64(15);
    const __m512i up = _mm512_and_si512(
        _mm512_maskz_srlv_epi64(every, _mm512_set1_epi64(static_cast<long long>(high)),
                                _mm512_setr_epi64(55, 51, 47, 43, 39, 35, 31, 27)),
        _mm512_set1_epi64(60));
    const __m512i before = _mm512_loadu_si512(line);
    const __m512i value = _mm512_and_si512(_mm512_maskz_srlv_epi64(every, before, up), most);
    const bool present = _mm512_mask_test_epi64_mask(mine, value, value) == mine;
    if constexpr (Verb == line_verb::contains) {
        return {present, false};
    } else {
        const __m512i one = _mm512_maskz_sllv_epi64(every, _mm512_set1_epi64(1), up);
        const __mmask8 counts = _mm512_mask_cmpneq_epi64_mask(mine, value, most);
        if constexpr (Verb == line_verb::insert) {
            _mm512_storeu_si512(line, _mm512_mask_add_epi64(before, counts, before, one));
            const __m512i last = _mm512_set1_epi64(14);
            return {present, _mm512_mask_cmpge_epi64_mask(mine, value, last) != 0};
        } else if (!present) {
            return {false, false};
        }
        _mm512_storeu_si512(line, _mm512_mask_sub_epi64(before, counts, before, one));
        return {present, counts != mine};
    }
}

#elif defined(BLOOMERY_LANES_AVX2)

/// Half of a line, in one vector, and what is found in it.
struct half {
    __m256i after;
    __m256i zero;  ///< not 0 where a counter of the key was 0
    __m256i stuck; ///< not 0 where one is at its maximum afterwards
};

template <line_verb Verb>
BLOOMERY_INLINE half half_of(const std::uint64_t* words, std::uint64_t high,
                             std::uint32_t words_mine, __m256i bit, __m256i down) noexcept {
    const __m256i most = _mm256_set1_epi64x(15);
    const __m256i mine =
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(words_mine), bit), bit);
    const __m256i up =
        _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(high)), down),
                         _mm256_set1_epi64x(60));
    const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
    const __m256i value = _mm256_and_si256(_mm256_srlv_epi64(before, up), most);
    const __m256i counts = _mm256_andnot_si256(_mm256_cmpeq_epi64(value, most), mine);
    const __m256i one = _mm256_sllv_epi64(_mm256_srli_epi64(counts, 63), up);
    const __m256i zero = _mm256_and_si256(_mm256_cmpeq_epi64(value, _mm256_setzero_si256()), mine);
    if constexpr (Verb == line_verb::insert) {
        return {_mm256_add_epi64(before, one), zero,
                _mm256_and_si256(_mm256_cmpgt_epi64(value, _mm256_set1_epi64x(13)), mine)};
    }
    return {_mm256_sub_epi64(before, one), zero, _mm256_andnot_si256(counts, mine)};
}

template <line_verb Verb, class Word>
line_answer on_line(Word* line, std::uint64_t high, std::uint32_t k) noexcept {
    const std::uint32_t mine = words_of_key(high, k);
    const half low = half_of<Verb>(line, high, mine, _mm256_setr_epi64x(1, 2, 4, 8),
                                   _mm256_setr_epi64x(55, 51, 47, 43));
    const half top = half_of<Verb>(line + 4, high, mine, _mm256_setr_epi64x(16, 32, 64, 128),
                                   _mm256_setr_epi64x(39, 35, 31, 27));
    const __m256i zero = _mm256_or_si256(low.zero, top.zero);
    const bool present = _mm256_testz_si256(zero, zero) != 0;
    if constexpr (Verb == line_verb::contains) {
        return {present, false};
    } else {
        if (Verb == line_verb::erase && !present) {
            return {false, false};
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(line), low.after);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(line + 4), top.after);
        const __m256i stuck = _mm256_or_si256(low.stuck, top.stuck);
        return {present, _mm256_testz_si256(stuck, stuck) == 0};
    }
}

#else

template <line_verb Verb, class Word>
line_answer on_line(Word* line, std::uint64_t high, std::uint32_t k) noexcept {
    using plain = counter_line<4>;
    if constexpr (Verb == line_verb::insert) {
        const insertion done = plain::insert(line, high, k);
        return {!done.fresh, done.state == status::saturated};
    } else if constexpr (Verb == line_verb::contains) {
        return {plain::contains(line, high, k), false};
    } else {
        const status done = plain::erase(line, high, k);
        return {done != status::not_present, done == status::saturated};
    }
}

#endif

template <line_verb Verb, class Word>
void on_lines(const basic_counter_lines<Word>& on, digests keys, std::uint64_t* answers) noexcept {
    const digest128* const all = keys.data();
    const std::size_t count = keys.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t first = hash::fastrange(all[i].low, on.line_count) * line_words;
        const line_answer found = on_line<Verb>(on.words + first, all[i].high, on.hash_count);
        if (answers != nullptr) {
            const bool yes = found.present == (Verb != line_verb::insert);
            answers[i / 64] |= std::uint64_t{yes} << (i % 64);
        }
    }
}

constexpr counter_functions make_counters() noexcept {
    return {on_line<line_verb::insert>,  on_line<line_verb::contains>,  on_line<line_verb::erase>,
            on_lines<line_verb::insert>, on_lines<line_verb::contains>, on_lines<line_verb::erase>};
}

} // namespace
} // namespace bloomery::inline v0::kernel
