// Index schemes of other systems that keep all bits of a key in one block.
// The upper half of a raw location selects the block, the lower half the position within it.
#pragma once

#include <bloomery/detail/layout/divisor.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::layout {

/// RocksDB before format version 5: LevelDB's probes, in one line of 64 bytes.
struct rocksdb_4_scheme {
    static constexpr scheme_id id = scheme_id::rocksdb_4;
    static constexpr layout_kind kind = layout_kind::blocked_512;

    class walk_type {
    public:
        constexpr explicit walk_type(std::uint32_t hash) noexcept
            : line_(std::uint64_t{hash} << 32U), at_(hash), step_(std::rotr(hash, 17)) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t current = line_ | (at_ & 511U);
            at_ += step_;
            return current;
        }

    private:
        std::uint64_t line_;
        std::uint32_t at_;
        std::uint32_t step_;
    };
    static constexpr walk_type walk(digest64 d) noexcept {
        return walk_type(static_cast<std::uint32_t>(d.value));
    }
    struct size_type {
        constexpr size_type(std::uint64_t bit_count) noexcept : lines(bit_count / 512) {} // NOLINT
        friend constexpr bool operator==(const size_type&, const size_type&) = default;
        divisor lines;
    };
    static constexpr std::uint64_t reduce(std::uint64_t raw, const size_type& size) noexcept {
        return (raw >> 32U) % size.lines * 512 + (raw & 511U);
    }
};

/// RocksDB from format version 5: the lower half of the hash chooses the line, the upper half is
/// multiplied again for each bit.
struct rocksdb_5_scheme {
    static constexpr scheme_id id = scheme_id::rocksdb_5;
    static constexpr layout_kind kind = layout_kind::blocked_512;

    class walk_type {
    public:
        constexpr explicit walk_type(digest64 d) noexcept
            : line_(d.value << 32U), at_(static_cast<std::uint32_t>(d.value >> 32U)) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t current = line_ | (at_ >> 23U);
            at_ *= 0x9e3779b9U;
            return current;
        }

    private:
        std::uint64_t line_;
        std::uint32_t at_;
    };
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d); }
    static constexpr std::uint64_t reduce(std::uint64_t raw, std::uint64_t bit_count) noexcept {
        return ((raw >> 32U) * (bit_count / 512) >> 32U) * 512 + (raw & 511U);
    }
};

/// Parquet's split blocks: one bit in each of eight words of 32 bits, each with its own multiplier.
struct parquet_scheme {
    static constexpr scheme_id id = scheme_id::parquet;
    static constexpr layout_kind kind = layout_kind::split_8x32;

    class walk_type {
    public:
        constexpr explicit walk_type(digest64 d) noexcept : hash_(d.value) {}
        constexpr std::uint64_t next() noexcept {
            const auto key = static_cast<std::uint32_t>(hash_);
            const std::uint32_t lane = turn_++ % 8;
            return (hash_ & 0xffffffff00000000U) | (lane * 32 + (key * salts[lane] >> 27U));
        }

    private:
        std::uint64_t hash_;
        std::uint32_t turn_ = 0;
    };
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d); }
    static constexpr std::uint64_t reduce(std::uint64_t raw, std::uint64_t bit_count) noexcept {
        return ((raw >> 32U) * (bit_count / 256) >> 32U) * 256 + (raw & 255U);
    }

    /// All bits of a key at once: what `walk` and `reduce` find one by one.
    struct block_type {
        std::uint64_t first_word;
        std::array<std::uint64_t, 4> bits;
    };
    static constexpr block_type block(digest64 d, std::uint64_t bit_count) noexcept {
        const auto key = static_cast<std::uint32_t>(d.value);
        block_type found{(d.value >> 32U) * (bit_count / 256) >> 32U << 2U, {}};
        for (std::size_t j = 0; j < found.bits.size(); ++j) {
            found.bits[j] = (std::uint64_t{1} << (key * salts[2 * j] >> 27U)) |
                            (std::uint64_t{1} << 32U << (key * salts[2 * j + 1] >> 27U));
        }
        return found;
    }

private:
    static constexpr std::array<std::uint32_t, 8> salts{0x47b6137b, 0x44974d91, 0x8824ad5b,
                                                        0xa2b7289d, 0x705495c7, 0x2df1424b,
                                                        0x9efc4947, 0x5c6bfb31};
};

} // namespace bloomery::inline v0::layout
