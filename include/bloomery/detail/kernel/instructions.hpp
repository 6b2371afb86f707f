// Which instructions a file may use for single keys: those that it is compiled for.
//
// BLOOMERY_LANES names them. It is also the inner namespace of everything that depends on them, so
// that the kernels can be linked into one program.
#pragma once

#include <bloomery/detail/plan/layout_kind.hpp>

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
#elif defined(__wasm_simd128__)
#define BLOOMERY_LANES wasm
#define BLOOMERY_LANES_WASM
#else
#define BLOOMERY_LANES scalar
#endif

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

/// For each layout that the processor has vectors for, kernel/vectors_*.hpp has a struct of:
///   vector                 a whole block
///   of(high)               the bits of a digest
///   load, store, unite     a block from and to memory, and the union of two
///   load_shared            a block that other threads change meanwhile: every bit as it was at
///                          some moment during the call. As bits are only ever set, one that is
///                          read as set is set.
///   within(bits, line)     whether all of `bits` are in `line`
///   append(n, bits, line)  2 n + within(bits, line)
template <layout_kind Kind>
struct vectors;

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
