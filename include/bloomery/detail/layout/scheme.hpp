// Index schemes: how one digest becomes the endless sequence of positions that a classic filter
// probes.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bloomery::inline v0::layout {

/// Which scheme a filter uses; part of the file format, never renumbered.
enum class scheme_id : std::uint16_t {
    native = 0,
    guava_32 = 1,            ///< Guava's MURMUR128_MITZ_32, and Spark's first version
    guava_64 = 2,            ///< Guava's MURMUR128_MITZ_64
    go = 3,                  ///< bits-and-blooms
    redisson = 4,            ///< double hashing with alternating steps
    spark_2 = 5,             ///< Spark's second version
    cassandra = 6,           ///< double hashing, signed remainders
    hadoop = 7,              ///< one hash for each probe
    hbase = 8,               ///< double hashing in 32 bits, signed remainders
    redisbloom = 9,          ///< a + i b
    leveldb = 10,            ///< double hashing in 32 bits, the step a rotation of the hash
    datasketches = 11,       ///< (a + i b) / 2, from i = 1
    dcso = 12,               ///< powers of a constant modulo a prime
    rocksdb_4 = 13,          ///< RocksDB's filters of format versions below 5
    rocksdb_5 = 14,          ///< RocksDB's filters of format version 5
    parquet = 15,            ///< Parquet's split blocks
    hutool_32 = 16,          ///< one probe, in an array of 32-bit words
    hutool_64 = 17,          ///< one probe, in an array of 64-bit words
    hutool_set = 18,         ///< one string hash for each probe
    hutool_map = 19,         ///< the same, each in its own part of the array
    additive_8 = 20,         ///< eight multiplicative string hashes
    hash_code_6 = 21,        ///< Java's hash code under six masks
    hash_code_6_mended = 22, ///< what hash_code_6 was meant to be
    redisson_split = 23,     ///< Redisson's, in shards of equal size; a key is in one of them
};

/// The name of a scheme, or "unknown" for an unknown number. O(1).
[[nodiscard]] constexpr std::string_view name_of(scheme_id id) noexcept {
    constexpr std::array<std::string_view, 24> names{"native",
                                                     "guava-32",
                                                     "guava-64",
                                                     "go",
                                                     "redisson",
                                                     "spark-2",
                                                     "cassandra",
                                                     "hadoop",
                                                     "hbase",
                                                     "redisbloom",
                                                     "leveldb",
                                                     "datasketches",
                                                     "dcso",
                                                     "rocksdb-4",
                                                     "rocksdb-5",
                                                     "parquet",
                                                     "hutool-32",
                                                     "hutool-64",
                                                     "hutool-set",
                                                     "hutool-map",
                                                     "additive-8",
                                                     "hash-code-6",
                                                     "hash-code-6-mended",
                                                     "redisson-split"};
    const auto at = static_cast<std::size_t>(id);
    return at < names.size() ? names[at] : "unknown";
}

/// Our own scheme: the digest times an odd constant for each probe, reduced by fastrange.
///
/// Of the ways to derive k probes from one hash, this one came closest to k independent hashes in
/// measurements (the rate with double hashing is up to 90 times too high at 30 bits per key). It
/// costs one multiplication per probe, and 0 is its only bad digest. fastrange uses the high bits,
/// which a multiplication mixes best, and needs neither a division nor a power of two. Checked by
/// tests/stats.
struct native_scheme {
    static constexpr scheme_id id = scheme_id::native;

    /// The raw, unreduced locations of a 64-bit digest, one per call.
    class narrow_walk {
    public:
        constexpr explicit narrow_walk(digest64 d) noexcept : place_(d.value) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t current = place_;
            place_ *= digest_step;
            return current;
        }

    private:
        std::uint64_t place_;
    };

    /// The same for 128 bits: two walks that alternate, each two steps at a time, so that a widened
    /// 64-bit digest has the same locations as the narrow one.
    class wide_walk {
    public:
        constexpr explicit wide_walk(digest128 d) noexcept : current_(d.low), after_(d.high) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t place = current_;
            current_ = after_;
            after_ = place * (digest_step * digest_step);
            return place;
        }

    private:
        std::uint64_t current_;
        std::uint64_t after_;
    };

    static constexpr narrow_walk walk(digest64 d) noexcept { return narrow_walk{d}; }
    static constexpr wide_walk walk(digest128 d) noexcept { return wide_walk{d}; }

    /// The bit, in [0, bit_count), of a raw location.
    static constexpr std::uint64_t reduce(std::uint64_t raw, std::uint64_t bit_count) noexcept {
        return hash::fastrange(raw, bit_count);
    }
};

} // namespace bloomery::inline v0::layout
