// The sizes that other libraries compute, to the bit.
//
// Most use the textbook formula m = -n ln p / (ln 2)^2 and differ in how they round it. The same
// operations are made on doubles in the same order, because one ulp decides a truncation; the
// tables in tests/data/plan/compat.json and tests/data/foreign come from running those libraries.
//
// Every function is O(1) and throws `bad_argument` where the original throws, panics or leaves the
// result to chance; what else it refuses stands with it.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::plan {

/// What a foreign library would choose. Its k may exceed the native 64.
struct compat_shape {
    std::uint64_t bit_count;
    std::uint32_t hash_count;
    friend constexpr bool operator==(const compat_shape&, const compat_shape&) = default;
};

/// Guava up to 33.3: m truncated, k = round(m / n ln 2) from that m. n = 0 counts as 1, as there.
/// The array that Guava allocates is m rounded up to 64. Throws `bad_argument` where Guava refuses:
/// p outside (0, 1), m = 0, k above 255, 2^31 words or more.
[[nodiscard]] compat_shape guava_shape(items n, rate p);

/// Guava from 33.4: the same m, k = round(-ln p / ln 2). Throws as `guava_shape`.
[[nodiscard]] compat_shape guava_33_4_shape(items n, rate p);

/// bits-and-blooms for Go, EstimateParameters: both rounded up. Throws `bad_argument` for n = 0 and
/// p outside (0, 1), where Go returns nonsense.
[[nodiscard]] compat_shape go_shape(items n, rate p);

/// Redisson: Guava's older rule, with at most 4294967294 bits. p = 0 means the smallest double, as
/// there. Throws `bad_argument` for n = 0, p outside [0, 1), m = 0 or m too large.
[[nodiscard]] compat_shape redisson_shape(items n, rate p);

/// Spark: Guava's older rule. The array is m rounded up to 64. Throws `bad_argument` for n = 0, p
/// outside (0, 1), m = 0 and 2^31 words or more.
[[nodiscard]] compat_shape spark_shape(items n, rate p);

/// The k of Spark for m bits that the caller chose (m as given, not rounded up to 64). It is cut to
/// 32 bits, as there. Throws `bad_argument` for n = 0, m = 0 and 2^31 words or more.
[[nodiscard]] hashes spark_hashes(items n, bits m);

/// DataSketches, create_by_accuracy: m rounded up, k = ceil(-ln p / ln 2). The array is m rounded
/// up to 64. Throws `bad_argument` for n = 0, p outside (0, 1), more than 17179868920 bits.
[[nodiscard]] compat_shape datasketches_shape(items n, rate p);

/// DataSketches, the k that it suggests for m bits: rounded up. Throws `bad_argument` for n = 0,
/// m = 0, m above 17179868920 and a k above 65535, which has no place there.
[[nodiscard]] hashes datasketches_hashes(items n, bits m);

/// DCSO bloom: m truncated (it rounds up a negative number), k rounded up. Throws `bad_argument`
/// for n = 0, p outside (0, 1) and m = 0, with which it would divide by zero.
[[nodiscard]] compat_shape dcso_shape(items n, rate p);

/// hutool, BitSetBloomFilter(c, n, k): c * k bits in 32-bit arithmetic; n has no part in it. Throws
/// `bad_argument` when that is 0 or negative, and for k below 1.
[[nodiscard]] compat_shape hutool_bitset_shape(std::int32_t c, std::int32_t n, std::int32_t k);

/// hutool, BitMapBloomFilter(m): the bits of each of its five maps, 2^23 for every five of m.
/// Throws `bad_argument` for m below 5, and from 40960 on, where a map has too many words.
[[nodiscard]] bits hutool_bitmap_bits(std::int32_t m);

/// What Cassandra reads from its table for a chance of false positives.
struct cassandra_spec {
    std::uint32_t hash_count;
    std::uint32_t bits_per_key;
    friend constexpr bool operator==(const cassandra_spec&, const cassandra_spec&) = default;
};

/// Cassandra: the fewest bits a key, and with them the fewest hashes, whose printed rate is at most
/// p. From 0.393 on it is 2 hashes and 1 bit: upstream has them in each other's place. Throws
/// `bad_argument` for p below 6.71e-05, where the table ends, and above 1.
[[nodiscard]] cassandra_spec cassandra_spec_for(rate p);

/// Cassandra: n times the bits a key, and 20 more, rounded up to 64. Throws `bad_argument` as
/// `cassandra_spec_for`, for p = 1 (it keeps no filter then) and for 2^31 words or more.
[[nodiscard]] compat_shape cassandra_shape(items n, rate p);

/// HBase, one chunk: m rounded up, k = ceil(ln 2 times the bits a key), which are divided in whole
/// numbers. The chunk is m rounded up to whole bytes. Throws `bad_argument` for n = 0 and n of 2^31
/// or more, p outside (0, 1), 2^31 bytes or more, and a rate that leaves k = 0.
[[nodiscard]] compat_shape hbase_shape(items n, rate p);

/// parquet-java, optimalNumOfBits: between 256 and 2^30 + 255. Its rounding up to blocks clears
/// bit 8 only, so this is rarely a multiple of 256. Throws `bad_argument` for p outside (0, 1).
[[nodiscard]] bits parquet_bits(items n, rate p);

/// parquet-java, the array for a filter that was asked to have so many bytes: the power of two at
/// or above it, between 32 bytes and 128 MiB. Never throws.
[[nodiscard]] bytes parquet_array(bytes wanted);

/// parquet-java, the array for n keys at the rate p: `parquet_array` of `parquet_bits`, without the
/// smaller limit that a writer of files may be set to. Throws as `parquet_bits`.
[[nodiscard]] bytes parquet_bytes(items n, rate p);

/// LevelDB: at least 64 bits, whole bytes; k is 0.69 times the bits a key, from 1 to 30. Throws
/// `bad_argument` where n or the bits a key do not fit its int.
[[nodiscard]] compat_shape leveldb_shape(items n, std::uint32_t bits_per_key);

/// RocksDB before format version 5, on processors with cache lines of 64 bytes: an odd number of
/// lines; the bits a key are rounded to a whole number, k is as in LevelDB. No keys give no bits.
/// Throws `bad_argument` for less than half a bit a key: RocksDB makes no filter then.
[[nodiscard]] compat_shape rocksdb_legacy_shape(items n, double bits_per_key);

/// RocksDB from format version 5 on: whole lines of 64 bytes, at most 2^32 - 64 bytes; the bits a
/// key count in thousandths, from 1 to 100. No keys give no bits. Throws as the legacy one.
[[nodiscard]] compat_shape rocksdb_shape(items n, double bits_per_key);

/// What RedisBloom stores of one filter of a chain.
struct redisbloom_layer {
    std::uint64_t byte_count;
    std::uint64_t bit_count; ///< eight for each byte
    double bits_per_entry;
    std::uint32_t hash_count;
    std::uint64_t entries; ///< what it takes before the next filter is added
    std::uint8_t power;    ///< positions are taken modulo 2^power, or modulo the bits if it is 0
    friend constexpr bool operator==(const redisbloom_layer&, const redisbloom_layer&) = default;
};

/// The options of RedisBloom that matter here. BF.RESERVE gives `redisbloom_no_round` (and 4, for
/// 64-bit hashes) always.
inline constexpr std::uint32_t redisbloom_no_round = 1;
inline constexpr std::uint32_t redisbloom_entries_are_power = 2;

/// RedisBloom, bloom_init. `error` is that of this filter: the first of a chain that may grow has
/// half the rate asked for, every further one half of the one before. Throws `bad_argument` for no
/// entries, an error outside (0, 1) and a size of 2^63 bits or more.
[[nodiscard]] redisbloom_layer redisbloom_shape(items entries, rate error, std::uint32_t options);

} // namespace bloomery::plan
