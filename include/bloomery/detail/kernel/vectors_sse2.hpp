// Split blocks of 32-bit lanes as the vectors of any x86-64.
#pragma once

#include <bloomery/detail/kernel/instructions.hpp>

#if defined(BLOOMERY_LANES_SSE2)
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <emmintrin.h>

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

/// A line of `Count` vectors of 16 bytes.
template <std::size_t Count>
struct quads {
    struct vector {
        __m128i part[Count]; // std::array warns about ignored attributes
    };

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        vector line;
        for (std::size_t i = 0; i < Count; ++i) {
            line.part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 2 * i));
        }
        return line;
    }
    BLOOMERY_INLINE static vector load_shared(const std::uint64_t* block) noexcept {
        vector line; // by instructions, because loads would be a data race
        for (std::size_t i = 0; i < Count; ++i) {
            asm volatile("movdqu {%1, %0|%0, %1}"
                         : "=x"(line.part[i])
                         : "m"(*reinterpret_cast<const __m128i*>(block + 2 * i)));
        }
        return line;
    }
    BLOOMERY_INLINE static void store(std::uint64_t* block, const vector& line) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(block + 2 * i), line.part[i]);
        }
    }
    BLOOMERY_INLINE static vector unite(vector a, const vector& b) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            a.part[i] = _mm_or_si128(a.part[i], b.part[i]);
        }
        return a;
    }
    BLOOMERY_INLINE static bool within(const vector& bits, const vector& line) noexcept {
        __m128i missing = _mm_andnot_si128(line.part[0], bits.part[0]);
        for (std::size_t i = 1; i < Count; ++i) {
            missing = _mm_or_si128(missing, _mm_andnot_si128(line.part[i], bits.part[i]));
        }
        return _mm_movemask_epi8(_mm_cmpeq_epi32(missing, _mm_setzero_si128())) == 0xffff;
    }
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const vector& bits,
                                                const vector& line) noexcept {
        return answers << 1U | static_cast<std::uint32_t>(within(bits, line));
    }
    /// Two words as one vector.
    BLOOMERY_INLINE static __m128i both(std::uint64_t first, std::uint64_t second) noexcept {
        return _mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first));
    }
    /// Four lanes of 32 bits from two sources: see `pair`. There is no shift per lane, so 1 << n is
    /// made as the floating-point number -2^n from its exponent, converted to an integer, and
    /// negated. This is exact for all n, where 2^31 would raise a floating-point flag.
    BLOOMERY_INLINE static __m128i pairs(__m128i sources) noexcept {
        const __m128i exponents =
            _mm_and_si128(_mm_srli_epi32(sources, 4), _mm_set1_epi32(31 << 23));
        const __m128i minus_one = _mm_set1_epi32(static_cast<int>(0xbf800000U));
        const __m128i negative =
            _mm_cvttps_epi32(_mm_castsi128_ps(_mm_add_epi32(exponents, minus_one)));
        return _mm_sub_epi32(_mm_setzero_si128(), negative);
    }
};

template <>
struct vectors<layout_kind::split_8x32> : quads<2> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const __m128i sources = both(high, high << 5U);
        return {{pairs(sources), pairs(_mm_slli_epi64(sources, 10))}};
    }
};

template <>
struct vectors<layout_kind::split_16x32> : quads<4> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const __m128i sources = both(high, high * digest_step);
        return {{pairs(sources), pairs(_mm_slli_epi64(sources, 5)),
                 pairs(_mm_slli_epi64(sources, 10)), pairs(_mm_slli_epi64(sources, 15))}};
    }
};

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
#endif
