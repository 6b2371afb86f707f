// The few word operations that all hashes here use.
//
// Reads are little-endian whatever the processor, so that a hash, and with it a filter's bits, is
// the same on every machine.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// For the single-key path, where a call would cost as much as the work. Also for code that is
/// compiled for one processor: it must not be a function, because the linker could keep the copy
/// for another.
#define BLOOMERY_INLINE [[gnu::always_inline]] inline

/// The same for what also runs on GPUs: plain arithmetic, which calls nothing else.
#if defined(__CUDACC__)
#define BLOOMERY_INLINE_ANYWHERE __forceinline__ __host__ __device__
#else
#define BLOOMERY_INLINE_ANYWHERE BLOOMERY_INLINE
#endif

namespace bloomery::inline v0::hash {

namespace detail {

constexpr std::uint32_t byteswap(std::uint32_t x) noexcept {
    return (x << 24) | ((x & 0xff00U) << 8) | ((x >> 8) & 0xff00U) | (x >> 24);
}

constexpr std::uint64_t byteswap(std::uint64_t x) noexcept {
    return (std::uint64_t{byteswap(static_cast<std::uint32_t>(x))} << 32) |
           byteswap(static_cast<std::uint32_t>(x >> 32));
}

template <class Word>
Word load_le(const std::byte* from) noexcept {
    Word word;
    std::memcpy(&word, from, sizeof word);
    if constexpr (std::endian::native == std::endian::big) {
        word = byteswap(word);
    }
    return word;
}

} // namespace detail

/// The 4 bytes at `from`, aligned or not, as a little-endian number.
inline std::uint32_t load_le32(const std::byte* from) noexcept {
    return detail::load_le<std::uint32_t>(from);
}

/// The 8 bytes at `from`, aligned or not, as a little-endian number.
inline std::uint64_t load_le64(const std::byte* from) noexcept {
    return detail::load_le<std::uint64_t>(from);
}

/// Writes `word` to the 8 bytes at `to`, least significant first.
inline void store_le64(std::byte* to, std::uint64_t word) noexcept {
    if constexpr (std::endian::native == std::endian::big) {
        word = detail::byteswap(word);
    }
    std::memcpy(to, &word, sizeof word);
}

/// The `count` (0 to 8) bytes at `from` as a little-endian number, padded with zeros. For the tail
/// of a key, where a full load would read past its end.
constexpr std::uint64_t load_le_tail(const std::byte* from, std::size_t count) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
        word |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
    }
    return word;
}

/// A byte as in Java or as a signed char, -128 to 127, wrapped to a word. For hashes that forgot to
/// mask it.
template <class Word>
constexpr Word sign_extended(std::byte byte) noexcept {
    return static_cast<Word>(static_cast<std::int8_t>(byte));
}

/// The full product of two words.
struct product128 {
    std::uint64_t low;
    std::uint64_t high;
    friend constexpr bool operator==(product128, product128) = default;
};

namespace detail {

/// The schoolbook product of four 32-bit halves, for compilers without a 128-bit integer.
constexpr product128 multiply_halves(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t half = 0xffffffff;
    const std::uint64_t low = (a & half) * (b & half);
    const std::uint64_t cross = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t carry = (a & half) * (b >> 32) + (cross & half);
    return {(carry << 32) | (low & half), (a >> 32) * (b >> 32) + (cross >> 32) + (carry >> 32)};
}

// WebAssembly emulates it, more slowly than the schoolbook product.
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
#define BLOOMERY_HAS_INT128
__extension__ typedef unsigned __int128 uint128; // NOLINT(modernize-use-using): takes __extension__
#endif

} // namespace detail

/// The 128-bit product of `a` and `b`.
BLOOMERY_INLINE_ANYWHERE constexpr product128 multiply_wide(std::uint64_t a,
                                                            std::uint64_t b) noexcept {
#ifdef BLOOMERY_HAS_INT128
    const detail::uint128 product = static_cast<detail::uint128>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
#else
    return detail::multiply_halves(a, b);
#endif
}

/// The same number, but in a register. A load folded into a widening multiplication waits for all
/// earlier stores (5.4 ns instead of 1.2 for an insert), so the operand is loaded first.
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t in_register(std::uint64_t x) noexcept {
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__CUDA_ARCH__)
    if (!std::is_constant_evaluated()) {
        asm("" : "+r"(x)); // no instruction, only a constraint
    }
#endif
    return x;
}

/// Maps `x`, uniform over 64 bits, to [0, m) without a division: floor(x * m / 2^64). It depends
/// mostly on the high bits of `x`, so anything else that is derived from `x` should use the low
/// ones.
BLOOMERY_INLINE_ANYWHERE constexpr std::uint64_t fastrange(std::uint64_t x,
                                                           std::uint64_t m) noexcept {
#if defined(__wasm__)
    if (m >> 32U == 0) [[likely]] { // half of the products
        return ((x >> 32U) * m + ((x & 0xffffffffU) * m >> 32U)) >> 32U;
    }
#endif
    return multiply_wide(x, m).high;
}

} // namespace bloomery::inline v0::hash
