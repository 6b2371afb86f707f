// Operations on one block: the same three for every blocked layout.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/kernel/lanes.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/layout/blocked.hpp>

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

/// Split layouts: all lanes at once.
template <layout_kind Kind>
struct block {
    static constexpr std::size_t word_count = plan::facts_of(Kind).block_bits / 64;
    using ops = lanes<Kind>;

    /// 2 answers + whether all bits are set.
    template <access Who>
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const std::uint64_t* words,
                                                std::uint64_t high, std::uint32_t /*k*/) noexcept {
        if constexpr (Who == access::alone) {
            return ops::append(answers, words, high);
        } else {
            return ops::append_shared(answers, words, high);
        }
    }

    /// Sets all bits; whether any was clear.
    template <access Who>
    BLOOMERY_INLINE static bool insert(std::uint64_t* words, std::uint64_t high,
                                       std::uint32_t /*k*/) noexcept {
        if constexpr (Who == access::alone) {
            return ops::set(words, high);
        } else {
            return insert_shared<ops>(words, high);
        }
    }
};

/// k bits anywhere in the line. In bulk none of them is skipped: a branch that answers at the first
/// clear bit is mispredicted for most absent keys, which costs more than the probes.
template <>
struct block<layout_kind::blocked_512> {
    static constexpr std::size_t word_count = 8;

    template <access Who>
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const std::uint64_t* words,
                                                std::uint64_t high, std::uint32_t k) noexcept {
#if defined(BLOOMERY_LANES_AVX512)
        if constexpr (Who == access::alone) {
            return answers << 1U | static_cast<std::uint32_t>(contains(words, high, k));
        }
#endif
        std::uint64_t all = 1;
        layout::for_each_place(high, k, [&](std::uint64_t place) {
            all &= down_to<Who>(words, place);
            return true;
        });
        return answers << 1U | static_cast<std::uint32_t>(all & 1U);
    }

    template <access Who>
    BLOOMERY_INLINE static bool insert(std::uint64_t* words, std::uint64_t high,
                                       std::uint32_t k) noexcept {
#if defined(BLOOMERY_LANES_AVX512)
        // To test all bits and then set them is faster than to test each on the way.
        if constexpr (Who == access::alone) {
            const bool fresh = !contains(words, high, k);
            std::uint64_t known = 0;
            layout::for_each_place(high, k, [&](std::uint64_t place) {
                set_bit<Who>(words, place, known);
                return true;
            });
            return fresh;
        }
#endif
        std::uint64_t fresh = 0;
        layout::for_each_place(high, k, [&](std::uint64_t place) {
            set_bit<Who>(words, place, fresh);
            return true;
        });
        return fresh != 0;
    }

#if defined(BLOOMERY_LANES_AVX512)
    /// Six probes at a time: each lane picks its word out of the line and tests its bit.
    BLOOMERY_INLINE static bool contains(const std::uint64_t* words, std::uint64_t high,
                                         std::uint32_t k) noexcept {
        const __m512i line = _mm512_loadu_si512(words);
        __mmask8 missing = 0;
        for (;; high *= digest_step, k -= 6) {
            const __m512i places =
                _mm512_srlv_epi64(_mm512_set1_epi64(static_cast<long long>(high)),
                                  _mm512_setr_epi64(55, 46, 37, 28, 19, 10, 0, 0));
            const auto probes = static_cast<__mmask8>((1U << (k < 6 ? k : 6)) - 1);
            const __m512i found = _mm512_permutexvar_epi64(_mm512_srli_epi64(places, 6), line);
            const __m512i bits = _mm512_rolv_epi64(_mm512_set1_epi64(1), places);
            missing |= _mm512_mask_testn_epi64_mask(probes, found, bits);
            if (k <= 6) {
                return missing == 0;
            }
        }
    }
#endif
};

} // namespace
} // namespace bloomery::inline v0::kernel
