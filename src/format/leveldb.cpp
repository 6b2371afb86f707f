// LevelDB's filter block entries: the bits, and a byte with the number of hashes.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "constant_filter.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

constexpr std::size_t smallest_leveldb = 9; // LevelDB writes at least 64 bits, and a byte
constexpr std::uint32_t most_leveldb_probes = 30;

std::uint32_t last_byte(byte_view bytes) { return std::to_integer<std::uint32_t>(bytes.back()); }

likeness looks_like_leveldb(byte_view bytes) {
    return bytes.size() >= smallest_leveldb && last_byte(bytes) >= 1 &&
                   last_byte(bytes) <= most_leveldb_probes
               ? likeness::possible
               : likeness::no;
}

any_filter decode_leveldb(byte_view bytes, const foreign_options& options) {
    if (bytes.size() < 2) {
        return any_filter(std::in_place,
                          constant_filter(false, bytes, spec_of<leveldb_filter>(0, 0)));
    }
    const std::uint32_t k = last_byte(bytes);
    // With no probes, every key matches; more than 30 are reserved for future encodings, and match
    // everything until then.
    if (k == 0 || k > most_leveldb_probes) {
        check_limits(0, bytes.size(), options.limits);
        return any_filter(std::in_place,
                          constant_filter(true, bytes, spec_of<leveldb_filter>(0, 0)));
    }
    const byte_view array = bytes.first(bytes.size() - 1);
    return filter_of(spec_of<leveldb_filter>(std::uint64_t{array.size()} * 8, k), array,
                     bit_order::bytes_lsb, options.limits);
}

void encode_leveldb(const any_filter& source, const byte_consumer& write,
                    const foreign_options& /*options*/) {
    const spec what = source.spec();
    const auto* const constant = source.get_if<constant_filter>();
    if (constant != nullptr && what.scheme == layout::scheme_id::leveldb) {
        return write(constant->file());
    }
    require_type<leveldb_filter>(what, leveldb_format);
    if (what.shape.bit_count % 8 != 0 || what.shape.hash_count > most_leveldb_probes) {
        throw incompatible("LevelDB filters have whole bytes and at most 30 hashes per key");
    }
    write_array(source.words(), bit_order::bytes_lsb, what.shape.bit_count / 8, write);
    byte_writer k;
    k.little(static_cast<std::uint8_t>(what.shape.hash_count));
    write(k.bytes());
}

any_filter create_leveldb(const foreign_options& options) {
    if (options.m && options.k) {
        if (options.k->value > most_leveldb_probes) {
            throw bad_argument("LevelDB makes at most 30 hashes per key");
        }
        if (options.m->value > plan::max_bit_count / 2) {
            throw bad_argument("a filter cannot have that many bits; give fewer with bits");
        }
        const std::uint64_t m = bytes_for(options.m->value) * 8;
        return empty_filter(spec_of<leveldb_filter>(m, options.k->value), {});
    }
    if (!options.n) {
        throw bad_argument("a LevelDB filter is made from items and bits-per-key, or from bits "
                           "and hashes");
    }
    const double per_key = options.bits_per_item.value_or(10);
    // Written so that NaN fails too.
    if (!(per_key >= 0 && per_key <= std::numeric_limits<std::int32_t>::max()) ||
        per_key != std::floor(per_key)) {
        throw bad_argument("LevelDB takes a whole number of bits per key; give one with "
                           "bits-per-key");
    }
    const plan::compat_shape chosen =
        plan::leveldb_shape(*options.n, static_cast<std::uint32_t>(per_key));
    return empty_filter(spec_of<leveldb_filter>(chosen.bit_count, chosen.hash_count),
                        {options.n->value, 0});
}

std::vector<foreign_fact> leveldb_facts(const any_filter& /*of*/) {
    return {{"filter policy", "leveldb.BuiltinBloomFilter2"}};
}

} // namespace

const foreign_format leveldb_format{
    .name = "leveldb",
    .what = "LevelDB's built-in Bloom filter, as stored in a filter block",
    .keys = "bytes",
    .looks = looks_like_leveldb,
    .decode = decode_leveldb,
    .encode = encode_leveldb,
    .create = create_leveldb,
    .facts = leveldb_facts,
};

} // namespace bloomery::inline v0::format
