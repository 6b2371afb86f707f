// The lines of split blocks as the processor's own vectors: from a digest to its bits, and the two
// or three instructions that test or set them.
//
// Which bits a digest has is defined once, by `pair` and `split_word` below; the vector forms are
// the same arithmetic, and tests/kernel compares them. The instructions are those that the
// translation unit is compiled for; the library's bulk calls compile this file once for each kernel
// and choose at run time. Everything here is inlined, and has an inner namespace of its own name,
// so that the kernels can be linked into one program. Filters themselves are ordinary templates:
// compile all files of a program that use them for the same processors.
#pragma once

#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/layout_kind.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(BLOOMERY_LANES_SCALAR)
#define BLOOMERY_LANES scalar
#elif defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) &&                    \
    defined(__AVX512VL__) && defined(__AVX2__)
#define BLOOMERY_LANES avx512
#define BLOOMERY_LANES_AVX512
#define BLOOMERY_LANES_AVX2
#elif defined(__AVX2__)
#define BLOOMERY_LANES avx2
#define BLOOMERY_LANES_AVX2
#elif defined(__SSE2__)
#define BLOOMERY_LANES sse2
#define BLOOMERY_LANES_SSE2
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define BLOOMERY_LANES neon
#define BLOOMERY_LANES_NEON
#else
#define BLOOMERY_LANES scalar
#endif

#if defined(BLOOMERY_LANES_AVX2) || defined(BLOOMERY_LANES_SSE2)
#include <immintrin.h>
#elif defined(BLOOMERY_LANES_NEON)
#include <arm_neon.h>
#endif

namespace bloomery::kernel {
inline namespace BLOOMERY_LANES {

/// One word of two lanes of 32 bits: bit 27-31 of `source` chooses the low lane's bit, 59-63 the
/// high one's.
BLOOMERY_INLINE constexpr std::uint64_t pair(std::uint64_t source) noexcept {
    return (std::uint64_t{1} << (source >> 27U & 31U)) |
           (std::uint64_t{1} << 32U << (source >> 59U));
}

/// Word j of the bits that a digest's high word has in a block of that layout: the definition.
///
///   split_8x32    4 words: word j is pair(high << 5 j)
///   split_8x64    8 words: word j is the bit of the six top bits of high << 6 j
///   split_16x32   8 words: word 2 j is pair(high << 5 j), word 2 j + 1 pair(high * step << 5 j)
template <layout_kind Kind>
BLOOMERY_INLINE constexpr std::uint64_t split_word(std::uint64_t high, unsigned j) noexcept {
    if constexpr (Kind == layout_kind::split_8x64) {
        return std::uint64_t{1} << (high << (6 * j) >> 58U);
    } else if constexpr (Kind == layout_kind::split_8x32) {
        return pair(high << (5 * j));
    } else {
        return pair((j % 2 == 0 ? high : high * digest_step) << (5 * (j / 2)));
    }
}

/// All of them.
template <layout_kind Kind>
BLOOMERY_INLINE constexpr std::array<std::uint64_t, plan::facts_of(Kind).block_bits / 64>
split_words(std::uint64_t high) noexcept {
    std::array<std::uint64_t, plan::facts_of(Kind).block_bits / 64> words{};
    for (unsigned j = 0; j < words.size(); ++j) {
        words[j] = split_word<Kind>(high, j);
    }
    return words;
}

/// One word of shared memory, and one bit-or into it, that other threads may do at the same time.
BLOOMERY_INLINE std::uint64_t load_shared(const std::uint64_t* word) noexcept {
    return std::atomic_ref(*const_cast<std::uint64_t*>(word)) // only read
        .load(std::memory_order_relaxed);
}
BLOOMERY_INLINE std::uint64_t or_shared(std::uint64_t* word, std::uint64_t bits) noexcept {
    return std::atomic_ref(*word).fetch_or(bits, std::memory_order_relaxed);
}

/// Sets or tests the words of one block while other threads do too.
template <std::size_t Count>
BLOOMERY_INLINE bool insert_words(std::uint64_t* block,
                                  const std::array<std::uint64_t, Count>& bits) noexcept {
    std::uint64_t fresh = 0;
    for (std::size_t i = 0; i < Count; ++i) {
        fresh |= bits[i] & ~or_shared(block + i, bits[i]);
    }
    return fresh != 0;
}
template <std::size_t Count>
BLOOMERY_INLINE bool contains_words(const std::uint64_t* block,
                                    const std::array<std::uint64_t, Count>& bits) noexcept {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < Count; ++i) {
        missing |= bits[i] & ~load_shared(block + i);
    }
    return missing == 0;
}

/// What is done to one block, in plain words, for processors without vectors that suit it.
///
/// Everything is held in registers: a compiler that gathers shifted words into vectors goes through
/// memory, word by word in and vector by vector out, and stalls for three times the work itself.
template <layout_kind Kind>
struct plain_lanes {
    static constexpr std::size_t word_count = plan::facts_of(Kind).block_bits / 64;

    /// Whether all bits of a digest are in a block.
    BLOOMERY_INLINE static bool test(const std::uint64_t* block, std::uint64_t high) noexcept {
        return missing(block, high, std::make_index_sequence<word_count>()) == 0;
    }
    /// Puts them in; whether any was not.
    BLOOMERY_INLINE static bool set(std::uint64_t* block, std::uint64_t high) noexcept {
        return unite(block, high, std::make_index_sequence<word_count>()) != 0;
    }
    /// 2 answers + test(): how answers become a bitmap, without a branch.
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const std::uint64_t* block,
                                                std::uint64_t high) noexcept {
        return answers << 1U | static_cast<std::uint32_t>(test(block, high));
    }
    /// The words of the bits alone.
    BLOOMERY_INLINE static std::array<std::uint64_t, word_count>
    words(std::uint64_t high) noexcept {
        return split_words<Kind>(high);
    }

private:
    template <std::size_t... I>
    BLOOMERY_INLINE static std::uint64_t missing(const std::uint64_t* block, std::uint64_t high,
                                                 std::index_sequence<I...> /*all*/) noexcept {
        if constexpr (Kind == layout_kind::split_8x64) {
            // One bit a word: to shift the word is cheaper than to make a mask for it.
            return ~(hash::in_register(block[I] >> (high >> (58 - 6 * I) & 63U)) & ...) & 1U;
        } else {
            return (hash::in_register(split_word<Kind>(high, I) & ~block[I]) | ...);
        }
    }
    template <std::size_t... I>
    BLOOMERY_INLINE static std::uint64_t unite(std::uint64_t* block, std::uint64_t high,
                                               std::index_sequence<I...> /*all*/) noexcept {
        return (unite_word(block + I, split_word<Kind>(high, I)) | ...);
    }
    BLOOMERY_INLINE static std::uint64_t unite_word(std::uint64_t* word,
                                                    std::uint64_t bits) noexcept {
        const std::uint64_t before = *word;
        *word = hash::in_register(before | bits);
        return bits & ~before;
    }
};

// For each layout that the processor has vectors for, a struct of:
//   vector                 a whole block
//   of(high)               the bits of a digest
//   load, store, unite     a block from and to memory, and the union of two
//   within(bits, line)     whether all of `bits` are in `line`
//   append(n, bits, line)  2 n + within(bits, line)
template <layout_kind Kind>
struct vectors;

#if defined(BLOOMERY_LANES_AVX2)

/// A vector of 32 bytes.
struct half_line {
    using vector = __m256i;

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
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
    /// The test leaves its answer in the carry, where an addition takes it up; compilers go through
    /// three more instructions.
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, vector bits,
                                                vector line) noexcept {
        asm("vptest {%2, %1|%1, %2}\n\tadc %0, %0" : "+r"(answers) : "x"(line), "x"(bits) : "cc");
        return answers;
    }
    /// Eight lanes of 32 bits from four words of sources: see `pair`.
    BLOOMERY_INLINE static vector pairs(__m256i sources, __m256i left) noexcept {
#if defined(BLOOMERY_LANES_AVX512)
        const __m256i right = _mm256_sub_epi64(_mm256_set1_epi64x(27), left);
        return _mm256_rolv_epi32(_mm256_set1_epi32(1), _mm256_srlv_epi64(sources, right));
#else
        const __m256i places = _mm256_srli_epi32(_mm256_sllv_epi64(sources, left), 27);
        return _mm256_sllv_epi32(_mm256_set1_epi32(1), places);
#endif
    }
};

template <>
struct vectors<layout_kind::split_8x32> : half_line {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        return pairs(_mm256_set1_epi64x(static_cast<long long>(high)),
                     _mm256_setr_epi64x(0, 5, 10, 15));
    }
};

#if defined(BLOOMERY_LANES_AVX512)

// The forms without a mask make GCC 12 warn of its own headers; a mask of all lanes costs nothing.
inline constexpr __mmask8 every8 = 0xff;
inline constexpr __mmask16 every16 = 0xffff;

/// A vector of 64 bytes.
struct whole_line {
    using vector = __m512i;

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        return _mm512_loadu_si512(block);
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

#else

/// 64 bytes in two vectors.
struct two_halves {
    struct vector {
        __m256i first;
        __m256i second;
    };

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        return {half_line::load(block), half_line::load(block + 4)};
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
        return {half_line::pairs(sources, _mm256_setr_epi64x(0, 0, 5, 5)),
                half_line::pairs(sources, _mm256_setr_epi64x(10, 10, 15, 15))};
    }
};

#endif

#elif defined(BLOOMERY_LANES_SSE2)

/// A line of `Count` vectors of 16 bytes, for any x86-64.
template <std::size_t Count>
struct quads {
    struct vector {
        __m128i part[Count]; // std::array warns of ignored attributes
    };

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        vector line;
        for (std::size_t i = 0; i < Count; ++i) {
            line.part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 2 * i));
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
    /// Four lanes of 32 bits from two sources: see `pair`. There is no shift by lanes, so 1 << n is
    /// made as the number 2^(n mod 16) with that exponent, turned into an integer, and moved up by
    /// half a lane where n is 16 or more: exact, so no floating-point flag is raised.
    BLOOMERY_INLINE static __m128i pairs(std::uint64_t first, std::uint64_t second) noexcept {
        const __m128i sources =
            _mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first));
        const __m128i places = _mm_srli_epi32(sources, 27);
        const __m128i exponents = _mm_slli_epi32(_mm_and_si128(places, _mm_set1_epi32(15)), 23);
        const __m128i low = _mm_cvttps_epi32(
            _mm_castsi128_ps(_mm_add_epi32(exponents, _mm_set1_epi32(0x3f800000))));
        const __m128i upper = _mm_srai_epi32(sources, 31); // all ones where n is 16 or more
        return _mm_or_si128(_mm_andnot_si128(upper, low),
                            _mm_and_si128(upper, _mm_slli_epi32(low, 16)));
    }
};

template <>
struct vectors<layout_kind::split_8x32> : quads<2> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        return {{pairs(high, high << 5U), pairs(high << 10U, high << 15U)}};
    }
};

template <>
struct vectors<layout_kind::split_16x32> : quads<4> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const std::uint64_t odd = high * digest_step;
        return {{pairs(high, odd), pairs(high << 5U, odd << 5U), pairs(high << 10U, odd << 10U),
                 pairs(high << 15U, odd << 15U)}};
    }
};

#elif defined(BLOOMERY_LANES_NEON)

/// A line of `Count` vectors of 16 bytes.
template <std::size_t Count>
struct quads {
    using vector = std::array<uint64x2_t, Count>;

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        vector line;
        for (std::size_t i = 0; i < Count; ++i) {
            line[i] = vld1q_u64(block + 2 * i);
        }
        return line;
    }
    BLOOMERY_INLINE static void store(std::uint64_t* block, const vector& line) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            vst1q_u64(block + 2 * i, line[i]);
        }
    }
    BLOOMERY_INLINE static vector unite(vector a, const vector& b) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            a[i] = vorrq_u64(a[i], b[i]);
        }
        return a;
    }
    BLOOMERY_INLINE static bool within(const vector& bits, const vector& line) noexcept {
        uint64x2_t missing = vbicq_u64(bits[0], line[0]);
        for (std::size_t i = 1; i < Count; ++i) {
            missing = vorrq_u64(missing, vbicq_u64(bits[i], line[i]));
        }
        return vmaxvq_u32(vreinterpretq_u32_u64(missing)) == 0;
    }
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const vector& bits,
                                                const vector& line) noexcept {
        return answers << 1U | static_cast<std::uint32_t>(within(bits, line));
    }
    /// Four lanes of 32 bits from two words of sources: see `pair`.
    BLOOMERY_INLINE static uint64x2_t pairs(uint64x2_t sources, int64x2_t left) noexcept {
        const uint32x4_t places = vshrq_n_u32(vreinterpretq_u32_u64(vshlq_u64(sources, left)), 27);
        return vreinterpretq_u64_u32(vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u32(places)));
    }
    BLOOMERY_INLINE static int64x2_t both(std::int64_t a, std::int64_t b) noexcept {
        return vcombine_s64(vcreate_s64(static_cast<std::uint64_t>(a)),
                            vcreate_s64(static_cast<std::uint64_t>(b)));
    }
};

template <>
struct vectors<layout_kind::split_8x32> : quads<2> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const uint64x2_t source = vdupq_n_u64(high);
        return {pairs(source, both(0, 5)), pairs(source, both(10, 15))};
    }
};

template <>
struct vectors<layout_kind::split_8x64> : quads<4> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const uint64x2_t source = vdupq_n_u64(high);
        vector bits;
        for (int i = 0; i < 4; ++i) {
            const uint64x2_t places = vshrq_n_u64(vshlq_u64(source, both(12 * i, 12 * i + 6)), 58);
            bits[static_cast<std::size_t>(i)] =
                vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(places));
        }
        return bits;
    }
};

template <>
struct vectors<layout_kind::split_16x32> : quads<4> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const uint64x2_t sources = vcombine_u64(vcreate_u64(high), vcreate_u64(high * digest_step));
        vector bits;
        for (int i = 0; i < 4; ++i) {
            bits[static_cast<std::size_t>(i)] = pairs(sources, both(5 * i, 5 * i));
        }
        return bits;
    }
};

#endif

/// What is done to one block, as one or a few vectors.
template <layout_kind Kind>
struct vector_lanes {
    static constexpr std::size_t word_count = plan::facts_of(Kind).block_bits / 64;
    using ops = vectors<Kind>;

    /// Whether all bits of a digest are in a block.
    BLOOMERY_INLINE static bool test(const std::uint64_t* block, std::uint64_t high) noexcept {
        return ops::within(ops::of(high), ops::load(block));
    }
    /// Puts them in; whether any was not.
    BLOOMERY_INLINE static bool set(std::uint64_t* block, std::uint64_t high) noexcept {
        const auto bits = ops::of(high);
        const auto line = ops::load(block);
        ops::store(block, ops::unite(line, bits));
        return !ops::within(bits, line);
    }
    /// 2 answers + test(): how answers become a bitmap, without a branch.
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const std::uint64_t* block,
                                                std::uint64_t high) noexcept {
        return ops::append(answers, ops::of(high), ops::load(block));
    }
    /// The words of the bits alone.
    BLOOMERY_INLINE static std::array<std::uint64_t, word_count>
    words(std::uint64_t high) noexcept {
        std::array<std::uint64_t, word_count> bits;
        ops::store(bits.data(), ops::of(high));
        return bits;
    }
};

/// Whichever of the two this processor has.
#if defined(BLOOMERY_LANES_AVX2) || defined(BLOOMERY_LANES_NEON)
template <layout_kind Kind>
using lanes = vector_lanes<Kind>;
#elif defined(BLOOMERY_LANES_SSE2)
template <layout_kind Kind>
using lanes = std::conditional_t<Kind == layout_kind::split_8x64, plain_lanes<Kind>,
                                 vector_lanes<Kind>>; // 64-bit lanes have no such trick
#else
template <layout_kind Kind>
using lanes = plain_lanes<Kind>;
#endif

} // namespace BLOOMERY_LANES
} // namespace bloomery::kernel
