// Bulk queries of d-left filters: the four buckets of a key in one vector.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/dleft_ask.hpp>

#include "broadcast.hpp"

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

using detail::dleft_bucket;
using detail::dleft_questions;
using detail::dleft_steps;

/// As dleft_filter::places_of, for fewer than 2^32 buckets: a lane is a table.
void prepare_dleft(const digest128* keys, std::uint32_t count, std::uint64_t buckets,
                   const dleft_bucket& bucket, dleft_questions& into) {
    const __m256i steps = _mm256_set_epi64x(dleft_steps[3], dleft_steps[2], dleft_steps[1], 0);
    const __m256i all = all4(buckets);
    const __m256i last = all4(buckets - 1);
    const __m256i width = all4(bucket.width());
    const std::uint64_t table_bytes = buckets * bucket.width();
    const auto table = static_cast<long long>(table_bytes);
    const __m256i tables = _mm256_set_epi64x(3 * table, 2 * table, table, 0);
    const std::uint32_t drop = 64 - bucket.remainder_bits();
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t first = hash::fastrange(keys[i].low, hash::in_register(buckets));
        const std::uint64_t remainder = keys[i].high >> drop;
        const std::uint64_t spread = (remainder + 1) * digest_step;
        const __m256i mixed = all4(spread >> 32U ^ spread >> 47U);
        const __m256i moved =
            _mm256_srli_epi64(_mm256_mul_epu32(_mm256_mul_epu32(mixed, steps), all), 32);
        const __m256i sum = _mm256_add_epi64(all4(first), moved);
        const __m256i over = _mm256_and_si256(_mm256_cmpgt_epi64(sum, last), all);
        const __m256i at = _mm256_mul_epu32(_mm256_sub_epi64(sum, over), width);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(into.at[i].data()),
                            _mm256_add_epi64(at, tables));
        into.remainder[i] = remainder;
    }
    into.count = count;
}

BLOOMERY_INLINE __m128i two_words(const std::byte* a, const std::byte* b) {
    return _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a)),
                              _mm_loadl_epi64(reinterpret_cast<const __m128i*>(b)));
}

/// Eight bytes of each of a key's buckets.
BLOOMERY_INLINE __m256i words_at(const std::byte* bytes, const std::array<std::uint64_t, 4>& at) {
    return _mm256_set_m128i(two_words(bytes + at[2], bytes + at[3]),
                            two_words(bytes + at[0], bytes + at[1]));
}

/// First the lowest bytes of all keys, without a branch; then the rest of those that match there.
std::uint64_t answer_dleft(const std::uint64_t* words, const dleft_bucket& bucket,
                           const dleft_questions& of) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(words);
    std::uint32_t cells[64]; // eight bits for each of the four buckets
    std::uint64_t maybe = 0;
    for (std::uint32_t i = 0; i < of.count; ++i) {
        const __m256i lowest = _mm256_set1_epi8(static_cast<char>(of.remainder[i]));
        const __m256i same = _mm256_cmpeq_epi8(words_at(bytes, of.at[i]), lowest);
        cells[i] = static_cast<std::uint32_t>(_mm256_movemask_epi8(same));
        maybe |= std::uint64_t{cells[i] != 0} << i;
    }
    std::uint64_t answers = 0;
    for (; maybe != 0; maybe &= maybe - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctzll(maybe));
        bool found = false;
        for (std::uint32_t left = cells[i]; left != 0 && !found; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(__builtin_ctz(left));
            const std::uint64_t number = bucket.read(words, of.at[i][cell / 8], cell % 8);
            found = bucket.remainder_of(number) == of.remainder[i] && bucket.count_of(number) != 0;
        }
        answers |= std::uint64_t{found} << i;
    }
    return answers;
}

#if defined(__GFNI__) && defined(__AVX512BW__)

/// The first eight bytes of a bucket and its last eight.
BLOOMERY_INLINE __m128i ends_of(const std::byte* bucket, std::uint32_t width) {
    return two_words(bucket, bucket + (width - 8));
}

/// All bits of all cells at once, for cells of at most 16 bits: the last eight bytes of a bucket
/// have all bits but the lowest eight of each cell, and turned, they have a byte for each cell.
std::uint64_t answer_at_once(const std::uint64_t* words, const dleft_bucket& bucket,
                             const dleft_questions& of) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(words);
    const std::uint32_t width = bucket.width();
    // In a turned byte the bits above the lowest eight are at the top, above bits that do not
    // belong to them.
    const std::uint32_t skip = 16 - width;
    const std::uint32_t all_high = 255U << skip & 255U;
    const std::uint32_t counter = 255U << (8 - bucket.counter_bits()) & 255U;
    constexpr __mmask64 second_words = 0xff00ff00ff00ff00;
    const __m512i compared = _mm512_mask_set1_epi8(_mm512_set1_epi8(-1), second_words,
                                                   static_cast<char>(all_high & ~counter));
    const __m512i counters = _mm512_set1_epi8(static_cast<char>(counter));
    const __m512i backwards =
        _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i each_half =
        _mm512_broadcast_i32x4(_mm_set_epi8(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m512i diagonal = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
    std::uint64_t answers = 0;
    for (std::uint32_t i = 0; i < of.count; ++i) {
        const std::array<std::uint64_t, 4>& at = of.at[i];
        const __m256i front =
            _mm256_set_m128i(ends_of(bytes + at[1], width), ends_of(bytes + at[0], width));
        const __m256i back =
            _mm256_set_m128i(ends_of(bytes + at[3], width), ends_of(bytes + at[2], width));
        const __m512i found = _mm512_inserti64x4(_mm512_castsi256_si512(front), back, 1);
        const __m512i cells = _mm512_mask_gf2p8affine_epi64_epi8(
            found, second_words, diagonal, _mm512_shuffle_epi8(found, backwards), 0);
        const std::uint64_t remainder = of.remainder[i];
        const auto wanted = static_cast<short>((remainder & 255U) | (remainder << skip & 0xff00U));
        const __m512i differ =
            _mm512_xor_si512(cells, _mm512_shuffle_epi8(_mm512_set1_epi16(wanted), each_half));
        const std::uint64_t same = _mm512_testn_epi8_mask(differ, compared);
        const std::uint64_t used = _mm512_test_epi8_mask(cells, counters);
        answers |= std::uint64_t{((same & same >> 8U & used >> 8U) & ~second_words) != 0} << i;
    }
    return answers;
}
#endif

} // namespace
} // namespace bloomery::inline v0::kernel
