// Operations on one block of a split layout: the two or three instructions that test or set the
// bits of a digest (detail/kernel/split_bits.hpp).
//
// The instructions are those that the translation unit is compiled for; the library's bulk calls
// compile this file once for each kernel and choose at run time. Everything here is inlined, and
// lives in the inner namespace of its instructions; so files of one program may be compiled for
// different processors (detail/own_copy.hpp).
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/instructions.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/kernel/split_bits.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>

// Each of these is empty unless its instructions are available.
#include <bloomery/detail/kernel/vectors_avx2.hpp>
#include <bloomery/detail/kernel/vectors_avx512.hpp>
#include <bloomery/detail/kernel/vectors_neon.hpp>
#include <bloomery/detail/kernel/vectors_sse2.hpp>
#include <bloomery/detail/kernel/vectors_wasm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0::kernel {
inline namespace BLOOMERY_LANES {

/// Operations on one block with plain words, for processors without suitable vectors.
///
/// Everything is held in registers: a compiler that gathers shifted words into vectors goes through
/// memory, storing words and loading vectors, and stalls for three times as long as the work itself
/// takes.
template <layout_kind Kind>
struct plain_lanes {
    static constexpr std::size_t word_count = plan::facts_of(Kind).block_bits / 64;
    /// Whether this is faster than calling the kernel in use (detail/kernel/one_key.hpp). It is not
    /// on x86-64, where that kernel usually has wider vectors.
#if defined(BLOOMERY_LANES_SSE2)
    static constexpr bool is_inlined = false;
#else
    static constexpr bool is_inlined = true;
#endif

    /// Whether all bits of a digest are in a block.
    BLOOMERY_INLINE static bool test(const std::uint64_t* block, std::uint64_t high) noexcept {
        return missing(block, high, std::make_index_sequence<word_count>()) == 0;
    }
    /// Sets them; returns whether any was clear.
    BLOOMERY_INLINE static bool set(std::uint64_t* block, std::uint64_t high) noexcept {
        return unite(block, high, std::make_index_sequence<word_count>()) != 0;
    }
    /// 2 answers + test(): how answers become a bitmap, without a branch.
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const std::uint64_t* block,
                                                std::uint64_t high) noexcept {
        return answers << 1U | static_cast<std::uint32_t>(test(block, high));
    }
    /// The same while other threads set bits in the block.
    BLOOMERY_INLINE static bool test_shared(const std::uint64_t* block,
                                            std::uint64_t high) noexcept {
        return contains_words(block, words(high));
    }
    BLOOMERY_INLINE static std::uint32_t
    append_shared(std::uint32_t answers, const std::uint64_t* block, std::uint64_t high) noexcept {
        return answers << 1U | static_cast<std::uint32_t>(test_shared(block, high));
    }
    /// Only the words of the bits.
    BLOOMERY_INLINE static std::array<std::uint64_t, word_count>
    words(std::uint64_t high) noexcept {
        return split_words<Kind>(high);
    }

private:
    template <std::size_t... I>
    BLOOMERY_INLINE static std::uint64_t missing(const std::uint64_t* block, std::uint64_t high,
                                                 std::index_sequence<I...> /*all*/) noexcept {
        if constexpr (Kind == layout_kind::split_8x64) {
            // One bit per word: shifting the word is cheaper than making a mask for it.
            return ~(hash::in_register(block[I] >> (high >> (58 - 6 * I) & 63U)) & ...) & 1U;
        } else {
            return (hash::in_register(split_word<Kind>(high, I) & ~block[I]) | ...);
        }
    }
    template <std::size_t... I>
    BLOOMERY_INLINE static std::uint64_t unite(std::uint64_t* block, std::uint64_t high,
                                               std::index_sequence<I...> /*all*/) noexcept {
        return (unite_word(block + I, split_word<Kind>(high, I)) | ...);
    }
    BLOOMERY_INLINE static std::uint64_t unite_word(std::uint64_t* word,
                                                    std::uint64_t bits) noexcept {
        const std::uint64_t before = *word;
        *word = hash::in_register(before | bits);
        return bits & ~before;
    }
};

/// Operations on one block as one or a few vectors.
template <layout_kind Kind>
struct vector_lanes {
    static constexpr std::size_t word_count = plan::facts_of(Kind).block_bits / 64;
#if defined(BLOOMERY_LANES_SSE2) // see above; four vectors are more work than a call
    static constexpr bool is_inlined = Kind == layout_kind::split_8x32;
#else
    static constexpr bool is_inlined = true;
#endif
    using ops = vectors<Kind>;

    /// Whether all bits of a digest are in a block.
    BLOOMERY_INLINE static bool test(const std::uint64_t* block, std::uint64_t high) noexcept {
        return ops::within(ops::of(high), ops::load(block));
    }
    /// Sets them; returns whether any was clear.
    BLOOMERY_INLINE static bool set(std::uint64_t* block, std::uint64_t high) noexcept {
        const auto bits = ops::of(high);
        const auto line = ops::load(block);
        ops::store(block, ops::unite(line, bits));
        return !ops::within(bits, line);
    }
    /// 2 answers + test(): how answers become a bitmap, without a branch.
    BLOOMERY_INLINE static std::uint32_t append(std::uint32_t answers, const std::uint64_t* block,
                                                std::uint64_t high) noexcept {
        return ops::append(answers, ops::of(high), ops::load(block));
    }
    /// The same while other threads set bits in the block.
    BLOOMERY_INLINE static bool test_shared(const std::uint64_t* block,
                                            std::uint64_t high) noexcept {
        return ops::within(ops::of(high), ops::load_shared(block));
    }
    BLOOMERY_INLINE static std::uint32_t
    append_shared(std::uint32_t answers, const std::uint64_t* block, std::uint64_t high) noexcept {
        return ops::append(answers, ops::of(high), ops::load_shared(block));
    }
    /// Only the words of the bits.
    BLOOMERY_INLINE static std::array<std::uint64_t, word_count>
    words(std::uint64_t high) noexcept {
        std::array<std::uint64_t, word_count> bits;
        ops::store(bits.data(), ops::of(high));
        return bits;
    }
};

/// Sets the bits of a digest while other threads do too; returns whether any was clear. If all are
/// set already, as for a key that was inserted before, this costs one test and no locked
/// instruction.
template <class Lanes>
BLOOMERY_INLINE bool insert_shared(std::uint64_t* block, std::uint64_t high) noexcept {
    return !Lanes::test_shared(block, high) && insert_words(block, Lanes::words(high));
}

/// Vectors if the processor has them, otherwise plain words.
#if defined(BLOOMERY_LANES_AVX2) || defined(BLOOMERY_LANES_NEON)
template <layout_kind Kind>
using lanes = vector_lanes<Kind>;
#elif defined(BLOOMERY_LANES_SSE2) || defined(BLOOMERY_LANES_WASM)
template <layout_kind Kind>
using lanes = std::conditional_t<Kind == layout_kind::split_8x64, plain_lanes<Kind>,
                                 vector_lanes<Kind>>; // 64-bit lanes have no such trick
#else
template <layout_kind Kind>
using lanes = plain_lanes<Kind>;
#endif

} // namespace BLOOMERY_LANES
} // namespace bloomery::inline v0::kernel
