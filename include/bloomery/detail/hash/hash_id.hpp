// The number and the name of each hash, as used in files and on the command line.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace bloomery::inline v0::hash {

/// Which hash filled a filter. The numbers are part of the file format: they never change and are
/// never reused. Below 16: hashes of native filters; from 16: hashes of other systems; from 64:
/// string hashes from the literature, for filters that use them.
enum class hash_id : std::uint16_t {
    custom = 0, ///< the user's own; a file can only record that it is none of these
    xxh3_64 = 1,
    xxh3_128 = 2,
    siphash13_64 = 3,
    siphash13_128 = 4,
    siphash24_64 = 5,
    siphash24_128 = 6,
    murmur3_x64_128 = 16,
    murmur3_x86_32 = 17,
    murmur64a = 18,
    fnv1_64 = 19,
    fnv1a_64 = 20,
    fnv1_32 = 21,
    fnv1a_32 = 22,
    highway_64 = 23,
    highway_128 = 24,
    murmur2_32 = 25,
    murmur3_x64_128_signed = 26, ///< Cassandra's
    murmur3_x86_32_spark = 27,
    murmur2_32_hadoop = 28,
    lookup3 = 29,
    leveldb = 30,
    rocksdb = 31,  ///< RocksDB before format_version 5
    xxph3_64 = 32, ///< RocksDB from format_version 5 on
    xxh64 = 33,
    murmur3_x64_128_twice = 34, ///< Go's bloom
    fnv1a_64_four = 35,         ///< Go's bloom 2.0.0
    murmur64a_twice = 36,       ///< RedisBloom
    murmur2_32_twice = 37,      ///< RedisBloom without FORCE64
    xxh64_twice = 38,           ///< DataSketches
    murmur3_x86_32_spark_twice = 39,
    murmur2_32_hbase = 40,
    bkdr = 64,
    ap = 65,
    djb = 66,
    js = 67,
    rs = 68,
    sdbm = 69,
    pjw = 70,
    elf = 71,
    dek = 72,
    hf = 73,
    hf_ip = 74,
    tianl = 75,
    fnv_java = 76,
    java_string = 77,
    java_texts = 78, ///< several string hashes at once
    additive_eight = 79,
    java_object = 80,
};

/// Whether a native hash has a secret. O(1).
[[nodiscard]] constexpr bool is_keyed(hash_id id) noexcept {
    return id == hash_id::siphash13_64 || id == hash_id::siphash13_128;
}

/// The width of a native hash in bits. 0 for hashes of other systems, whose width is not
/// considered. O(1).
[[nodiscard]] constexpr std::uint32_t digest_bits(hash_id id) noexcept {
    switch (id) {
    case hash_id::xxh3_64:
    case hash_id::siphash13_64:
    case hash_id::siphash24_64:
        return 64;
    case hash_id::xxh3_128:
    case hash_id::siphash13_128:
    case hash_id::siphash24_128:
        return 128;
    default:
        return 0;
    }
}

/// The name of a hash, or "unknown" for an unknown number, as in a file of a later version.
/// O(number of hashes).
[[nodiscard]] BLOOMERY_EXPORT std::string_view name(hash_id id) noexcept;

/// A hash and its name.
struct hash_name {
    hash_id id;
    std::string_view name;
};

/// All hashes and their names, in the order of their numbers. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::span<const hash_name> all_hash_names() noexcept;

} // namespace bloomery::inline v0::hash
