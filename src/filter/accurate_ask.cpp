#include <bloomery/filter/accurate_ask.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <algorithm>
#include <array>
#if defined(__x86_64__)
// GCC 12 takes its own headers' undefined vectors for mistakes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace bloomery::detail {
namespace {

#if defined(__x86_64__)

// Local functions for processors with AVX-512, so that no other code can be linked to them.
#define BLOOMERY_AVX512 [[gnu::target("avx2,avx512f,avx512dq,avx512bw,avx512vl")]]

/// Eight keys: accurate_filter::each_place in vectors, for places that are digits of one word.
template <std::uint32_t K>
BLOOMERY_AVX512 std::uint64_t ask_eight(const std::uint64_t* words, __m512i blocks, __m512i places,
                                        const digest128* keys) {
    const __m512i front = _mm512_loadu_si512(keys);
    const __m512i back = _mm512_loadu_si512(keys + 4);
    const __m512i evens = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i low = _mm512_permutex2var_epi64(front, evens, back);
    const __m512i odds = _mm512_add_epi64(evens, _mm512_set1_epi64(1));
    __m512i fraction = _mm512_permutex2var_epi64(front, odds, back);
    const __m512i carry = _mm512_srli_epi64(_mm512_mul_epu32(low, blocks), 32);
    const __m512i block =
        _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(low, 32), blocks), carry);
    const __m512i first = _mm512_slli_epi64(_mm512_srli_epi64(block, 32), 3);
    __m512i all = _mm512_set1_epi64(1);
    for (std::uint32_t i = 0; i < K; ++i) {
        const __m512i below = _mm512_mul_epu32(fraction, places);
        const __m512i above =
            _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(fraction, 32), places),
                             _mm512_srli_epi64(below, 32));
        const __m512i at = _mm512_srli_epi64(above, 32);
        const __m512i word =
            _mm512_i64gather_epi64(_mm512_add_epi64(first, _mm512_srli_epi64(at, 6)), words, 8);
        const __m512i bit = _mm512_and_si512(at, _mm512_set1_epi64(63));
        all = _mm512_and_si512(all, _mm512_srlv_epi64(word, bit));
        fraction = _mm512_mask_blend_epi32(0xaaaa, below, _mm512_slli_epi64(above, 32));
    }
    return _mm512_test_epi64_mask(all, all);
}

template <std::uint32_t K>
BLOOMERY_AVX512 std::uint64_t ask(const std::uint64_t* words, std::uint64_t blocks,
                                  const accurate_cut& cut, const digest128* keys,
                                  std::uint32_t count) {
    const __m512i all_blocks = _mm512_set1_epi64(static_cast<long long>(blocks));
    const __m512i places = _mm512_set1_epi64(cut.places);
    std::uint64_t answers = 0;
    for (std::uint32_t i = 0; i + 8 <= count; i += 8) {
        answers |= ask_eight<K>(words, all_blocks, places, keys + i) << i;
    }
    if (const std::uint32_t left = count % 8; left != 0) {
        std::array<digest128, 8> last{};
        std::copy_n(keys + (count - left), left, last.data());
        const std::uint64_t mask = (std::uint64_t{1} << left) - 1;
        answers |= (ask_eight<K>(words, all_blocks, places, last.data()) & mask) << (count - left);
    }
    return answers;
}

#endif

} // namespace

accurate_ask ask_for(std::uint64_t blocks, const accurate_cut& cut) noexcept {
#if defined(__x86_64__)
    const bool fits = blocks >> 32U == 0 && cut.block_words == 8;
    if (fits && kernel::active() == kernel::id::avx512) {
        constexpr std::array<accurate_ask, 7> for_places{nullptr, ask<1>, ask<2>, ask<3>,
                                                         ask<4>,  ask<5>, ask<6>};
        return cut.hash_count < for_places.size() ? for_places[cut.hash_count] : nullptr;
    }
#endif
    static_cast<void>(blocks);
    static_cast<void>(cut);
    return nullptr;
}

} // namespace bloomery::detail
