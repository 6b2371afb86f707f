// What is done to lines of counters of four bits, in three ways.
//
// Functions for one processor are local to this file and marked with what they need, so the file
// itself is compiled for all of them.
#include <bloomery/kernel/counter_line.hpp>
#include <bloomery/kernel/kernel.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bloomery::kernel {
namespace {

using plain_line = counter_line<4>;

enum class line_verb : std::uint8_t { insert, contains, erase };

/// What a line said of a key before the verb was done to it.
struct line_answer {
    bool present; ///< all its counters were above 0
    bool stuck;   ///< one of them is at its most afterwards; not told by `contains`
};

struct plain {
    template <line_verb Verb>
    BLOOMERY_INLINE static line_answer apply(std::uint64_t* line, std::uint64_t high,
                                             std::uint32_t k) noexcept {
        if constexpr (Verb == line_verb::insert) {
            const insertion done = plain_line::insert(line, high, k);
            return {!done.fresh, done.state == status::saturated};
        } else if constexpr (Verb == line_verb::contains) {
            return {plain_line::contains(line, high, k), false};
        } else {
            const status done = plain_line::erase(line, high, k);
            return {done != status::not_present, done == status::saturated};
        }
    }
};

#if defined(__x86_64__)
#define BLOOMERY_AVX512 [[gnu::target("avx512f,avx512dq,avx512bw,avx512vl,avx2,bmi2")]]
#define BLOOMERY_AVX2 [[gnu::target("avx2,bmi2")]]

/// Bit w is set if word w has a counter of the key.
BLOOMERY_INLINE std::uint32_t words_of_key(std::uint64_t high, std::uint32_t k) noexcept {
    const std::uint32_t twice = ((1U << k) - 1) * 0x101U;
    return twice << plain_line::start(high) >> 8U & 0xffU;
}

struct avx512 {
    template <line_verb Verb>
    BLOOMERY_AVX512 BLOOMERY_INLINE static line_answer
    apply(std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept {
        // The forms without a mask make GCC 12 warn of its own headers; this one costs nothing.
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
        if (Verb == line_verb::contains || (Verb == line_verb::erase && !present)) {
            return {present, false};
        }
        const __m512i one = _mm512_maskz_sllv_epi64(every, _mm512_set1_epi64(1), up);
        const __mmask8 counts = _mm512_mask_cmpneq_epi64_mask(mine, value, most);
        if constexpr (Verb == line_verb::insert) {
            _mm512_storeu_si512(line, _mm512_mask_add_epi64(before, counts, before, one));
            const __m512i last = _mm512_set1_epi64(14);
            return {present, _mm512_mask_cmpge_epi64_mask(mine, value, last) != 0};
        }
        _mm512_storeu_si512(line, _mm512_mask_sub_epi64(before, counts, before, one));
        return {present, counts != mine};
    }
};

/// Two halves of a line, each as one vector.
struct avx2 {
    template <line_verb Verb>
    BLOOMERY_AVX2 BLOOMERY_INLINE static line_answer apply(std::uint64_t* line, std::uint64_t high,
                                                           std::uint32_t k) noexcept {
        const std::uint32_t mine = words_of_key(high, k);
        const half low = half_of<Verb>(line, high, mine, _mm256_setr_epi64x(1, 2, 4, 8),
                                       _mm256_setr_epi64x(55, 51, 47, 43));
        const half top = half_of<Verb>(line + 4, high, mine, _mm256_setr_epi64x(16, 32, 64, 128),
                                       _mm256_setr_epi64x(39, 35, 31, 27));
        const __m256i zero = _mm256_or_si256(low.zero, top.zero);
        const bool present = _mm256_testz_si256(zero, zero) != 0;
        if (Verb == line_verb::contains || (Verb == line_verb::erase && !present)) {
            return {present, false};
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(line), low.after);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(line + 4), top.after);
        const __m256i stuck = _mm256_or_si256(low.stuck, top.stuck);
        return {present, _mm256_testz_si256(stuck, stuck) == 0};
    }

private:
    struct half {
        __m256i after;
        __m256i zero;  ///< not 0 where a counter of the key was 0
        __m256i stuck; ///< not 0 where one is at its most afterwards
    };

    template <line_verb Verb>
    BLOOMERY_AVX2 BLOOMERY_INLINE static half half_of(const std::uint64_t* words,
                                                      std::uint64_t high, std::uint32_t words_mine,
                                                      __m256i bit, __m256i down) noexcept {
        const __m256i most = _mm256_set1_epi64x(15);
        const __m256i mine =
            _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(words_mine), bit), bit);
        const __m256i up = _mm256_and_si256(
            _mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(high)), down),
            _mm256_set1_epi64x(60));
        const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
        const __m256i value = _mm256_and_si256(_mm256_srlv_epi64(before, up), most);
        const __m256i counts = _mm256_andnot_si256(_mm256_cmpeq_epi64(value, most), mine);
        const __m256i one = _mm256_sllv_epi64(_mm256_srli_epi64(counts, 63), up);
        const __m256i zero =
            _mm256_and_si256(_mm256_cmpeq_epi64(value, _mm256_setzero_si256()), mine);
        if constexpr (Verb == line_verb::insert) {
            return {_mm256_add_epi64(before, one), zero,
                    _mm256_and_si256(_mm256_cmpgt_epi64(value, _mm256_set1_epi64x(13)), mine)};
        }
        return {_mm256_sub_epi64(before, one), zero, _mm256_andnot_si256(counts, mine)};
    }
};
#endif

// What follows is the same for each processor, but must be a function of its own for its
// instructions to be allowed in it.
// NOLINTBEGIN(bugprone-macro-parentheses): an attribute takes none
#define BLOOMERY_LINE_CALLS(name, ops, target)                                                     \
    template <line_verb Verb>                                                                      \
    target line_answer name(std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept {   \
        return ops::apply<Verb>(line, high, k);                                                    \
    }                                                                                              \
    template <line_verb Verb>                                                                      \
    target void name(counter_lines on, const digest128* keys, std::size_t count,                   \
                     std::uint64_t* answers) noexcept {                                            \
        for (std::size_t i = 0; i < count; ++i) {                                                  \
            const std::uint64_t first = hash::fastrange(keys[i].low, on.line_count) * line_words;  \
            const line_answer found =                                                              \
                ops::apply<Verb>(on.words + first, keys[i].high, on.hash_count);                   \
            if (answers != nullptr) {                                                              \
                const bool yes = found.present == (Verb != line_verb::insert);                     \
                answers[i / 64] |= std::uint64_t{yes} << (i % 64);                                 \
            }                                                                                      \
        }                                                                                          \
    }
// NOLINTEND(bugprone-macro-parentheses)

BLOOMERY_LINE_CALLS(run_plain, plain, )
#if defined(__x86_64__)
BLOOMERY_LINE_CALLS(run_avx2, avx2, BLOOMERY_AVX2)
BLOOMERY_LINE_CALLS(run_avx512, avx512, BLOOMERY_AVX512)
#endif

template <line_verb Verb, class... Arguments>
BLOOMERY_INLINE auto run(Arguments... arguments) noexcept {
#if defined(__x86_64__)
    const id which = active();
    if (which == id::avx512) {
        return run_avx512<Verb>(arguments...);
    }
    if (which == id::avx2) {
        return run_avx2<Verb>(arguments...);
    }
#endif
    return run_plain<Verb>(arguments...);
}

} // namespace

insertion counter_nibbles::insert(std::uint64_t* line, std::uint64_t high,
                                  std::uint32_t k) noexcept {
    const line_answer found = run<line_verb::insert>(line, high, k);
    return {!found.present, found.stuck ? status::saturated : status::ok};
}
bool counter_nibbles::contains(const std::uint64_t* line, std::uint64_t high,
                               std::uint32_t k) noexcept {
    // The verb only reads.
    return run<line_verb::contains>(const_cast<std::uint64_t*>(line), high, k).present;
}
status counter_nibbles::erase(std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept {
    const line_answer found = run<line_verb::erase>(line, high, k);
    if (!found.present) {
        return status::not_present;
    }
    return found.stuck ? status::saturated : status::ok;
}

void insert(const counter_lines& into, digests keys, std::uint64_t* fresh) noexcept {
    run<line_verb::insert>(into, keys.data(), keys.size(), fresh);
}
void contains(const counter_lines& in, digests keys, std::uint64_t* maybe) noexcept {
    run<line_verb::contains>(in, keys.data(), keys.size(), maybe);
}
void erase(const counter_lines& from, digests keys, std::uint64_t* erased) noexcept {
    run<line_verb::erase>(from, keys.data(), keys.size(), erased);
}

} // namespace bloomery::kernel
