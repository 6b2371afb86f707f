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
#include <bloomery/storage/words.hpp>

namespace bloomery {

/// A filter of another system, by its scheme and its hash.
template <class Scheme, class Hash>
using foreign_filter = basic_filter<layout::classic<Scheme>, Hash>;

using guava_filter = foreign_filter<layout::guava_64_scheme, hash::murmur3_x64_128_hash>;
using guava_32_filter = foreign_filter<layout::guava_32_scheme, hash::murmur3_x64_128_hash>;
using go_filter = foreign_filter<layout::go_scheme, hash::go_hash>;
using go_fnv_filter = foreign_filter<layout::go_scheme, hash::go_fnv_hash>;
using redisson_filter = foreign_filter<layout::redisson_scheme, hash::redisson_hash>;
using spark_1_filter = foreign_filter<layout::guava_32_scheme, hash::spark_hash>;
using spark_2_filter = foreign_filter<layout::spark_2_scheme, hash::spark_hash>;
using cassandra_filter = foreign_filter<layout::cassandra_scheme, hash::cassandra_hash>;
using hadoop_filter = foreign_filter<layout::hadoop_scheme, hash::hadoop_murmur_hash>;
using hadoop_jenkins_filter = foreign_filter<layout::hadoop_scheme, hash::hadoop_jenkins_hash>;
using hadoop_counting_filter = nibble_counting<layout::hadoop_scheme, hash::hadoop_murmur_hash>;
using hadoop_jenkins_counting_filter =
    nibble_counting<layout::hadoop_scheme, hash::hadoop_jenkins_hash>;
using hbase_jenkins_filter = foreign_filter<layout::hbase_scheme, hash::hbase_lookup3_hash>;
using hbase_murmur2_filter = foreign_filter<layout::hbase_scheme, hash::hbase_murmur2_hash>;
using hbase_murmur3_filter = foreign_filter<layout::hbase_scheme, hash::hbase_murmur3_hash>;
using redisbloom_filter = foreign_filter<layout::redisbloom_scheme, hash::redisbloom_hash>;
using redisbloom_32_filter = foreign_filter<layout::redisbloom_scheme, hash::redisbloom_32_hash>;
using leveldb_filter = foreign_filter<layout::leveldb_scheme, hash::leveldb_filter_hash>;
using rocksdb_4_filter = foreign_filter<layout::rocksdb_4_scheme, hash::rocksdb_filter_hash>;
using rocksdb_5_filter = foreign_filter<layout::rocksdb_5_scheme, hash::rocksdb_5_hash>;
using parquet_filter = foreign_filter<layout::parquet_scheme, hash::parquet_hash>;
using datasketches_filter = foreign_filter<layout::datasketches_scheme, hash::datasketches_hash>;
using dcso_filter = foreign_filter<layout::dcso_scheme, hash::dcso_hash>;
using hutool_32_filter = foreign_filter<layout::hutool_32_scheme, hash::java_text_hash>;
using hutool_64_filter = foreign_filter<layout::hutool_64_scheme, hash::java_text_hash>;
using hutool_set_filter = foreign_filter<layout::hutool_set_scheme, hash::java_texts_hash>;
using hutool_map_filter = foreign_filter<layout::hutool_map_scheme, hash::java_texts_hash>;
using additive_8_filter = foreign_filter<layout::additive_8_scheme, hash::additive_eight_hash>;
using hash_code_6_filter = foreign_filter<layout::hash_code_6_scheme, hash::java_object_hash>;
using hash_code_6_mended_filter =
    foreign_filter<layout::hash_code_6_mended_scheme, hash::java_object_hash>;

/// Whether this version has the set of bits that a foreign spec describes: a scheme together with
/// one of its hashes, and a shape that the scheme can have. O(1).
[[nodiscard]] bool is_foreign(const spec& what) noexcept;

/// The empty filter of such a spec. O(w). Throws unsupported unless is_foreign(what), bad_argument,
/// memory_refused.
[[nodiscard]] any_filter make_foreign(const spec& what, design made_for = {});

/// The same over words filled elsewhere. O(1). Throws as above, and bad_argument if they do not
/// fit.
[[nodiscard]] any_filter make_foreign(const spec& what, storage::heap_words<> words,
                                      design made_for = {});

} // namespace bloomery
