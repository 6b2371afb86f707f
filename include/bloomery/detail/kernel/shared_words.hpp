// Bits and words of an array that one thread owns exclusively, or shares with others.
#pragma once

#include <bloomery/detail/hash/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {

/// Who else accesses the words: nobody (plain loads and stores), or other threads through calls
/// that are also `shared` (relaxed atomics).
enum class access : std::uint8_t { alone, shared };

// A module of WebAssembly has one thread and no way to prefetch: code for those would be a tenth of
// it.
#if defined(__wasm__)
inline constexpr bool has_threads = false;
inline constexpr bool prefetches = false;
#else
inline constexpr bool has_threads = true;
inline constexpr bool prefetches = true;
#endif
/// The access of a filter that threads share.
inline constexpr access among_threads = has_threads ? access::shared : access::alone;

/// Loads a word of shared memory, and sets bits in it, while other threads may do the same. These
/// use compiler built-ins: std::atomic_ref would add 5,000 lines to every program.
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

/// Sets bit `at`, and some bit of `fresh` if it was clear. `fresh` collects the answers for all
/// bits of a key; if the caller combines answers itself, GCC 12 runs out of registers. O(1).
template <access Who>
BLOOMERY_INLINE void set_bit(std::uint64_t* words, std::uint64_t at,
                             std::uint64_t& fresh) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    if constexpr (Who == access::alone) {
        fresh |= bit & ~words[at / 64];
        words[at / 64] |= bit;
    } else {
        if ((bit & load_shared(words + at / 64)) == 0) { // or there is nothing to lock
            fresh |= bit & ~or_shared(words + at / 64, bit);
        }
    }
}

/// bit_at and set_bit for words, or for bytes, where bit i is bit i % 8 of byte i / 8: the same as
/// words on little-endian machines, and the order of bits in files. Bytes are never shared. O(1).
template <access Who, class Unit>
BLOOMERY_INLINE bool bit_in(const Unit* bits, std::uint64_t at) noexcept {
    if constexpr (sizeof(Unit) == 1) {
        return (std::to_integer<unsigned>(bits[at / 8]) >> (at % 8) & 1U) != 0;
    } else {
        return bit_at<Who>(bits, at);
    }
}
template <access Who, class Unit>
BLOOMERY_INLINE void set_bit_in(Unit* bits, std::uint64_t at, std::uint64_t& fresh) noexcept {
    if constexpr (sizeof(Unit) == 1) {
        const auto bit = static_cast<std::byte>(1U << (at % 8));
        fresh |= std::to_integer<std::uint64_t>(bit & ~bits[at / 8]);
        bits[at / 8] |= bit;
    } else {
        set_bit<Who>(bits, at, fresh);
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

} // namespace bloomery::inline v0::kernel
