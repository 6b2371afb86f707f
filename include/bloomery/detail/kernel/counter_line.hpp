// The counters of a key in one cache line: the definition, and kernels for four-bit counters.
//
// A line is eight words of 64 / b counters of b bits each. The top three bits of a digest's high
// word choose the first of k neighbouring words (the first word follows the last); the bits after
// them, as many per word as 64 / b counters need, choose the counter in each word. So a key never
// uses a counter twice, and all words of a line can be processed at once. It takes 1 % more memory
// than k positions anywhere in the line at rates of 3 % and 1 %, and 2 % more at 0.1 %.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {

/// The words of a line, and so the maximum number of counters per key.
inline constexpr std::uint32_t line_words = 8;

/// One line with counters of `Bits` bits, a power of two, as plain words.
template <unsigned Bits>
struct counter_line {
    static constexpr std::uint64_t most = (std::uint64_t{1} << Bits) - 1; ///< the maximum
    static constexpr unsigned step = Bits == 2 ? 5 : Bits == 4 ? 4 : Bits == 8 ? 3 : 2;

    /// The first word of a digest's counters.
    BLOOMERY_INLINE static constexpr unsigned start(std::uint64_t high) noexcept {
        return static_cast<unsigned>(high >> 61U);
    }
    /// The offset of its counter in a word.
    BLOOMERY_INLINE static constexpr unsigned shift(std::uint64_t high, unsigned word) noexcept {
        return static_cast<unsigned>(high >> (55U - step * word)) & (64U - Bits);
    }

    /// Adds a key. Returns whether a counter was 0, and whether one is now at its maximum.
    BLOOMERY_INLINE static insertion insert(std::uint64_t* line, std::uint64_t high,
                                            std::uint32_t k) noexcept {
        std::uint64_t zero = 0;
        std::uint64_t full = 0;
        each(high, k, [&](unsigned word, unsigned up) {
            const std::uint64_t before = line[word];
            const std::uint64_t value = before >> up & most;
            zero |= value - 1; // the sign is set only for 0
            full |= value + 2; // bit `Bits` is set for the last two
            line[word] = before + (std::uint64_t{value != most} << up);
        });
        return {zero >> 63U != 0, full >> Bits != 0 ? status::saturated : status::ok};
    }

    /// Whether all counters of a key are above 0. No branch: absent keys would be mispredicted.
    [[nodiscard]] BLOOMERY_INLINE static bool
    contains(const std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept {
        std::uint64_t zero = 0;
        each(high, k, [&](unsigned word, unsigned up) { zero |= (line[word] >> up & most) - 1; });
        return zero >> 63U == 0;
    }

    /// Erases a key; not_present, and nothing changes, if a counter is 0.
    BLOOMERY_INLINE static status erase(std::uint64_t* line, std::uint64_t high,
                                        std::uint32_t k) noexcept {
        std::array<std::uint64_t, line_words> after; // NOLINT: filled as far as it is read
        std::uint64_t zero = 0;
        std::uint64_t full = 0;
        each(high, k, [&](unsigned word, unsigned up) {
            const std::uint64_t value = line[word] >> up & most;
            zero |= value - 1;
            full |= value + 1;
            after[word] = line[word] - (std::uint64_t{value != most} << up);
        });
        if (zero >> 63U != 0) {
            return status::not_present;
        }
        for (std::uint32_t i = 0; i < k; ++i) {
            const unsigned word = (start(high) + i) % line_words;
            line[word] = after[word];
        }
        return full >> Bits != 0 ? status::saturated : status::ok;
    }

    /// The smallest counter of a key.
    [[nodiscard]] BLOOMERY_INLINE static std::uint64_t
    least(const std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept {
        std::uint64_t found = most;
        each(high, k, [&](unsigned word, unsigned up) {
            const std::uint64_t value = line[word] >> up & most;
            found = value < found ? value : found;
        });
        return found;
    }

private:
    /// Calls `visit(word, shift)` for each counter of a digest.
    template <class Visit>
    BLOOMERY_INLINE static void each(std::uint64_t high, std::uint32_t k, Visit visit) noexcept {
        for (std::uint32_t i = 0; i < k; ++i) {
            const unsigned word = (start(high) + i) % line_words;
            visit(word, shift(high, word));
        }
    }
};

/// The same for four bits, with the instructions that the processor has: a call that is not
/// inlined, but far fewer instructions, so that more keys wait for memory at the same time.
struct BLOOMERY_EXPORT counter_nibbles {
    static insertion insert(std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept;
    [[nodiscard]] static bool contains(const std::uint64_t* line, std::uint64_t high,
                                       std::uint32_t k) noexcept;
    static status erase(std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept;
    [[nodiscard]] static std::uint64_t least(const std::uint64_t* line, std::uint64_t high,
                                             std::uint32_t k) noexcept {
        return counter_line<4>::least(line, high, k);
    }
};

/// Calls `visit` with the counter_line of that width: 2, 8, 16, or counter_nibbles for 4.
template <class Visit>
BLOOMERY_INLINE decltype(auto) with_counter_line(std::uint32_t bits, Visit visit) {
    switch (bits) {
    case 2:
        return visit(counter_line<2>());
    case 8:
        return visit(counter_line<8>());
    case 16:
        return visit(counter_line<16>());
    default:
        return visit(counter_nibbles());
    }
}

/// Lines of four-bit counters, with k of them per key, 1 to 8.
template <class Word>
struct basic_counter_lines {
    Word* words;
    std::uint64_t line_count;
    std::uint32_t hash_count;
};
using counter_lines = basic_counter_lines<std::uint64_t>;
using const_counter_lines = basic_counter_lines<const std::uint64_t>;

/// Adds keys, in order, with the instructions that the processor has. Bit i of `fresh`, unless it
/// is null, is set if a counter of key i was 0; it must be (n + 63) / 64 words of zeros. O(n),
/// allocates nothing, never throws.
BLOOMERY_EXPORT void insert(const counter_lines& into, digests keys, std::uint64_t* fresh) noexcept;
/// Bit i of `maybe` is set if all counters of key i are above 0. As above.
BLOOMERY_EXPORT void contains(const const_counter_lines& in, digests keys,
                              std::uint64_t* maybe) noexcept;
/// Erases keys, in order, except those with a counter of 0; bit i of `erased` is set for the
/// others. As above.
BLOOMERY_EXPORT void erase(const counter_lines& from, digests keys, std::uint64_t* erased) noexcept;

} // namespace bloomery::inline v0::kernel
