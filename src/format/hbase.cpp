// A chunk of HBase's compound Bloom filter: only bits. The number and type of hashes are stored
// once for all chunks, in the meta block of the HFile.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_parts.hpp"

#include <string>

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint64_t most_chunk_bytes = 0x7fffffff;

unsigned hash_type_of(const foreign_options& options) {
    if (!options.hash_type || *options.hash_type > 2) {
        throw bad_argument("an HBase chunk does not name its hash: give hash-type 0 (Jenkins), 1 "
                           "(Murmur) or 2 (Murmur3), as hashType in the HFile's Bloom meta says");
    }
    return *options.hash_type;
}

spec hbase_spec(unsigned hash_type, std::uint64_t byte_count, std::uint64_t k) {
    switch (hash_type) {
    case 0:
        return spec_of<hbase_jenkins_filter>(byte_count * 8, k);
    case 1:
        return spec_of<hbase_murmur2_filter>(byte_count * 8, k);
    default:
        return spec_of<hbase_murmur3_filter>(byte_count * 8, k);
    }
}

any_filter decode_hbase(byte_view bytes, const foreign_options& options) {
    const unsigned hash_type = hash_type_of(options);
    if (!options.k || options.k->value == 0) {
        throw bad_argument(
            "an HBase chunk does not contain the number of hashes: give hashes, as hashCount in "
            "the HFile's Bloom meta says");
    }
    if (bytes.empty() || bytes.size() > most_chunk_bytes) {
        throw bad_data("this is not an HBase chunk: it must have between 1 and " +
                       std::to_string(most_chunk_bytes) + " bytes");
    }
    return filter_of(hbase_spec(hash_type, bytes.size(), options.k->value), bytes,
                     bit_order::bytes_lsb, options.limits);
}

void encode_hbase(const any_filter& source, const byte_consumer& write,
                  const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_type<hbase_jenkins_filter, hbase_murmur2_filter, hbase_murmur3_filter>(what,
                                                                                   hbase_format);
    if (what.shape.bit_count % 8 != 0 || what.shape.bit_count / 8 > most_chunk_bytes) {
        throw incompatible("HBase chunks have whole bytes, fewer than 2^31 of them");
    }
    write_array(source.words(), bit_order::bytes_lsb, what.shape.bit_count / 8, write);
}

any_filter create_hbase(const foreign_options& options) {
    const unsigned hash_type = hash_type_of(options);
    const auto [shape, made_for] = new_size_of(
        options, plan::hbase_shape,
        "an HBase chunk is made from items and rate, or from bits and hashes, and from hash-type");
    const std::uint64_t byte_count = bytes_for(shape.bit_count);
    if (byte_count > most_chunk_bytes) {
        throw bad_argument("an HBase chunk has fewer than 2^31 bytes");
    }
    return empty_filter(hbase_spec(hash_type, byte_count, shape.hash_count), made_for);
}

std::vector<foreign_fact> hbase_facts(const any_filter& of) {
    const hash::hash_id hash = of.spec().hash;
    std::string type = "2 (Murmur3)";
    if (hash == hbase_jenkins_filter::hash_type::id) {
        type = "0 (Jenkins)";
    } else if (hash == hbase_murmur2_filter::hash_type::id) {
        type = "1 (Murmur)";
    }
    return {{"hashType", type}, {"byteSize", std::to_string(of.spec().shape.bit_count / 8)}};
}

} // namespace

const foreign_format hbase_format{
    .name = "hbase",
    .what = "a chunk of HBase's compound Bloom filter: bits only",
    .keys = "bytes",
    .needs = "hashes and hash-type",
    .looks = looks_like_nothing,
    .decode = decode_hbase,
    .encode = encode_hbase,
    .create = create_hbase,
    .facts = hbase_facts,
};

} // namespace bloomery::inline v0::format
