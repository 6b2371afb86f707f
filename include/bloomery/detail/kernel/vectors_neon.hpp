// Split blocks as the vectors of 64-bit ARM.
#pragma once

#include <bloomery/detail/kernel/instructions.hpp>

#if defined(BLOOMERY_LANES_NEON)
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <arm_neon.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

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
    BLOOMERY_INLINE static vector load_shared(const std::uint64_t* block) noexcept {
        vector line; // by instructions, because loads would be a data race
        for (std::size_t i = 0; i < Count; ++i) {
            asm volatile("ldr %q0, %1"
                         : "=w"(line[i])
                         : "m"(*reinterpret_cast<const uint64x2_t*>(block + 2 * i)));
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

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
#endif
