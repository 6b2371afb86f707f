// The hashes of other systems' filters as hash objects: everything that their schemes need of a
// key.
// None is mixed further: the scheme uses exactly what the original computes. Keys are the bytes
// that the original feeds to its hash; key/ has the encodings of strings and numbers.
#pragma once

#include <bloomery/detail/hash/fnv.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/highway.hpp>
#include <bloomery/detail/hash/java_murmur.hpp>
#include <bloomery/detail/hash/leveldb.hpp>
#include <bloomery/detail/hash/lookup3.hpp>
#include <bloomery/detail/hash/murmur.hpp>
#include <bloomery/detail/hash/xxh64.hpp>
#include <bloomery/detail/hash/xxph3.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::inline v0::hash {

/// A function of bytes and a seed or key as the hash of a foreign filter: 32 bits stay 32 bits.
template <auto Fn, auto Seed, hash_id Id, class Digest = digest64>
struct plain_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = true;

    /// The digest of a byte key. O(key).
    BLOOMERY_OWN_COPY Digest operator()(byte_view key) const noexcept { return {Fn(key, Seed)}; }
    friend constexpr bool operator==(plain_hash, plain_hash) = default;
};

/// Parquet's.
using parquet_hash = plain_hash<xxh64, std::uint64_t{0}, hash_id::xxh64>;
/// LevelDB's.
using leveldb_filter_hash = plain_hash<leveldb_hash, leveldb_filter_seed, hash_id::leveldb>;
/// RocksDB's before format version 5.
using rocksdb_filter_hash = plain_hash<rocksdb_hash, leveldb_filter_seed, hash_id::rocksdb>;
/// RocksDB's from format version 5.
using rocksdb_5_hash = plain_hash<xxph3_64, std::uint64_t{0}, hash_id::xxph3_64>;
/// DCSO's.
using dcso_hash = plain_hash<fnv1_64, fnv_start_64, hash_id::fnv1_64>;
/// Cassandra's, 128 bits.
using cassandra_hash = plain_hash<murmur3_x64_128_signed, std::uint64_t{0},
                                  hash_id::murmur3_x64_128_signed, digest128>;
/// Redisson's: HighwayHash under a key that everybody knows.
using redisson_hash = plain_hash<highwayhash_128,
                                 highway_key{{0x9e3779b97f4a7c15, 0xf39cc0605cedc834,
                                              0x1082276bf3a27251, 0xf86c6a11d0c18e95}},
                                 hash_id::highway_128, digest128>;

/// A 32-bit hash applied twice, the second time seeded with the first: the two halves of a
/// digest64.
template <auto Fn, hash_id Id>
struct chained_32_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = true;

    std::uint32_t seed = 0;

    /// The digest of a byte key. O(key).
    BLOOMERY_OWN_COPY digest64 operator()(byte_view key) const noexcept {
        const std::uint32_t first = Fn(key, seed);
        return {std::uint64_t{Fn(key, first)} << 32U | first};
    }
    friend constexpr bool operator==(chained_32_hash, chained_32_hash) = default;
};

/// Spark's; version 1 has seed 0.
using spark_hash = chained_32_hash<murmur3_x86_32_spark, hash_id::murmur3_x86_32_spark_twice>;
/// HBase's, type 0.
using hbase_lookup3_hash = chained_32_hash<lookup3, hash_id::lookup3>;
/// HBase's, type 1.
using hbase_murmur2_hash = chained_32_hash<murmur2_32_hbase, hash_id::murmur2_32_hbase>;
/// HBase's, type 2.
using hbase_murmur3_hash = chained_32_hash<murmur3_x86_32, hash_id::murmur3_x86_32>;

/// A hash twice, the second seeded with the first: the two words of a digest128.
template <auto Fn, auto Seed, hash_id Id>
struct chained_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = true;

    /// The digest of a byte key. O(key).
    BLOOMERY_OWN_COPY digest128 operator()(byte_view key) const noexcept {
        const auto first = Fn(key, Seed);
        return {first, Fn(key, first)};
    }
    friend constexpr bool operator==(chained_hash, chained_hash) = default;
};

/// RedisBloom's.
using redisbloom_hash =
    chained_hash<murmur64a, std::uint64_t{0xc6a4a7935bd1e995}, hash_id::murmur64a_twice>;
/// The same in 32 bits, for filters of RedisBloom made without its option for 64.
using redisbloom_32_hash =
    chained_hash<murmur2_32, std::uint32_t{0x9747b28c}, hash_id::murmur2_32_twice>;

/// Apache DataSketches': XXH64 twice. The empty string is not a key; its digest is two zeros.
struct datasketches_hash {
    static constexpr hash_id id = hash_id::xxh64_twice;
    static constexpr bool is_avalanching = true;

    std::uint64_t seed = 0;

    /// The digest of a byte key. O(key).
    BLOOMERY_OWN_COPY digest128 operator()(byte_view key) const noexcept {
        if (key.empty()) {
            return {0, 0};
        }
        const std::uint64_t first = xxh64(key, seed);
        return {first, xxh64(key, first)};
    }
    friend constexpr bool operator==(datasketches_hash, datasketches_hash) = default;
};

/// bits-and-blooms': MurmurHash3 of the key, and of the key followed by a byte of 1.
struct go_hash {
    static constexpr hash_id id = hash_id::murmur3_x64_128_twice;
    static constexpr bool is_avalanching = true;

    /// The digest of a byte key. O(key); throws std::bad_alloc for one of more than 255 bytes.
    BLOOMERY_OWN_COPY digest_list<std::uint64_t, 4> operator()(byte_view key) const {
        const digest128 first = murmur3_x64_128(key);
        std::array<std::byte, 256> small;
        std::vector<std::byte> large;
        if (key.size() >= small.size()) {
            large.resize(key.size() + 1);
        }
        std::byte* const copy = large.empty() ? small.data() : large.data();
        std::copy(key.begin(), key.end(), copy);
        copy[key.size()] = std::byte{1};
        const digest128 second = murmur3_x64_128({copy, key.size() + 1});
        return {{first.low, first.high, second.low, second.high}};
    }
    friend constexpr bool operator==(go_hash, go_hash) = default;
};

/// bits-and-blooms' before its version 2.0.1: FNV-1a from four start values.
struct go_fnv_hash {
    static constexpr hash_id id = hash_id::fnv1a_64_four;
    static constexpr bool is_avalanching = true;

    /// The digest of a byte key. O(key).
    BLOOMERY_OWN_COPY digest_list<std::uint64_t, 4> operator()(byte_view key) const noexcept {
        return {{fnv1a_64(key, fnv_start_64), fnv1a_64(key, fnv_start_64 + 1),
                 fnv1a_64(key, fnv_start_64 + 2), fnv1a_64(key, fnv_start_64 + 3)}};
    }
    friend constexpr bool operator==(go_fnv_hash, go_fnv_hash) = default;
};

/// Hadoop's: as many hashes as the filter makes probes, each the seed of the next.
template <auto Fn, hash_id Id>
struct hadoop_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = true;
    static constexpr bool may_throw = true;

    std::uint32_t count = 255; ///< how many are made: the filter's hash_count, at most 255

    /// The digest of a byte key. O(key) for each probe. Throws no_place for the empty key, which
    /// the original refuses.
    BLOOMERY_OWN_COPY digest_list<std::uint32_t, 255> operator()(byte_view key) const {
        if (key.empty()) {
            throw no_place("a Hadoop filter does not accept an empty key; Hadoop itself throws "
                           "for one");
        }
        digest_list<std::uint32_t, 255> chain; // NOLINT: only the first `count` are read
        std::uint32_t hashed = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            hashed = Fn(key, hashed);
            chain.words[i] = hashed;
        }
        return chain;
    }
    /// Always equal: the number of hashes that are made at once does not matter.
    friend constexpr bool operator==(hadoop_hash, hadoop_hash) noexcept { return true; }
};

/// Hadoop's, type 0.
using hadoop_jenkins_hash = hadoop_hash<lookup3, hash_id::lookup3>;
/// Hadoop's, type 1.
using hadoop_murmur_hash = hadoop_hash<murmur2_32_hadoop, hash_id::murmur2_32_hadoop>;

} // namespace bloomery::inline v0::hash
