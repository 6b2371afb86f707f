// Eight cells in as few bytes as their bits take, arranged so that all eight are compared at once.
//
// A cell is a number of `width` bits (10 to 64): a remainder, and a counter above it. The bucket's
// first eight bytes are the lowest eight bits of its cells, one byte per cell: two in a hundred
// buckets match an absent remainder there, so most queries read only one word. Each following byte
// is one more bit of all cells: bit i belongs to cell i.
#pragma once

#include <bloomery/detail/hash/bits.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::detail {

/// Which cells of a bucket: bit i is cell i.
using cell_mask = std::uint32_t;

inline constexpr std::uint64_t every_byte = 0x0101010101010101;

/// The 8 bytes from byte `at` of an array of words, whose bytes are counted from the lowest of each
/// word on every processor.
BLOOMERY_INLINE std::uint64_t bytes_at(const std::uint64_t* words, std::uint64_t at) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        std::uint64_t found;
        std::memcpy(&found, reinterpret_cast<const std::byte*>(words) + at, sizeof found);
        return found;
    } else {
        const std::uint64_t shift = 8 * (at % 8);
        const std::uint64_t low = words[at / 8] >> shift;
        return shift == 0 ? low : low | words[at / 8 + 1] << (64 - shift);
    }
}

/// Writes them.
BLOOMERY_INLINE void put_bytes(std::uint64_t* words, std::uint64_t at,
                               std::uint64_t value) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(reinterpret_cast<std::byte*>(words) + at, &value, sizeof value);
    } else {
        const std::uint64_t shift = 8 * (at % 8);
        if (shift == 0) {
            words[at / 8] = value;
            return;
        }
        words[at / 8] = (words[at / 8] & ~(~std::uint64_t{0} << shift)) | value << shift;
        words[at / 8 + 1] =
            (words[at / 8 + 1] & ~std::uint64_t{0} << shift) | value >> (64 - shift);
    }
}

/// Byte i of the result is 255 if bit i of `bits`, of which there are eight, is set, else 0.
BLOOMERY_INLINE constexpr std::uint64_t spread(std::uint64_t bits) noexcept {
    const std::uint64_t one_each = (bits * every_byte) & 0x8040201008040201;
    return ((one_each + 0x7f * every_byte) >> 7U & every_byte) * 255;
}

/// Bit i of the result is the lowest bit of byte i; the bytes are 0 or 1.
BLOOMERY_INLINE constexpr cell_mask gather(std::uint64_t bytes) noexcept {
    return static_cast<cell_mask>(bytes * 0x0102040810204080 >> 56U);
}

/// The bitwise or of all bytes of a word.
BLOOMERY_INLINE constexpr cell_mask folded(std::uint64_t bytes) noexcept {
    bytes |= bytes >> 32U;
    bytes |= bytes >> 16U;
    return static_cast<cell_mask>((bytes | bytes >> 8U) & 255U);
}

/// Not 0 if a byte of `bytes` is 0.
BLOOMERY_INLINE constexpr std::uint64_t has_zero(std::uint64_t bytes) noexcept {
    return (bytes - every_byte) & ~bytes & 0x80 * every_byte;
}

/// The number of cells in a mask.
BLOOMERY_INLINE constexpr std::uint32_t cells_in(cell_mask mask) noexcept {
    mask -= mask >> 1U & 0x55U;
    mask = (mask & 0x33U) + (mask >> 2U & 0x33U);
    return (mask + (mask >> 4U)) & 15U;
}

/// How the cells of all buckets of a filter look. Every call takes the words and the byte at which
/// the bucket begins. O(width) each, which is one word for a width of up to 16.
class dleft_bucket {
public:
    static constexpr std::uint32_t cells = 8;

    /// A remainder of 8 to 56 bits and a counter of 2 to 8.
    constexpr dleft_bucket(std::uint32_t remainder_bits, std::uint32_t counter_bits) noexcept
        : remainder_bits_(remainder_bits), counter_bits_(counter_bits) {}

    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint32_t remainder_bits() const noexcept {
        return remainder_bits_;
    }
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint32_t counter_bits() const noexcept {
        return counter_bits_;
    }
    /// The bits of a cell and the bytes of a bucket: the same number, as there are eight cells.
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint32_t width() const noexcept {
        return remainder_bits_ + counter_bits_;
    }

    /// The value of a cell.
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint64_t cell(std::uint64_t remainder,
                                                               std::uint64_t count) const noexcept {
        return remainder | count << remainder_bits_;
    }
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint64_t
    remainder_of(std::uint64_t cell) const noexcept {
        return cell & ((std::uint64_t{1} << remainder_bits_) - 1);
    }
    [[nodiscard]] BLOOMERY_INLINE constexpr std::uint64_t
    count_of(std::uint64_t cell) const noexcept {
        return cell >> remainder_bits_;
    }

    /// Not 0 if a cell has the lowest eight bits of the remainder, which are all bytes of `lowest`.
    [[nodiscard]] BLOOMERY_INLINE static std::uint64_t
    might_match(const std::uint64_t* words, std::uint64_t at, std::uint64_t lowest) noexcept {
        return has_zero(bytes_at(words, at) ^ lowest);
    }

    /// The cells with that remainder and a counter that is not 0.
    [[nodiscard]] BLOOMERY_INLINE cell_mask matches(const std::uint64_t* words, std::uint64_t at,
                                                    std::uint64_t remainder) const noexcept {
        const std::uint64_t differ = bytes_at(words, at) ^ (remainder & 255U) * every_byte;
        const std::uint64_t seven = 0x7f * every_byte;
        cell_mask other = gather((((differ & seven) + seven) | differ) >> 7U & every_byte);
        cell_mask used = 0;
        for (std::uint32_t from = 8; from < width(); from += 8) {
            const std::uint64_t planes = planes_from(words, at, from);
            const std::uint64_t mine = remainder_planes(from);
            other |= folded((planes ^ spread(remainder >> from & 255U)) & mine);
            used |= folded(planes & ~mine);
        }
        return used & ~other;
    }

    /// The cells whose counter is not 0.
    [[nodiscard]] BLOOMERY_INLINE cell_mask used(const std::uint64_t* words,
                                                 std::uint64_t at) const noexcept {
        return folded(bytes_at(words, at + width() - 8) >> (64 - 8 * counter_bits_));
    }

    /// The value of one cell.
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t read(const std::uint64_t* words, std::uint64_t at,
                                                     std::uint32_t which) const noexcept {
        std::uint64_t found = bytes_at(words, at) >> (8 * which) & 255U;
        for (std::uint32_t from = 8; from < width(); from += 8) {
            const std::uint64_t bits = planes_from(words, at, from) >> which & every_byte;
            found |= std::uint64_t{gather(bits)} << from;
        }
        return found;
    }

    /// Sets the value of one cell.
    BLOOMERY_INLINE void write(std::uint64_t* words, std::uint64_t at, std::uint32_t which,
                               std::uint64_t number) const noexcept {
        const std::uint32_t shift = 8 * which;
        const std::uint64_t lowest = bytes_at(words, at) & ~(std::uint64_t{255} << shift);
        put_bytes(words, at, lowest | (number & 255U) << shift);
        const std::uint64_t column = every_byte << which;
        for (std::uint32_t from = 8; from < width(); from += 8) {
            // The last planes are reached through the last eight bytes: nothing past the bucket is
            // touched.
            const std::uint32_t first = std::min(from, width() - 8);
            const std::uint32_t skip = 8 * (from - first);
            const std::uint64_t planes = bytes_at(words, at + first);
            const std::uint64_t bits = (spread(number >> from & 255U) & column) << skip;
            put_bytes(words, at + first, (planes & ~(column << skip)) | bits);
        }
    }

    /// Of planes `from` to `from` + 7, as bytes of a word, those of the remainder; the others are
    /// the counter's.
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t
    remainder_planes(std::uint32_t from) const noexcept {
        if (from + 8 <= remainder_bits_) {
            return ~std::uint64_t{0};
        }
        return from < remainder_bits_ ? (std::uint64_t{1} << (8 * (remainder_bits_ - from))) - 1
                                      : 0;
    }

private:
    /// Planes `from` to `from` + 7 as the bytes of a word; 0 where the bucket has no more.
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t
    planes_from(const std::uint64_t* words, std::uint64_t at, std::uint32_t from) const noexcept {
        const std::uint32_t first = std::min(from, width() - 8);
        return bytes_at(words, at + first) >> (8 * (from - first));
    }

    std::uint32_t remainder_bits_;
    std::uint32_t counter_bits_;
};

} // namespace bloomery::inline v0::detail
