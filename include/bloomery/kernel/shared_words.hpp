// Bits and words of an array that one thread has for itself, or shares with others.
#pragma once

#include <bloomery/hash/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::kernel {

/// Who else touches the words: nobody (plain loads and stores), or other threads through calls that
/// are `shared` too (relaxed atomics).
enum class access : std::uint8_t { alone, shared };

/// One word of shared memory, and one bit-or into it, that other threads may do at the same time.
/// The compiler's own functions: std::atomic_ref would add 5,000 lines to every program.
BLOOMERY_INLINE std::uint64_t load_shared(const std::uint64_t* word) noexcept {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
BLOOMERY_INLINE std::uint64_t or_shared(std::uint64_t* word, std::uint64_t bits) noexcept {
    return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

/// The word of bit `at`, moved down so that this bit is its lowest. O(1).
template <access Who>
BLOOMERY_INLINE std::uint64_t down_to(const std::uint64_t* words, std::uint64_t at) noexcept {
    const std::uint64_t* const word = words + at / 64;
    return (Who == access::alone ? *word : load_shared(word)) >> (at % 64);
}

/// Whether bit `at` is set. O(1).
template <access Who>
BLOOMERY_INLINE bool bit_at(const std::uint64_t* words, std::uint64_t at) noexcept {
    return (down_to<Who>(words, at) & 1U) != 0;
}

/// Sets bit `at`, and some bit of `fresh` if it was clear. `fresh` gathers the answers of all bits
/// of a key; where the caller unites answers itself, GCC 12 runs out of registers. O(1).
template <access Who>
BLOOMERY_INLINE void set_bit(std::uint64_t* words, std::uint64_t at,
                             std::uint64_t& fresh) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    if constexpr (Who == access::alone) {
        fresh |= bit & ~words[at / 64];
        words[at / 64] |= bit;
    } else {
        fresh |= bit & ~or_shared(words + at / 64, bit);
    }
}

/// Sets or tests the words of one block while other threads do too.
template <std::size_t Count>
BLOOMERY_INLINE bool insert_words(std::uint64_t* block,
                                  const std::array<std::uint64_t, Count>& bits) noexcept {
    std::uint64_t fresh = 0;
    for (std::size_t i = 0; i < Count; ++i) {
        fresh |= bits[i] & ~or_shared(block + i, bits[i]);
    }
    return fresh != 0;
}
template <std::size_t Count>
BLOOMERY_INLINE bool contains_words(const std::uint64_t* block,
                                    const std::array<std::uint64_t, Count>& bits) noexcept {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < Count; ++i) {
        missing |= bits[i] & ~load_shared(block + i);
    }
    return missing == 0;
}

} // namespace bloomery::kernel
