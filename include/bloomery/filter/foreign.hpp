// Filters of other systems: the same class, with their hash and their scheme.
//
// They support all calls of basic_filter. Keys are the bytes that the original feeds to its hash
// (docs/formats.md lists them; key/ makes them from text and numbers). format/foreign.hpp reads and
// writes their files.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/nibble_counting.hpp>
#include <bloomery/detail/hash/foreign.hpp>
#include <bloomery/detail/hash/java_text.hpp>
#include <bloomery/detail/layout/block_schemes.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/detail/layout/java_schemes.hpp>
#include <bloomery/detail/layout/redisson_split.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/function_hash.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/storage/words.hpp>

namespace bloomery::inline v0 {

/// A filter of another system, given by its scheme and its hash.
template <class Scheme, class Hash>
using foreign_filter = basic_filter<layout::classic<Scheme>, Hash>;

/// Guava, MURMUR128_MITZ_64.
using guava_filter = foreign_filter<layout::guava_64_scheme, hash::murmur3_x64_128_hash>;
/// Guava, MURMUR128_MITZ_32.
using guava_32_filter = foreign_filter<layout::guava_32_scheme, hash::murmur3_x64_128_hash>;
/// bits-and-blooms for Go.
using go_filter = foreign_filter<layout::go_scheme, hash::go_hash>;
/// bits-and-blooms for Go, version 2.0.0.
using go_fnv_filter = foreign_filter<layout::go_scheme, hash::go_fnv_hash>;
/// Redisson.
using redisson_filter = foreign_filter<layout::redisson_scheme, hash::redisson_hash>;
/// Redisson, split into shards as bloomery stores it in Redis: made from a plan::split_shape.
using redisson_split_filter = basic_filter<layout::redisson_split, hash::redisson_hash>;
/// Spark, version 1.
using spark_1_filter = foreign_filter<layout::guava_32_scheme, hash::spark_hash>;
/// Spark, version 2.
using spark_2_filter = foreign_filter<layout::spark_2_scheme, hash::spark_hash>;
/// Cassandra.
using cassandra_filter = foreign_filter<layout::cassandra_scheme, hash::cassandra_hash>;
/// Hadoop with Murmur2.
using hadoop_filter = foreign_filter<layout::hadoop_scheme, hash::hadoop_murmur_hash>;
/// Hadoop with Jenkins' hash.
using hadoop_jenkins_filter = foreign_filter<layout::hadoop_scheme, hash::hadoop_jenkins_hash>;
/// Hadoop, counting, with Murmur2.
using hadoop_counting_filter = nibble_counting<layout::hadoop_scheme, hash::hadoop_murmur_hash>;
/// Hadoop, counting, with Jenkins' hash.
using hadoop_jenkins_counting_filter =
    nibble_counting<layout::hadoop_scheme, hash::hadoop_jenkins_hash>;
/// A chunk of an HBase filter, with Jenkins' hash.
using hbase_jenkins_filter = foreign_filter<layout::hbase_scheme, hash::hbase_lookup3_hash>;
/// A chunk of an HBase filter, with Murmur2.
using hbase_murmur2_filter = foreign_filter<layout::hbase_scheme, hash::hbase_murmur2_hash>;
/// A chunk of an HBase filter, with Murmur3.
using hbase_murmur3_filter = foreign_filter<layout::hbase_scheme, hash::hbase_murmur3_hash>;
/// A layer of a RedisBloom filter.
using redisbloom_filter = foreign_filter<layout::redisbloom_scheme, hash::redisbloom_hash>;
/// A layer of a RedisBloom filter with 32-bit hashes.
using redisbloom_32_filter = foreign_filter<layout::redisbloom_scheme, hash::redisbloom_32_hash>;
/// LevelDB.
using leveldb_filter = foreign_filter<layout::leveldb_scheme, hash::leveldb_filter_hash>;
/// RocksDB before format version 5.
using rocksdb_4_filter = foreign_filter<layout::rocksdb_4_scheme, hash::rocksdb_filter_hash>;
/// RocksDB from format version 5.
using rocksdb_5_filter = foreign_filter<layout::rocksdb_5_scheme, hash::rocksdb_5_hash>;
/// Parquet.
using parquet_filter = foreign_filter<layout::parquet_scheme, hash::parquet_hash>;
/// Apache DataSketches.
using datasketches_filter = foreign_filter<layout::datasketches_scheme, hash::datasketches_hash>;
/// DCSO bloom.
using dcso_filter = foreign_filter<layout::dcso_scheme, hash::dcso_hash>;
/// hutool's single filters over 32-bit words.
using hutool_32_filter = foreign_filter<layout::hutool_32_scheme, hash::java_text_hash>;
/// hutool's single filters over 64-bit words.
using hutool_64_filter = foreign_filter<layout::hutool_64_scheme, hash::java_text_hash>;
/// hutool's BitSetBloomFilter.
using hutool_set_filter = foreign_filter<layout::hutool_set_scheme, hash::java_texts_hash>;
/// hutool's BitMapBloomFilter.
using hutool_map_filter = foreign_filter<layout::hutool_map_scheme, hash::java_texts_hash>;
/// The tutorial filter with eight multiplicative hashes (additive-8).
using additive_8_filter = foreign_filter<layout::additive_8_scheme, hash::additive_eight_hash>;
/// The tutorial filter with six masks, including its mistakes (hash-code-6).
using hash_code_6_filter = foreign_filter<layout::hash_code_6_scheme, hash::java_object_hash>;
/// hash-code-6 without the mistakes.
using hash_code_6_mended_filter =
    foreign_filter<layout::hash_code_6_mended_scheme, hash::java_object_hash>;

/// Whether this version supports a foreign spec: a scheme with one of its hashes, and a shape that
/// the scheme can have. For a split filter, parameters[0] is the number of shards; all others have
/// no parameters. O(1).
[[nodiscard]] BLOOMERY_EXPORT bool is_foreign(const spec& what) noexcept;

/// An empty filter of such a spec. O(w). Throws unsupported unless is_foreign(what), bad_argument,
/// memory_refused.
[[nodiscard]] BLOOMERY_EXPORT any_filter make_foreign(const spec& what, design made_for = {});

/// As above, over existing words. O(1). Throws as above, and bad_argument if the words do not fit.
[[nodiscard]] BLOOMERY_EXPORT any_filter make_foreign(const spec& what, storage::heap_words<> words,
                                                      design made_for = {});

} // namespace bloomery::inline v0
