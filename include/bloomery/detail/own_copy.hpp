// Function names that include the processors they were compiled for.
//
// A program may have files that are compiled for different processors (-march), and link a library
// that is compiled for all. An inline function or template that is compiled in several of them is
// one function to the linker, which keeps any of the copies: a file for every processor could then
// call code for the newest. So what is not force-inlined has the compiler's instructions in its
// name: files with different instructions have their own copies. Classes that appear in calls to
// the library keep their names; their functions are marked instead.
#pragma once

#if defined(__AVX512F__)
#if defined(__AVX512FP16__)
#define BLOOMERY_CODE_VECTORS "avx512fp16"
#elif defined(__AVX512VBMI2__)
#define BLOOMERY_CODE_VECTORS "avx512vbmi2"
#elif defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define BLOOMERY_CODE_VECTORS "avx512"
#else
#define BLOOMERY_CODE_VECTORS "avx512f"
#endif
#elif defined(__AVX2__)
#define BLOOMERY_CODE_VECTORS "avx2"
#elif defined(__AVX__)
#define BLOOMERY_CODE_VECTORS "avx"
#elif defined(__SSE4_1__)
#define BLOOMERY_CODE_VECTORS "sse4"
#elif defined(__SSE2__)
#define BLOOMERY_CODE_VECTORS "sse2"
#elif defined(__ARM_FEATURE_SVE)
#define BLOOMERY_CODE_VECTORS "sve"
#elif defined(__ARM_NEON)
#define BLOOMERY_CODE_VECTORS "neon"
#else
#define BLOOMERY_CODE_VECTORS "plain"
#endif

#if defined(__BMI2__)
#define BLOOMERY_CODE_BITS "_bmi2"
#elif defined(__BMI__)
#define BLOOMERY_CODE_BITS "_bmi"
#elif defined(__POPCNT__)
#define BLOOMERY_CODE_BITS "_popcnt"
#else
#define BLOOMERY_CODE_BITS ""
#endif

/// Marks a function, or a class with all of its functions.
#define BLOOMERY_OWN_COPY [[gnu::abi_tag(BLOOMERY_CODE_VECTORS BLOOMERY_CODE_BITS)]]
