// The instructions of x86-64 as functions, and one number in every lane.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/hash/bits.hpp>

#include <immintrin.h>

#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

BLOOMERY_INLINE __m256i all4(std::uint64_t x) noexcept {
    return _mm256_set1_epi64x(static_cast<long long>(x));
}
#if defined(__AVX512F__)
BLOOMERY_INLINE __m512i all8(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
}
#endif

} // namespace
} // namespace bloomery::inline v0::kernel
