#include <bloomery/detail/hash/hash_id.hpp>

namespace bloomery::inline v0::hash {

namespace {

constexpr hash_name hash_names[] = {
    {hash_id::custom, "custom"},
    {hash_id::xxh3_64, "xxh3_64"},
    {hash_id::xxh3_128, "xxh3_128"},
    {hash_id::siphash13_64, "siphash13_64"},
    {hash_id::siphash13_128, "siphash13_128"},
    {hash_id::siphash24_64, "siphash24_64"},
    {hash_id::siphash24_128, "siphash24_128"},
    {hash_id::murmur3_x64_128, "murmur3_x64_128"},
    {hash_id::murmur3_x86_32, "murmur3_x86_32"},
    {hash_id::murmur64a, "murmur64a"},
    {hash_id::fnv1_64, "fnv1_64"},
    {hash_id::fnv1a_64, "fnv1a_64"},
    {hash_id::fnv1_32, "fnv1_32"},
    {hash_id::fnv1a_32, "fnv1a_32"},
    {hash_id::highway_64, "highway_64"},
    {hash_id::highway_128, "highway_128"},
    {hash_id::murmur2_32, "murmur2_32"},
    {hash_id::murmur3_x64_128_signed, "murmur3_x64_128_signed"},
    {hash_id::murmur3_x86_32_spark, "murmur3_x86_32_spark"},
    {hash_id::murmur2_32_hadoop, "murmur2_32_hadoop"},
    {hash_id::lookup3, "lookup3"},
    {hash_id::leveldb, "leveldb"},
    {hash_id::rocksdb, "rocksdb"},
    {hash_id::xxph3_64, "xxph3_64"},
    {hash_id::xxh64, "xxh64"},
    {hash_id::murmur3_x64_128_twice, "murmur3_x64_128_twice"},
    {hash_id::fnv1a_64_four, "fnv1a_64_four"},
    {hash_id::murmur64a_twice, "murmur64a_twice"},
    {hash_id::murmur2_32_twice, "murmur2_32_twice"},
    {hash_id::xxh64_twice, "xxh64_twice"},
    {hash_id::murmur3_x86_32_spark_twice, "murmur3_x86_32_spark_twice"},
    {hash_id::murmur2_32_hbase, "murmur2_32_hbase"},
    {hash_id::bkdr, "bkdr"},
    {hash_id::ap, "ap"},
    {hash_id::djb, "djb"},
    {hash_id::js, "js"},
    {hash_id::rs, "rs"},
    {hash_id::sdbm, "sdbm"},
    {hash_id::pjw, "pjw"},
    {hash_id::elf, "elf"},
    {hash_id::dek, "dek"},
    {hash_id::hf, "hf"},
    {hash_id::hf_ip, "hf_ip"},
    {hash_id::tianl, "tianl"},
    {hash_id::fnv_java, "fnv_java"},
    {hash_id::java_string, "java_string"},
    {hash_id::java_texts, "java_texts"},
    {hash_id::additive_eight, "additive_eight"},
    {hash_id::java_object, "java_object"},
};

} // namespace

std::span<const hash_name> all_hash_names() noexcept { return hash_names; }

std::string_view name(hash_id id) noexcept {
    for (const hash_name& known : hash_names) {
        if (known.id == id) {
            return known.name;
        }
    }
    return "unknown";
}

} // namespace bloomery::inline v0::hash
