// Filters of other systems: the same class, with their hash and their scheme.
//
// All verbs of basic_filter work on them. Keys are the bytes that the original feeds its hash
// (docs/formats.md says which; key/ makes them of texts and numbers). format/foreign.hpp reads and
// writes their files.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/nibble_counting.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/foreign.hpp>
#include <bloomery/hash/function_hash.hpp>
#include <bloomery/hash/java_text.hpp>
#include <bloomery/layout/block_schemes.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/layout/foreign_schemes.hpp>
#include <bloomery/layout/java_schemes.hpp>
#include <bloomery/layout/redisson_split.hpp>
#include <bloomery/storage/words.hpp>

namespace bloomery {

/// A filter of another system, by its scheme and its hash.
template <class Scheme, class Hash>
using foreign_filter = basic_filter<layout::classic<Scheme>, Hash>;

/// Guava's, MURMUR128_MITZ_64.
using guava_filter = foreign_filter<layout::guava_64_scheme, hash::murmur3_x64_128_hash>;
/// Guava's, MURMUR128_MITZ_32.
using guava_32_filter = foreign_filter<layout::guava_32_scheme, hash::murmur3_x64_128_hash>;
/// Go's bits-and-blooms.
using go_filter = foreign_filter<layout::go_scheme, hash::go_hash>;
/// The same of version 2.0.0.
using go_fnv_filter = foreign_filter<layout::go_scheme, hash::go_fnv_hash>;
/// Redisson's.
using redisson_filter = foreign_filter<layout::redisson_scheme, hash::redisson_hash>;
/// Redisson's in shards, as bloomery keeps it in Redis: made from a plan::split_shape.
using redisson_split_filter = basic_filter<layout::redisson_split, hash::redisson_hash>;
/// Spark's, version 1.
using spark_1_filter = foreign_filter<layout::guava_32_scheme, hash::spark_hash>;
/// Spark's, version 2.
using spark_2_filter = foreign_filter<layout::spark_2_scheme, hash::spark_hash>;
/// Cassandra's.
using cassandra_filter = foreign_filter<layout::cassandra_scheme, hash::cassandra_hash>;
/// Hadoop's with Murmur2.
using hadoop_filter = foreign_filter<layout::hadoop_scheme, hash::hadoop_murmur_hash>;
/// Hadoop's with Jenkins' hash.
using hadoop_jenkins_filter = foreign_filter<layout::hadoop_scheme, hash::hadoop_jenkins_hash>;
/// Hadoop's counting one with Murmur2.
using hadoop_counting_filter = nibble_counting<layout::hadoop_scheme, hash::hadoop_murmur_hash>;
/// The same with Jenkins' hash.
using hadoop_jenkins_counting_filter =
    nibble_counting<layout::hadoop_scheme, hash::hadoop_jenkins_hash>;
/// A chunk of HBase's with Jenkins' hash.
using hbase_jenkins_filter = foreign_filter<layout::hbase_scheme, hash::hbase_lookup3_hash>;
/// The same with Murmur2.
using hbase_murmur2_filter = foreign_filter<layout::hbase_scheme, hash::hbase_murmur2_hash>;
/// The same with Murmur3.
using hbase_murmur3_filter = foreign_filter<layout::hbase_scheme, hash::hbase_murmur3_hash>;
/// A layer of RedisBloom's.
using redisbloom_filter = foreign_filter<layout::redisbloom_scheme, hash::redisbloom_hash>;
/// The same with hashes of 32 bits.
using redisbloom_32_filter = foreign_filter<layout::redisbloom_scheme, hash::redisbloom_32_hash>;
/// LevelDB's.
using leveldb_filter = foreign_filter<layout::leveldb_scheme, hash::leveldb_filter_hash>;
/// RocksDB's before format version 5.
using rocksdb_4_filter = foreign_filter<layout::rocksdb_4_scheme, hash::rocksdb_filter_hash>;
/// RocksDB's from format version 5.
using rocksdb_5_filter = foreign_filter<layout::rocksdb_5_scheme, hash::rocksdb_5_hash>;
/// Parquet's.
using parquet_filter = foreign_filter<layout::parquet_scheme, hash::parquet_hash>;
/// Apache DataSketches'.
using datasketches_filter = foreign_filter<layout::datasketches_scheme, hash::datasketches_hash>;
/// DCSO's.
using dcso_filter = foreign_filter<layout::dcso_scheme, hash::dcso_hash>;
/// Hutool's single ones over 32-bit words.
using hutool_32_filter = foreign_filter<layout::hutool_32_scheme, hash::java_text_hash>;
/// The same over 64-bit words.
using hutool_64_filter = foreign_filter<layout::hutool_64_scheme, hash::java_text_hash>;
/// Hutool's BitSetBloomFilter.
using hutool_set_filter = foreign_filter<layout::hutool_set_scheme, hash::java_texts_hash>;
/// Hutool's BitMapBloomFilter.
using hutool_map_filter = foreign_filter<layout::hutool_map_scheme, hash::java_texts_hash>;
/// That of eight multiplicative hashes.
using additive_8_filter = foreign_filter<layout::additive_8_scheme, hash::additive_eight_hash>;
/// That of six masks, mistakes included.
using hash_code_6_filter = foreign_filter<layout::hash_code_6_scheme, hash::java_object_hash>;
/// What that was meant to be.
using hash_code_6_mended_filter =
    foreign_filter<layout::hash_code_6_mended_scheme, hash::java_object_hash>;

/// Whether this version has the set of bits that a foreign spec describes: a scheme together with
/// one of its hashes, and a shape that the scheme can have. Of a split one, parameters[0] is the
/// number of shards; all others have no parameters. O(1).
[[nodiscard]] bool is_foreign(const spec& what) noexcept;

/// The empty filter of such a spec. O(w). Throws unsupported unless is_foreign(what), bad_argument,
/// memory_refused.
[[nodiscard]] any_filter make_foreign(const spec& what, design made_for = {});

/// The same over words filled elsewhere. O(1). Throws as above, and bad_argument if they do not
/// fit.
[[nodiscard]] any_filter make_foreign(const spec& what, storage::heap_words<> words,
                                      design made_for = {});

} // namespace bloomery
