// Split blocks as the vectors of AVX2, half a cache line each.
#pragma once

#include <bloomery/detail/kernel/instructions.hpp>

#if defined(BLOOMERY_LANES_AVX2)
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <immintrin.h>

#include <cstdint>

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

/// A vector of 32 bytes.
struct half_line {
    using vector = __m256i;

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
    }
    BLOOMERY_INLINE static vector load_shared(const std::uint64_t* block) noexcept {
        vector line; // an instruction, because a load would be a data race
        asm volatile("vmovdqu {%1, %0|%0, %1}"
                     : "=x"(line)
                     : "m"(*reinterpret_cast<const __m256i*>(block)));
        return line;
    }
    BLOOMERY_INLINE static void store(std::uint64_t* block, vector line) noexcept {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(block), line);
    }
    BLOOMERY_INLINE static vector unite(vector a, vector b) noexcept {
        return _mm256_or_si256(a, b);
    }
    BLOOMERY_INLINE static bool within(vector bits, vector line) noexcept {
        return _mm256_testc_si256(line, bits) != 0;
    }
    /// The test leaves its answer in the carry flag, which an addition uses directly; compilers
    /// emit three more instructions.
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, vector bits,
                                                vector line) noexcept {
        asm("vptest {%2, %1|%1, %2}\n\tadc %0, %0" : "+r"(answers) : "x"(line), "x"(bits) : "cc");
        return answers;
    }
};

#if !defined(BLOOMERY_LANES_AVX512) // which has a better way to make bits

/// Eight lanes of 32 bits from four words of sources: see `pair`.
BLOOMERY_INLINE __m256i pairs(__m256i sources, __m256i left) noexcept {
    const __m256i places = _mm256_srli_epi32(_mm256_sllv_epi64(sources, left), 27);
    return _mm256_sllv_epi32(_mm256_set1_epi32(1), places);
}

template <>
struct vectors<layout_kind::split_8x32> : half_line {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        return pairs(_mm256_set1_epi64x(static_cast<long long>(high)),
                     _mm256_setr_epi64x(0, 5, 10, 15));
    }
};

/// 64 bytes in two vectors.
struct two_halves {
    struct vector {
        __m256i first;
        __m256i second;
    };

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        return {half_line::load(block), half_line::load(block + 4)};
    }
    BLOOMERY_INLINE static vector load_shared(const std::uint64_t* block) noexcept {
        return {half_line::load_shared(block), half_line::load_shared(block + 4)};
    }
    BLOOMERY_INLINE static void store(std::uint64_t* block, vector line) noexcept {
        half_line::store(block, line.first);
        half_line::store(block + 4, line.second);
    }
    BLOOMERY_INLINE static vector unite(vector a, vector b) noexcept {
        return {_mm256_or_si256(a.first, b.first), _mm256_or_si256(a.second, b.second)};
    }
    BLOOMERY_INLINE static __m256i missing(vector bits, vector line) noexcept {
        return _mm256_or_si256(_mm256_andnot_si256(line.first, bits.first),
                               _mm256_andnot_si256(line.second, bits.second));
    }
    BLOOMERY_INLINE static bool within(vector bits, vector line) noexcept {
        const __m256i lost = missing(bits, line);
        return _mm256_testz_si256(lost, lost) != 0;
    }
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, vector bits,
                                                vector line) noexcept {
        return half_line::append(answers, missing(bits, line), _mm256_setzero_si256());
    }
};

template <>
struct vectors<layout_kind::split_8x64> : two_halves {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const __m256i source = _mm256_set1_epi64x(static_cast<long long>(high));
        const auto bits = [&](__m256i left) {
            return _mm256_sllv_epi64(_mm256_set1_epi64x(1),
                                     _mm256_srli_epi64(_mm256_sllv_epi64(source, left), 58));
        };
        return {bits(_mm256_setr_epi64x(0, 6, 12, 18)), bits(_mm256_setr_epi64x(24, 30, 36, 42))};
    }
};

template <>
struct vectors<layout_kind::split_16x32> : two_halves {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const auto even = static_cast<long long>(high);
        const std::uint64_t next = high * digest_step;
        const auto odd = static_cast<long long>(next);
        const __m256i sources = _mm256_setr_epi64x(even, odd, even, odd);
        return {pairs(sources, _mm256_setr_epi64x(0, 0, 5, 5)),
                pairs(sources, _mm256_setr_epi64x(10, 10, 15, 15))};
    }
};

#endif

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
#endif
