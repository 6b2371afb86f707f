// Split blocks of 32-bit lanes as the vectors of WebAssembly.
#pragma once

#include <bloomery/detail/kernel/instructions.hpp>

#if defined(BLOOMERY_LANES_WASM)
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

/// A line of `Count` vectors of 16 bytes.
template <std::size_t Count>
struct quads {
    struct vector {
        v128_t part[Count];
    };

    BLOOMERY_INLINE static vector load(const std::uint64_t* block) noexcept {
        vector line;
        for (std::size_t i = 0; i < Count; ++i) {
            line.part[i] = wasm_v128_load(block + 2 * i);
        }
        return line;
    }
    /// There are no other threads.
    BLOOMERY_INLINE static vector load_shared(const std::uint64_t* block) noexcept {
        return load(block);
    }
    BLOOMERY_INLINE static void store(std::uint64_t* block, const vector& line) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            wasm_v128_store(block + 2 * i, line.part[i]);
        }
    }
    BLOOMERY_INLINE static vector unite(vector a, const vector& b) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            a.part[i] = wasm_v128_or(a.part[i], b.part[i]);
        }
        return a;
    }
    BLOOMERY_INLINE static bool within(const vector& bits, const vector& line) noexcept {
        v128_t missing = wasm_v128_andnot(bits.part[0], line.part[0]);
        for (std::size_t i = 1; i < Count; ++i) {
            missing = wasm_v128_or(missing, wasm_v128_andnot(bits.part[i], line.part[i]));
        }
        return !wasm_v128_any_true(missing);
    }
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const vector& bits,
                                                const vector& line) noexcept {
        return answers << 1U | static_cast<std::uint32_t>(within(bits, line));
    }
    /// Four lanes of 32 bits from two sources: see `pair`. There is no shift per lane, so 1 << n is
    /// made as the floating-point number -2^n from its exponent, converted to an integer, and
    /// negated. This is exact for all n, where 2^31 would be too large.
    BLOOMERY_INLINE static v128_t pairs(v128_t sources) noexcept {
        const v128_t exponents =
            wasm_v128_and(wasm_u32x4_shr(sources, 4), wasm_i32x4_const_splat(31 << 23));
        const v128_t minus_one = wasm_u32x4_const_splat(0xbf800000U);
        return wasm_i32x4_neg(wasm_i32x4_trunc_sat_f32x4(wasm_i32x4_add(exponents, minus_one)));
    }
};

template <>
struct vectors<layout_kind::split_8x32> : quads<2> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const v128_t sources = wasm_u64x2_make(high, high << 5U);
        return {{pairs(sources), pairs(wasm_i64x2_shl(sources, 10))}};
    }
};

template <>
struct vectors<layout_kind::split_16x32> : quads<4> {
    BLOOMERY_INLINE static vector of(std::uint64_t high) noexcept {
        const v128_t sources = wasm_u64x2_make(high, high * digest_step);
        return {{pairs(sources), pairs(wasm_i64x2_shl(sources, 5)),
                 pairs(wasm_i64x2_shl(sources, 10)), pairs(wasm_i64x2_shl(sources, 15))}};
    }
};

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
#endif
