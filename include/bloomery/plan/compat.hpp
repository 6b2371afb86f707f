// The sizes that other libraries compute, exactly.
//
// Most use the textbook formula m = -n ln p / (ln 2)^2 and differ in how they round it. These
// functions perform the same operations on doubles in the same order, because one ulp can decide a
// truncation. The tables in tests/data/plan/compat.json and tests/data/foreign come from running
// those libraries.
//
// Every function is O(1) and throws `bad_argument` if the original throws, panics or returns an
// undefined result; other errors are listed with each function.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::inline v0::plan {

/// What another library would choose. Its k may exceed the native limit of 64.
struct compat_shape {
    std::uint64_t bit_count;
    std::uint32_t hash_count;
    friend constexpr bool operator==(const compat_shape&, const compat_shape&) = default;
};

/// Guava up to 33.3: m truncated, k = round(m / n ln 2) from that m. n = 0 counts as 1, as in
/// Guava. The array that Guava allocates is m rounded up to a multiple of 64. Throws `bad_argument`
/// if Guava refuses: p outside (0, 1), m = 0, k above 255, 2^31 words or more.
[[nodiscard]] BLOOMERY_EXPORT compat_shape guava_shape(items n, rate p);

/// Guava from 33.4: the same m, k = round(-ln p / ln 2). Throws as `guava_shape`.
[[nodiscard]] BLOOMERY_EXPORT compat_shape guava_33_4_shape(items n, rate p);

/// bits-and-blooms for Go, EstimateParameters: both rounded up. Throws `bad_argument` for n = 0 and
/// p outside (0, 1), where Go returns nonsense.
[[nodiscard]] BLOOMERY_EXPORT compat_shape go_shape(items n, rate p);

/// Redisson: Guava's older rule, with at most 4294967294 bits. p = 0 means the smallest double, as
/// in Redisson. Throws `bad_argument` for n = 0, p outside [0, 1), m = 0 or m too large.
[[nodiscard]] BLOOMERY_EXPORT compat_shape redisson_shape(items n, rate p);

/// Spark: Guava's older rule. The array is m rounded up to a multiple of 64. Throws `bad_argument`
/// for n = 0, p outside (0, 1), m = 0 and 2^31 words or more.
[[nodiscard]] BLOOMERY_EXPORT compat_shape spark_shape(items n, rate p);

/// Spark's k for m bits chosen by the caller (m as given, not rounded up to 64), truncated to 32
/// bits as in Spark. Throws `bad_argument` for n = 0, m = 0 and 2^31 words or more.
[[nodiscard]] BLOOMERY_EXPORT hashes spark_hashes(items n, bits m);

/// DataSketches, create_by_accuracy: m rounded up, k = ceil(-ln p / ln 2). The array is m rounded
/// up to a multiple of 64. Throws `bad_argument` for n = 0, p outside (0, 1), more than 17179868920
/// bits.
[[nodiscard]] BLOOMERY_EXPORT compat_shape datasketches_shape(items n, rate p);

/// DataSketches, the suggested k for m bits: rounded up. Throws `bad_argument` for n = 0, m = 0, m
/// above 17179868920 and k above 65535, which its format cannot store.
[[nodiscard]] BLOOMERY_EXPORT hashes datasketches_hashes(items n, bits m);

/// DCSO bloom: m truncated (it rounds up a negative number), k rounded up. Throws `bad_argument`
/// for n = 0, p outside (0, 1) and m = 0, which would make it divide by zero.
[[nodiscard]] BLOOMERY_EXPORT compat_shape dcso_shape(items n, rate p);

/// hutool, BitSetBloomFilter(c, n, k): c * k bits in 32-bit arithmetic; n is not used. Throws
/// `bad_argument` if the result is 0 or negative, and for k below 1.
[[nodiscard]] BLOOMERY_EXPORT compat_shape hutool_bitset_shape(std::int32_t c, std::int32_t n,
                                                               std::int32_t k);

/// hutool, BitMapBloomFilter(m): the bits of each of its five maps, 2^23 for every five of m.
/// Throws `bad_argument` for m below 5, and for m of 40960 or more, where a map would have too many
/// words.
[[nodiscard]] BLOOMERY_EXPORT bits hutool_bitmap_bits(std::int32_t m);

/// Cassandra's table entry for a false-positive rate.
struct cassandra_spec {
    std::uint32_t hash_count;
    std::uint32_t bits_per_key;
    friend constexpr bool operator==(const cassandra_spec&, const cassandra_spec&) = default;
};

/// Cassandra: the fewest bits per key, and with them the fewest hashes, whose tabulated rate is at
/// most p. From 0.393 up it is 2 hashes and 1 bit, because upstream swapped the two. Throws
/// `bad_argument` for p below 6.71e-05, where the table ends, and above 1.
[[nodiscard]] BLOOMERY_EXPORT cassandra_spec cassandra_spec_for(rate p);

/// Cassandra: n times the bits per key, plus 20 bits, rounded up to a multiple of 64. Throws
/// `bad_argument` as `cassandra_spec_for`, for p = 1 (Cassandra keeps no filter then) and for 2^31
/// words or more.
[[nodiscard]] BLOOMERY_EXPORT compat_shape cassandra_shape(items n, rate p);

/// HBase, one chunk: m rounded up, k = ceil(ln 2 times the bits per key), with an integer division
/// for the bits per key. The chunk is m rounded up to whole bytes. Throws `bad_argument` for n = 0
/// and n of 2^31 or more, p outside (0, 1), 2^31 bytes or more, and a rate that gives k = 0.
[[nodiscard]] BLOOMERY_EXPORT compat_shape hbase_shape(items n, rate p);

/// parquet-java, optimalNumOfBits: between 256 and 2^30 + 255. Its rounding up to blocks clears
/// only bit 8, so the result is rarely a multiple of 256. Throws `bad_argument` for p outside (0,
/// 1).
[[nodiscard]] BLOOMERY_EXPORT bits parquet_bits(items n, rate p);

/// parquet-java, the size of the array for a requested number of bytes: rounded up to a power of
/// two, between 32 bytes and 128 MiB. Never throws.
[[nodiscard]] BLOOMERY_EXPORT bytes parquet_array(bytes wanted);

/// parquet-java, the size of the array for n keys at the rate p: `parquet_array` of `parquet_bits`,
/// ignoring the lower limit that a file writer may have configured. Throws as `parquet_bits`.
[[nodiscard]] BLOOMERY_EXPORT bytes parquet_bytes(items n, rate p);

/// Milvus's clients: a power of two of bytes, between 32 bytes and 128 MiB, for Parquet's blocks.
/// Throws `bad_argument` for p outside [0.0001, 0.05], as they do.
[[nodiscard]] BLOOMERY_EXPORT bytes milvus_bytes(items n, rate p);

/// LevelDB: at least 64 bits, whole bytes; k is 0.69 times the bits per key, from 1 to 30. Throws
/// `bad_argument` if n or the bits per key do not fit its int.
[[nodiscard]] BLOOMERY_EXPORT compat_shape leveldb_shape(items n, std::uint32_t bits_per_key);

/// RocksDB before format version 5, on processors with 64-byte cache lines: an odd number of lines;
/// the bits per key are rounded to an integer, k is as in LevelDB. Zero keys give zero bits. Throws
/// `bad_argument` for less than half a bit per key: RocksDB makes no filter then.
[[nodiscard]] BLOOMERY_EXPORT compat_shape rocksdb_legacy_shape(items n, double bits_per_key);

/// RocksDB from format version 5 on: whole 64-byte lines, at most 2^32 - 64 bytes; the bits per key
/// are rounded to thousandths, from 1 to 100. Zero keys give zero bits. Throws as the legacy one.
[[nodiscard]] BLOOMERY_EXPORT compat_shape rocksdb_shape(items n, double bits_per_key);

/// What RedisBloom stores about one filter of a chain.
struct redisbloom_layer {
    std::uint64_t byte_count;
    std::uint64_t bit_count; ///< eight per byte
    double bits_per_entry;
    std::uint32_t hash_count;
    std::uint64_t entries; ///< its capacity, before the next filter is added
    std::uint8_t power;    ///< positions are taken modulo 2^power, or modulo the bits if it is 0
    friend constexpr bool operator==(const redisbloom_layer&, const redisbloom_layer&) = default;
};

/// The RedisBloom options that matter here. BF.RESERVE always sets `redisbloom_no_round` (and 4,
/// for 64-bit hashes).
inline constexpr std::uint32_t redisbloom_no_round = 1;
inline constexpr std::uint32_t redisbloom_entries_are_power = 2;

/// RedisBloom, bloom_init. `error` is the rate of this filter: the first filter of a chain that may
/// grow has half the requested rate, and every further one half of the one before. Throws
/// `bad_argument` for zero entries, an error outside (0, 1) and a size of 2^63 bits or more.
[[nodiscard]] BLOOMERY_EXPORT redisbloom_layer redisbloom_shape(items entries, rate error,
                                                                std::uint32_t options);

// What other libraries report about their own filters, exactly: the same operations on doubles in
// the same order. `rates.hpp` has better estimates; these are for comparison.
//
// `ones` is the number of set bits, m the modulus that the library uses for positions (for Guava
// and Spark: whole 64-bit words). Every function is O(1).

/// Guava, expectedFpp: (ones / m)^k. Throws `bad_argument` if m or k is 0 or ones is above m.
[[nodiscard]] BLOOMERY_EXPORT double guava_expected_rate(std::uint64_t ones, bits m, hashes k);

/// Guava, approximateElementCount: -ln(1 - ones / m) m / k, rounded. Throws `bad_argument` as
/// `guava_expected_rate`, and if every bit is set, because Guava throws then.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t guava_approximate_count(std::uint64_t ones, bits m,
                                                                    hashes k);

/// bits-and-blooms for Go, ApproximatedSize. It has 32 bits and wraps around, and it is 0 if every
/// bit is set, as on x86-64. `ones` may exceed m in filters made from words. Never throws.
[[nodiscard]] BLOOMERY_EXPORT std::uint32_t go_approximated_size(std::uint64_t ones, bits m,
                                                                 hashes k);

/// Redisson, count(): 2^63 - 1 if every bit is set, 0 if the result is not a number. Never throws.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t redisson_count(std::uint64_t ones, bits m, hashes k);

/// Spark, expectedFpp: the same as Guava's. Throws as `guava_expected_rate`.
[[nodiscard]] BLOOMERY_EXPORT double spark_expected_rate(std::uint64_t ones, bits m, hashes k);

/// hutool, BitSetBloomFilter(c, n, k).getFalsePositiveProbability(): the textbook rate for n keys,
/// whatever was added. Throws as `hutool_bitset_shape`.
[[nodiscard]] BLOOMERY_EXPORT double hutool_rate(std::int32_t c, std::int32_t n, std::int32_t k);

} // namespace bloomery::inline v0::plan
