// Hadoop's util.bloom.BloomFilter: version, k, hash type, size, the bits.
#include "hadoop.hpp"

#include <bloomery/error.hpp>

#include "../plan/text.hpp"
#include "foreign_parts.hpp"

#include <string>
#include <utility>

namespace bloomery::format {

namespace {

constexpr std::uint32_t hadoop_version = 0xffffffff; // -1
constexpr std::uint32_t most_hadoop_bits = 0x7fffffff;

likeness looks_like_hadoop(byte_view bytes) {
    try {
        cursor from(bytes);
        const hadoop_header header = read_hadoop_header(from);
        return from.left() == bytes_for(header.m) ? likeness::sure : likeness::no;
    } catch (const error&) {
        return likeness::no;
    }
}

template <class Filter>
any_filter keep(any_filter made, hadoop_note note) {
    return with_note<keeping<Filter, hadoop_note>>(std::move(made), note);
}

any_filter keep(any_filter made, const hadoop_header& header) {
    return header.hash_type == 1 ? keep<hadoop_filter>(std::move(made), header.note)
                                 : keep<hadoop_jenkins_filter>(std::move(made), header.note);
}

spec hadoop_spec(const hadoop_header& header) {
    return header.hash_type == 1 ? spec_of<hadoop_filter>(header.m, header.k)
                                 : spec_of<hadoop_jenkins_filter>(header.m, header.k);
}

any_filter decode_hadoop(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const hadoop_header header = read_hadoop_header(from);
    require_left(from.left(), bytes_for(header.m), "its array");
    return keep(filter_of(hadoop_spec(header), from.rest(), bit_order::bytes_lsb, options.limits),
                header);
}

void encode_hadoop(const any_filter& source, const byte_consumer& write,
                   const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_type<hadoop_filter, hadoop_jenkins_filter>(what, hadoop_format);
    if (what.shape.bit_count > most_hadoop_bits) {
        throw incompatible("Hadoop filters have fewer than 2^31 bits");
    }
    byte_writer to;
    write_hadoop_header(to, hadoop_header_of<hadoop_filter, hadoop_jenkins_filter>(source));
    write(to.bytes());
    write_array(source.words(), bit_order::bytes_lsb, bytes_for(what.shape.bit_count), write);
}

any_filter create_hadoop(const foreign_options& options) {
    const hadoop_header header = new_hadoop_header(options);
    return keep(empty_filter(hadoop_spec(header), {}), header);
}

std::vector<foreign_fact> hadoop_file_facts(const any_filter& of) {
    return hadoop_facts(of, hadoop_note_of<hadoop_filter, hadoop_jenkins_filter>(of).legacy);
}

} // namespace

hadoop_header read_hadoop_header(cursor& from) {
    hadoop_header header;
    const auto first = from.big<std::uint32_t>();
    if (first == hadoop_version) {
        header.k = from.big<std::uint32_t>();
        header.hash_type = from.big<std::uint8_t>();
    } else if (first != 0 && first >> 31U == 0) {
        header.note.legacy = true;
        header.k = first;
    } else {
        throw unsupported(
            "this is not a filter of Hadoop, or one of a version that is not known: it "
            "begins with the number " +
            std::to_string(static_cast<std::int32_t>(first)));
    }
    header.m = from.big<std::uint32_t>();
    if (header.k == 0 || header.k >> 31U != 0 || header.m == 0 || header.m > most_hadoop_bits ||
        header.hash_type > 1) {
        throw bad_data("this is not a filter of Hadoop: it has no hash or no bits, or a hash type "
                       "other than 0 and 1");
    }
    if (header.k > layout::hadoop_scheme::most_hashes) {
        throw unsupported("the filter makes " + plan::counted(header.k, "hash") +
                          " per key; of Hadoop's filters, those with up to " +
                          std::to_string(layout::hadoop_scheme::most_hashes) + " can be used");
    }
    return header;
}

void write_hadoop_header(byte_writer& to, const hadoop_header& header) {
    if (header.note.legacy) {
        to.big(header.k);
    } else {
        to.big(hadoop_version);
        to.big(header.k);
        to.big(static_cast<std::uint8_t>(header.hash_type));
    }
    to.big(header.m);
}

hadoop_header new_hadoop_header(const foreign_options& options) {
    if (!options.m || !options.k) {
        throw bad_argument("a filter of Hadoop is made from bits and hashes, and from hash-type (0 "
                           "Jenkins, 1 Murmur, which is the default): Hadoop has no formula for n "
                           "and p");
    }
    if (options.hash_type.value_or(1) > 1) {
        throw bad_argument("a filter of Hadoop has hash-type 0 (Jenkins) or 1 (Murmur)");
    }
    if (options.m->value == 0 || options.m->value > most_hadoop_bits || options.k->value == 0 ||
        options.k->value > layout::hadoop_scheme::most_hashes) {
        throw bad_argument("a filter of Hadoop has between 1 and " +
                           std::to_string(most_hadoop_bits) + " bits (bits) and between 1 and " +
                           std::to_string(layout::hadoop_scheme::most_hashes) +
                           " hashes per key (hashes)");
    }
    return {{},
            options.k->value,
            options.hash_type.value_or(1),
            static_cast<std::uint32_t>(options.m->value)};
}

std::vector<foreign_fact> hadoop_facts(const any_filter& of, bool legacy) {
    const bool murmur = of.spec().hash == hadoop_filter::hash_type::id;
    return {{"hashType", murmur ? "1 (Murmur)" : "0 (Jenkins)"},
            {"header", legacy ? "without a version" : "version -1"}};
}

const foreign_format hadoop_format{
    .name = "hadoop",
    .what = "Hadoop util.bloom.BloomFilter; hash-type 0 or 1 for a new one",
    .keys = "bytes",
    .looks = looks_like_hadoop,
    .decode = decode_hadoop,
    .encode = encode_hadoop,
    .create = create_hadoop,
    .facts = hadoop_file_facts,
};

} // namespace bloomery::format
