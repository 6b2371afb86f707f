// RocksDB's full filters: cache lines of 64 bytes, and a trailer of five bytes.
//
// Before format version 5, the trailer is the number of hashes and of lines. Since then, its first
// byte is 255, which older versions read as a negative number of hashes and answer with "maybe".
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "constant_filter.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <string>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

constexpr std::size_t trailer_bytes = 5;
constexpr std::uint64_t line_bytes = 64;
constexpr std::uint32_t most_rocksdb_probes = 30;

enum marker : std::uint8_t {
    no_probe = 0,
    most_of_legacy = 127,
    ribbon = 254,
    local_bloom = 255,
};

struct trailer {
    std::uint8_t first;  ///< the hashes of a legacy filter, or a marker
    std::uint32_t lines; ///< of a legacy filter
    std::uint32_t k;     ///< of a newer one
    bool known;          ///< whether a newer one is valid
};

/// For bytes that are longer than a trailer.
trailer trailer_of(byte_view bytes) {
    cursor whole(bytes.last(trailer_bytes));
    trailer read{};
    read.first = whole.little<std::uint8_t>();
    cursor newer(whole.rest());
    read.lines = whole.little<std::uint32_t>();
    const auto kind = newer.little<std::uint8_t>();
    read.k = newer.little<std::uint8_t>();
    read.known = kind == 0 && newer.little<std::uint16_t>() == 0 && read.k >= 1 &&
                 read.k <= most_rocksdb_probes;
    return read;
}

std::uint64_t data_bytes(byte_view bytes) { return bytes.size() - trailer_bytes; }

template <bool Newer>
likeness looks_like_rocksdb(byte_view bytes) {
    if (bytes.size() <= trailer_bytes) {
        return likeness::no;
    }
    const trailer read = trailer_of(bytes);
    return sure_if(Newer ? read.first == local_bloom && read.known &&
                               data_bytes(bytes) % line_bytes == 0
                         : read.first >= 1 && read.first <= most_rocksdb_probes &&
                               data_bytes(bytes) == read.lines * line_bytes);
}

any_filter constant(bool answer, byte_view bytes) {
    return any_filter(std::in_place,
                      constant_filter(answer, bytes, spec_of<rocksdb_5_filter>(0, 0)));
}

spec legacy_spec(const trailer& read, byte_view bytes) {
    if (read.first > most_of_legacy) {
        throw unsupported("the filter has a type that RocksDB reserves (" +
                          std::to_string(read.first) + "), which this version does not know");
    }
    const std::uint64_t size = data_bytes(bytes);
    if (read.lines != 0 && size != read.lines * line_bytes && size % read.lines == 0) {
        throw unsupported("the filter has cache lines of " + in_bytes(size / read.lines) +
                          ", as RocksDB makes them on other processors; only 64-byte lines are "
                          "supported");
    }
    require_left(size, read.lines * line_bytes, "its array");
    return spec_of<rocksdb_4_filter>(size * 8, read.first);
}

spec newer_spec(const trailer& read, byte_view bytes) {
    if (!read.known) {
        throw unsupported("the filter has a type that RocksDB reserves: this version does not "
                          "know its last five bytes");
    }
    if (data_bytes(bytes) % line_bytes != 0) {
        throw bad_data("the filter is truncated or damaged: RocksDB filters have whole lines of "
                       "64 bytes followed by five bytes; restore it from a copy");
    }
    return spec_of<rocksdb_5_filter>(data_bytes(bytes) * 8, read.k);
}

template <bool Newer>
any_filter decode_rocksdb(byte_view bytes, const foreign_options& options) {
    if (bytes.size() <= trailer_bytes) {
        return constant(false, bytes); // it has no keys
    }
    const trailer read = trailer_of(bytes);
    if (read.first == no_probe) {
        check_limits(0, bytes.size(), options.limits);
        return constant(true, bytes);
    }
    if (read.first == ribbon) {
        throw unsupported(
            "this is a RocksDB Ribbon filter, which is not a Bloom filter; write the table again "
            "with a Bloom filter policy");
    }
    const bool newer = read.first == local_bloom;
    const spec what = newer ? newer_spec(read, bytes) : legacy_spec(read, bytes);
    require_format(Newer == newer, Newer ? rocksdb_5_format : rocksdb_format,
                   Newer ? rocksdb_format : rocksdb_5_format);
    return filter_of(what, bytes.first(bytes.size() - trailer_bytes), bit_order::bytes_lsb,
                     options.limits);
}

byte_writer trailer_for(bool newer, std::uint64_t bit_count, std::uint32_t k) {
    byte_writer to;
    if (newer) {
        to.little(static_cast<std::uint8_t>(local_bloom), std::uint8_t{0},
                  static_cast<std::uint8_t>(k), std::uint16_t{0});
    } else {
        to.little(static_cast<std::uint8_t>(k),
                  static_cast<std::uint32_t>(bit_count / 8 / line_bytes));
    }
    return to;
}

template <bool Newer>
void encode_rocksdb(const any_filter& source, const byte_consumer& write,
                    const foreign_options& /*options*/) {
    const spec what = source.spec();
    const auto* const constant = source.get_if<constant_filter>();
    if (constant != nullptr && what.scheme == layout::scheme_id::rocksdb_5) {
        return write(constant->file());
    }
    Newer ? require_type<rocksdb_5_filter>(what, rocksdb_5_format)
          : require_type<rocksdb_4_filter>(what, rocksdb_format);
    if (Newer && what.shape.hash_count > most_rocksdb_probes) {
        throw incompatible("RocksDB makes at most 30 hashes per key");
    }
    write_array(source.words(), bit_order::bytes_lsb, what.shape.byte_count(), write);
    write(trailer_for(Newer, what.shape.bit_count, what.shape.hash_count).bytes());
}

spec rocksdb_spec(bool newer, std::uint64_t bit_count, std::uint32_t k) {
    return newer ? spec_of<rocksdb_5_filter>(bit_count, k)
                 : spec_of<rocksdb_4_filter>(bit_count, k);
}

any_filter explicit_filter(bool newer, bits m, hashes k) {
    if (k.value > most_rocksdb_probes) {
        throw bad_argument("RocksDB makes at most 30 hashes per key");
    }
    const std::uint64_t lines = units_for(m.value, line_bytes * 8);
    const std::uint64_t taken = newer ? lines : lines | 1U; // an even number would waste hash bits
    if (taken >= std::uint64_t{1} << 26U) {
        throw bad_argument("RocksDB filters have less than 4 GiB; give fewer bits");
    }
    return empty_filter(rocksdb_spec(newer, taken * 512, k.value), {});
}

any_filter new_filter(bool newer, const foreign_options& options) {
    if (options.m && options.k) {
        return explicit_filter(newer, *options.m, *options.k);
    }
    if (!options.n) {
        throw bad_argument("a RocksDB filter is made from items and bits-per-key, or from bits "
                           "and hashes");
    }
    const double per_key = options.bits_per_item.value_or(10);
    const plan::compat_shape chosen = newer ? plan::rocksdb_shape(*options.n, per_key)
                                            : plan::rocksdb_legacy_shape(*options.n, per_key);
    if (chosen.bit_count == 0) {
        return constant(false, trailer_for(newer, 0, chosen.hash_count).bytes());
    }
    return empty_filter(rocksdb_spec(newer, chosen.bit_count, chosen.hash_count),
                        {options.n->value, 0});
}

template <bool Newer>
constexpr foreign_format full_filter(std::string_view name, std::string_view what) {
    return {
        .name = name,
        .what = what,
        .keys = "bytes",
        .looks = looks_like_rocksdb<Newer>,
        .decode = decode_rocksdb<Newer>,
        .encode = encode_rocksdb<Newer>,
        .create = [](const foreign_options& options) { return new_filter(Newer, options); },
    };
}

} // namespace

const foreign_format rocksdb_format = full_filter<false>(
    "rocksdb", "RocksDB full filter of format versions below 5, as stored in a filter block");
const foreign_format rocksdb_5_format = full_filter<true>(
    "rocksdb-5", "RocksDB full filter of format version 5 and later (not Ribbon)");

} // namespace bloomery::inline v0::format
