// Picking the keys of a batch whose blocks are in one range. A block is low × count / 2^64, so a
// range of blocks is a range of low words, and only the low word of each digest is needed.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include "mix8.hpp"
#include "table.hpp"

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

/// How many keys ahead they are prefetched: what is kept is set before the next keys are looked at,
/// which takes the processor's own prefetching off the track.
constexpr std::size_t keep_ahead = 2048;

#if defined(BLOOMERY_LANES_AVX512)
/// A bit for each of eight low words that is wanted. In a register at once: if GCC 12 has to store
/// the mask for a while, it stores one byte and counts the bits of four.
BLOOMERY_INLINE std::uint64_t within8(__m512i low, low_words wanted) noexcept {
    return hash::in_register(
        _mm512_cmple_epu64_mask(_mm512_sub_epi64(low, all8(wanted.from)), all8(wanted.span)));
}
#endif

void keep_integers(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                   low_words wanted, kept_keys<std::uint64_t>& into) noexcept {
    std::uint64_t* const kept = into.keys;
    std::size_t filled = into.count;
    std::size_t done = 0;
    for (; done + 8 <= count; done += 8) {
        __builtin_prefetch(keys + done + keep_ahead, 0, 2);
#if defined(BLOOMERY_LANES_AVX512)
        const std::uint64_t found = within8(mix8(keys + done, seed).low, wanted);
        // To compress into a register and store all of it is faster than to compress into memory.
        _mm512_storeu_si512(kept + filled,
                            _mm512_maskz_compress_epi64(static_cast<__mmask8>(found),
                                                        _mm512_loadu_si512(keys + done)));
        filled += static_cast<std::size_t>(__builtin_popcountll(found));
#else
        alignas(64) std::uint64_t low[8];
        alignas(64) std::uint64_t high[8];
        store8(mix8(keys + done, seed), low, high);
        for (std::size_t i = 0; i < 8; ++i) {
            kept[filled] = keys[done + i];
            filled += static_cast<std::size_t>(low[i] - wanted.from <= wanted.span);
        }
#endif
    }
    for (; done < count; ++done) {
        kept[filled] = keys[done];
        filled += static_cast<std::size_t>(hash::mix64_with(keys[done], seed) - wanted.from <=
                                           wanted.span);
    }
    into.count = filled;
}

void keep_digests(const digest128* keys, std::size_t count, low_words wanted,
                  kept_keys<digest128>& into) noexcept {
    digest128* const kept = into.keys;
    std::size_t filled = into.count;
    std::size_t done = 0;
#if defined(BLOOMERY_LANES_AVX512)
    for (; done + 4 <= count; done += 4) {
        __builtin_prefetch(keys + done + keep_ahead, 0, 2);
        const __m512i four = _mm512_loadu_si512(keys + done);
        const std::uint64_t low = within8(four, wanted) & 0x55U; // not the high words
        _mm512_storeu_si512(kept + filled, _mm512_maskz_compress_epi64(
                                               static_cast<__mmask8>(low | low << 1U), four));
        filled += static_cast<std::size_t>(__builtin_popcountll(low));
    }
#endif
    for (; done < count; ++done) {
        kept[filled] = keys[done];
        filled += static_cast<std::size_t>(keys[done].low - wanted.from <= wanted.span);
    }
    into.count = filled;
}

} // namespace
} // namespace bloomery::inline v0::kernel
