// Two keys at a time with the vectors of WebAssembly, which have no shift per lane: each lane's
// byte is picked by its place, and its bit by a table.
//
// Private to the kernels. A half of a vector belongs to each key: its eight bytes are the places of
// that key in the eight lanes. The upper bits of a place say which byte of the lane it is in, and
// the lower three which bit of that byte.
#pragma once

#include <bloomery/detail/kernel/lanes.hpp>

#if defined(BLOOMERY_LANES_WASM)
#include <wasm_simd128.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

/// The layouts whose places are bytes of lanes.
template <layout_kind Kind>
constexpr bool has_pairs = Kind == layout_kind::split_8x32 || Kind == layout_kind::split_8x64;

/// (x & low) | (x & high) << by: moves the upper half of each field away from the lower.
BLOOMERY_INLINE v128_t spread(v128_t x, std::uint64_t low, std::uint64_t high,
                              std::uint32_t by) noexcept {
    return wasm_v128_or(wasm_v128_and(x, wasm_u64x2_splat(low)),
                        wasm_i64x2_shl(wasm_v128_and(x, wasm_u64x2_splat(high)), by));
}

/// The places of two keys, one in each byte.
template <layout_kind Kind>
BLOOMERY_INLINE v128_t pair_of(v128_t x) noexcept {
    if constexpr (Kind == layout_kind::split_8x64) { // eight fields of 6 bits at the top
        x = spread(wasm_u64x2_shr(x, 16), 0x0000000000ffffff, 0x0000ffffff000000, 8);
        x = spread(x, 0x00000fff00000fff, 0x00fff00000fff000, 4);
        x = spread(x, 0x003f003f003f003f, 0x0fc00fc00fc00fc0, 2);
    } else { // four of 5 bits at the top of each half
        x = spread(wasm_u64x2_shr(x, 12), 0x000003ff000003ff, 0x000ffc00000ffc00, 6);
        x = spread(x, 0x001f001f001f001f, 0x03e003e003e003e0, 3);
    }
    return x;
}

/// A byte with the bit that each byte of `x` names, or without a bit where that is not below 8.
BLOOMERY_INLINE v128_t bits_of(v128_t x) noexcept {
    return wasm_i8x16_swizzle(
        wasm_i8x16_const(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0), x);
}

/// Which of the eight bytes of a key is the place in a lane.
template <layout_kind Kind>
constexpr std::size_t byte_of(std::size_t lane) noexcept {
    if constexpr (Kind == layout_kind::split_8x64) {
        return 7 - lane;
    } else {
        return lane % 2 == 0 ? 3 - lane / 2 : 7 - lane / 2;
    }
}

/// For each of the 16 places, where its lane starts in its vector.
template <layout_kind Kind>
constexpr std::array<std::uint8_t, 16> lane_starts() noexcept {
    constexpr std::size_t lane_bytes = Kind == layout_kind::split_8x64 ? 8 : 4;
    std::array<std::uint8_t, 16> each{};
    for (std::size_t lane = 0; lane < 8; ++lane) {
        each[byte_of<Kind>(lane)] = each[8 + byte_of<Kind>(lane)] =
            static_cast<std::uint8_t>(lane * lane_bytes % 16);
    }
    return each;
}

/// For each byte of vector `at` of a block, which of the 16 bytes of two keys is its lane's place.
template <layout_kind Kind>
constexpr std::array<std::uint8_t, 16> sources(std::size_t at, std::size_t key) noexcept {
    constexpr std::size_t lane_bytes = Kind == layout_kind::split_8x64 ? 8 : 4;
    std::array<std::uint8_t, 16> each{};
    for (std::size_t i = 0; i < 16; ++i) {
        each[i] = static_cast<std::uint8_t>(8 * key + byte_of<Kind>((at * 16 + i) / lane_bytes));
    }
    return each;
}

template <layout_kind Kind>
constexpr std::size_t vector_count = plan::facts_of(Kind).block_bits / 128;

/// In each half, the eight bytes of a block that hold the places in that half.
template <layout_kind Kind>
BLOOMERY_INLINE v128_t bytes_at(const std::uint64_t* words, v128_t places) noexcept {
    const v128_t a = wasm_i8x16_swizzle(wasm_v128_load(words), places);
    const v128_t b = wasm_i8x16_swizzle(wasm_v128_load(words + 2), places);
    if constexpr (Kind == layout_kind::split_8x64) {
        const v128_t c = wasm_i8x16_swizzle(wasm_v128_load(words + 4), places);
        const v128_t d = wasm_i8x16_swizzle(wasm_v128_load(words + 6), places);
        return wasm_i16x8_shuffle(wasm_i16x8_shuffle(d, c, 0, 9, 2, 3, 4, 13, 6, 7),
                                  wasm_i16x8_shuffle(b, a, 0, 1, 2, 11, 4, 5, 6, 15), 0, 1, 10, 11,
                                  4, 5, 14, 15);
    } else {
        return wasm_i16x8_shuffle(b, a, 0, 9, 2, 11, 4, 13, 6, 15);
    }
}

/// Bit i: whether all bits of key i are in block i.
template <layout_kind Kind>
BLOOMERY_INLINE std::uint32_t contains_pair(const std::uint64_t* first, const std::uint64_t* second,
                                            v128_t high) noexcept {
    static constexpr std::array<std::uint8_t, 16> starts = lane_starts<Kind>();
    constexpr char last_byte = Kind == layout_kind::split_8x64 ? 7 : 3;
    const v128_t places = pair_of<Kind>(high);
    const v128_t from =
        wasm_v128_or(wasm_v128_and(wasm_u64x2_shr(places, 3), wasm_i8x16_const_splat(last_byte)),
                     wasm_v128_load(starts.data()));
    const v128_t found =
        wasm_i64x2_shuffle(bytes_at<Kind>(first, from), bytes_at<Kind>(second, from), 0, 3);
    const v128_t bits = bits_of(wasm_v128_and(places, wasm_i8x16_const_splat(7)));
    const v128_t missing = wasm_v128_andnot(bits, found);
    return wasm_i64x2_bitmask(wasm_i64x2_eq(missing, wasm_i64x2_const_splat(0)));
}

template <layout_kind Kind, std::size_t Key, std::size_t At = 0>
BLOOMERY_INLINE void insert_one_of(std::uint64_t* words, v128_t places) noexcept {
    if constexpr (At < vector_count<Kind>) {
        static constexpr std::array<std::uint8_t, 16> source = sources<Kind>(At, Key);
        const v128_t first_bits =
            Kind == layout_kind::split_8x64
                ? wasm_i8x16_const(0, 8, 16, 24, 32, 40, 48, 56, 0, 8, 16, 24, 32, 40, 48, 56)
                : wasm_i8x16_const(0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24);
        // Below 8 only in the byte that the place is in.
        const v128_t within =
            wasm_v128_xor(wasm_i8x16_swizzle(places, wasm_v128_load(source.data())), first_bits);
        wasm_v128_store(words + 2 * At,
                        wasm_v128_or(wasm_v128_load(words + 2 * At), bits_of(within)));
        insert_one_of<Kind, Key, At + 1>(words, places);
    }
}

/// Sets the bits of two keys, whose blocks may be the same.
template <layout_kind Kind>
BLOOMERY_INLINE void insert_pair(std::uint64_t* first, std::uint64_t* second,
                                 v128_t high) noexcept {
    const v128_t places = pair_of<Kind>(high);
    insert_one_of<Kind, 0>(first, places);
    insert_one_of<Kind, 1>(second, places);
}

} // namespace
} // namespace bloomery::inline v0::kernel
#endif
