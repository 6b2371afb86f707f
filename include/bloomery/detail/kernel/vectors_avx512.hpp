// Split blocks as the vectors of AVX-512, a cache line each, and of AVX2 for half a line.
#pragma once

#include <bloomery/detail/kernel/instructions.hpp>

#if defined(BLOOMERY_LANES_AVX512)
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/vectors_avx2.hpp>
#include <bloomery/hash/digest.hpp>

#include <immintrin.h>

#include <cstdint>

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

template <>
struct vectors<layout_kind::split_8x32> : half_line {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        return _mm256_rolv_epi32(_mm256_set1_epi32(1),
                                 _mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(high)),
                                                   _mm256_setr_epi64x(27, 22, 17, 12)));
    }
};

// The forms without a mask make GCC 12 warn about its own headers; a mask of all lanes is free.
inline constexpr __mmask8 every8 = 0xff;
inline constexpr __mmask16 every16 = 0xffff;

/// A vector of 64 bytes.
struct whole_line {
    using vector = __m512i;

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        return _mm512_loadu_si512(block);
    }
    BLOOMERY_INLINE static vector load_shared(const std::uint64_t* block) noexcept {
        vector line; // an instruction, because a load would be a data race
        asm volatile("vmovdqu64 {%1, %0|%0, %1}"
                     : "=v"(line)
                     : "m"(*reinterpret_cast<const __m512i*>(block)));
        return line;
    }
    BLOOMERY_INLINE static void store(std::uint64_t* block, vector line) noexcept {
        _mm512_storeu_si512(block, line);
    }
    BLOOMERY_INLINE static vector unite(vector a, vector b) noexcept {
        return _mm512_or_si512(a, b);
    }
};

template <>
struct vectors<layout_kind::split_8x64> : whole_line {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        return _mm512_maskz_rolv_epi64(
            every8, _mm512_set1_epi64(1),
            _mm512_maskz_srlv_epi64(every8, _mm512_set1_epi64(static_cast<long long>(high)),
                                    _mm512_setr_epi64(58, 52, 46, 40, 34, 28, 22, 16)));
    }
    BLOOMERY_INLINE static bool within(vector bits, vector line) noexcept {
        return _mm512_test_epi64_mask(bits, line) == 0xff; // one bit in each lane
    }
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, vector bits,
                                                vector line) noexcept {
        const __mmask8 found = _mm512_test_epi64_mask(bits, line);
        asm("kortestb %1, %1\n\tadc %0, %0" : "+r"(answers) : "k"(found) : "cc");
        return answers;
    }
};

template <>
struct vectors<layout_kind::split_16x32> : whole_line {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const __m512i even = _mm512_set1_epi64(static_cast<long long>(high));
        const std::uint64_t next = high * digest_step;
        const __m512i sources = _mm512_mask_set1_epi64(even, 0xaa, static_cast<long long>(next));
        return _mm512_maskz_rolv_epi32(
            every16, _mm512_set1_epi32(1),
            _mm512_maskz_srlv_epi64(every8, sources,
                                    _mm512_setr_epi64(27, 27, 22, 22, 17, 17, 12, 12)));
    }
    BLOOMERY_INLINE static bool within(vector bits, vector line) noexcept {
        return _mm512_test_epi32_mask(bits, line) == 0xffff; // one bit in each lane
    }
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, vector bits,
                                                vector line) noexcept {
        const __mmask16 found = _mm512_test_epi32_mask(bits, line);
        asm("kortestw %1, %1\n\tadc %0, %0" : "+r"(answers) : "k"(found) : "cc");
        return answers;
    }
};

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
#endif
