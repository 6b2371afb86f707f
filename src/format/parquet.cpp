// Parquet's split-block filters: only the bitset, or with its header as in a file.
#include "parquet.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "thrift.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint64_t block_bytes = 32;
constexpr std::uint64_t most_parquet_bytes = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t probes = 8;

/// Reads a union whose only choice is its first one, an empty structure.
void expect_first_choice(thrift_reader& from, std::string_view what) {
    int chosen = 0;
    from.each_field([&](int id, thrift_type type) {
        chosen = type == thrift_type::structure ? id : 0;
        return false;
    });
    if (chosen != 1) {
        throw unsupported("the filter has " + std::string(what) +
                          " that this version does not know");
    }
}

likeness looks_like_parquet(byte_view bytes) {
    return sure_if_readable([&] {
        const parquet_header header = read_parquet_header(bytes);
        return bytes.size() - header.header_bytes == header.bitset_bytes;
    });
}

any_filter decode_parquet(byte_view bytes, const foreign_options& options) {
    const parquet_header header = read_parquet_header(bytes);
    const byte_view bitset = bytes.subspan(header.header_bytes);
    require_left(bitset.size(), header.bitset_bytes, "its bitset");
    return parquet_filter_of(bitset, options.limits);
}

any_filter decode_bitset(byte_view bytes, const foreign_options& options) {
    return parquet_filter_of(bytes, options.limits);
}

/// The bytes of the bitset, if Parquet can have such a filter.
std::uint64_t bitset_bytes(const any_filter& source) {
    const spec what = source.spec();
    require_type<parquet_filter>(what, parquet_format);
    if (what.shape.byte_count() > most_parquet_bytes) {
        throw incompatible("Parquet filters have less than 2 GiB; make a smaller one");
    }
    return what.shape.byte_count();
}

void encode_bitset(const any_filter& source, const byte_consumer& write,
                   const foreign_options& /*options*/) {
    write_array(source.words(), bit_order::bytes_lsb, bitset_bytes(source), write);
}

void encode_parquet(const any_filter& source, const byte_consumer& write,
                    const foreign_options& options) {
    using namespace std::string_view_literals;
    byte_writer to;
    to.put("\x15"sv); // field 1, a number of 32 bits
    std::uint64_t left = bitset_bytes(source) * 2;
    for (; left >= 0x80; left >>= 7U) {
        to.little(static_cast<std::uint8_t>(left | 0x80U));
    }
    to.little(static_cast<std::uint8_t>(left));
    // Three unions with their first choice each, an empty structure: split blocks, xxHash, not
    // compressed.
    to.put("\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv);
    write(to.bytes());
    encode_bitset(source, write, options);
}

any_filter create_parquet(const foreign_options& options) {
    if (options.k && options.k->value != probes) {
        throw bad_argument("Parquet filters have 8 hashes per key; leave out hashes");
    }
    bytes size{0};
    design made_for;
    if (options.m) {
        size = plan::parquet_array({bytes_for(options.m->value)});
    } else if (options.n) {
        const rate p = options.p.value_or(rate{0.01});
        size = plan::parquet_bytes(*options.n, p);
        made_for = {options.n->value, p.value};
    } else {
        throw bad_argument("a Parquet filter is made from items and rate, or from bits");
    }
    return empty_filter(spec_of<parquet_filter>(size.value * 8, probes), made_for);
}

} // namespace

parquet_header read_parquet_header(byte_view bytes) {
    thrift_reader from(bytes);
    std::optional<std::int64_t> size;
    unsigned choices = 0;
    from.each_field([&](int id, thrift_type type) {
        if (id == 1 && type == thrift_type::i32) {
            size = from.integer();
            return true;
        }
        if (id < 2 || id > 4 || type != thrift_type::structure) {
            return false;
        }
        expect_first_choice(from, id == 2 ? "an algorithm" : id == 3 ? "a hash" : "a compression");
        choices |= 1U << static_cast<unsigned>(id);
        return true;
    });
    if (!size || choices != 0b11100) {
        throw bad_data(
            "this is not a Parquet filter: its header lacks the size, the algorithm, the "
            "hash or the compression");
    }
    if (*size <= 0 || *size > static_cast<std::int64_t>(most_parquet_bytes) ||
        *size % static_cast<std::int64_t>(block_bytes) != 0) {
        throw bad_data("the filter is damaged: Parquet filters have whole blocks of 32 bytes, "
                       "but this one claims to have " +
                       std::to_string(*size) + " bytes; restore it from a copy");
    }
    return {bytes.size() - from.rest().size(), static_cast<std::uint64_t>(*size)};
}

any_filter parquet_filter_of(byte_view bitset, const limits& most) {
    if (bitset.empty() || bitset.size() % block_bytes != 0) {
        throw bad_data(
            "this is not a Parquet filter, or it is truncated: Parquet filters have whole blocks "
            "of 32 bytes, but this has " +
            in_bytes(bitset.size()));
    }
    return filter_of(spec_of<parquet_filter>(std::uint64_t{bitset.size()} * 8, probes), bitset,
                     bit_order::bytes_lsb, most);
}

const foreign_format parquet_format{
    .name = "parquet",
    .what = "Parquet's split-block filter with its header, as stored at bloom_filter_offset",
    .keys = "bytes",
    .looks = looks_like_parquet,
    .decode = decode_parquet,
    .encode = encode_parquet,
    .create = create_parquet,
};

const foreign_format parquet_bitset_format{
    .name = "parquet-bitset",
    .what = "the bitset of a Parquet filter alone; it is not recognised and has to be named",
    .keys = "bytes",
    .looks = looks_like_nothing,
    .decode = decode_bitset,
    .encode = encode_bitset,
    .create = create_parquet,
};

} // namespace bloomery::inline v0::format
