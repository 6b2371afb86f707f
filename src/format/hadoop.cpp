// Hadoop's util.bloom.BloomFilter: version, k, hash type, size, the bits; and CountingBloomFilter:
// the same header, then counters of four bits, sixteen in each 64-bit word.
#include <bloomery/detail/filter/nibble_counting.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "keeping.hpp"

#include <string>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint32_t hadoop_version = 0xffffffff; // -1
constexpr std::uint32_t most_hadoop_bits = 0x7fffffff;

/// The contents of a file besides its bits or counters.
struct hadoop_note {
    bool legacy = false; ///< the old header, without a version: its hash is always Jenkins
};

/// The numbers in front of the bits or counters.
struct hadoop_header {
    hadoop_note note;
    std::uint32_t k = 0;
    unsigned hash_type = 0; ///< 0 Jenkins, 1 Murmur2
    std::uint32_t m = 0;
};

/// Throws bad_data, and unsupported for an unknown version or number of hashes.
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
            "this is not a Hadoop filter, or one of an unknown version: it begins with the "
            "number " +
            std::to_string(static_cast<std::int32_t>(first)));
    }
    header.m = from.big<std::uint32_t>();
    if (header.k == 0 || header.k >> 31U != 0 || header.m == 0 || header.m > most_hadoop_bits ||
        header.hash_type > 1) {
        throw bad_data("this is not a Hadoop filter: it has no hashes or no bits, or a hash type "
                       "other than 0 and 1");
    }
    if (header.k > layout::hadoop_scheme::most_hashes) {
        throw unsupported("the filter makes " + plan::counted(header.k, "hash") +
                          " per key; Hadoop filters with at most " +
                          std::to_string(layout::hadoop_scheme::most_hashes) + " are supported");
    }
    return header;
}

/// A legacy header has no room for the hash type.
void write_hadoop_header(byte_writer& to, const hadoop_header& header) {
    if (header.note.legacy) {
        to.big(header.k);
    } else {
        to.big(hadoop_version, header.k, static_cast<std::uint8_t>(header.hash_type));
    }
    to.big(header.m);
}

/// The parameters of a new filter: m, k and the hash type (1 by default). Throws bad_argument.
hadoop_header new_hadoop_header(const foreign_options& options) {
    if (!options.m || !options.k) {
        throw bad_argument("a Hadoop filter is made from bits and hashes, and from hash-type (0 "
                           "Jenkins, 1 Murmur, the default): Hadoop has no formula for n and p");
    }
    if (options.hash_type.value_or(1) > 1) {
        throw bad_argument("a Hadoop filter has hash-type 0 (Jenkins) or 1 (Murmur)");
    }
    if (options.m->value == 0 || options.m->value > most_hadoop_bits || options.k->value == 0 ||
        options.k->value > layout::hadoop_scheme::most_hashes) {
        throw bad_argument("a Hadoop filter has between 1 and " + std::to_string(most_hadoop_bits) +
                           " bits (bits) and between 1 and " +
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

/// A filter of either hash with its note: keeping<Jenkins, ...> or keeping<Murmur, ...>.
template <class Murmur, class Jenkins>
hadoop_note hadoop_note_of(const any_filter& source) {
    if (const auto* const kept = source.get_if<keeping<Murmur, hadoop_note>>()) {
        return kept->note;
    }
    const auto* const kept = source.get_if<keeping<Jenkins, hadoop_note>>();
    return kept != nullptr ? kept->note : hadoop_note{};
}

/// The header of an existing filter.
template <class Murmur, class Jenkins>
hadoop_header hadoop_header_of(const any_filter& source) {
    const spec what = source.spec();
    return {hadoop_note_of<Murmur, Jenkins>(source), what.shape.hash_count,
            what.hash == Murmur::hash_type::id ? 1U : 0U,
            static_cast<std::uint32_t>(what.shape.bit_count)};
}

// Bits.

likeness looks_like_hadoop(byte_view bytes) {
    return sure_if_readable([&] {
        cursor from(bytes);
        const hadoop_header header = read_hadoop_header(from);
        return from.left() == bytes_for(header.m);
    });
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

// Counters.

using murmur_filter = hadoop_counting_filter;
using jenkins_filter = hadoop_jenkins_counting_filter;

std::uint64_t counter_bytes(std::uint64_t m) { return murmur_filter::words_for(bits{m}) * 8; }

likeness looks_like_hadoop_counting(byte_view bytes) {
    try {
        cursor from(bytes);
        const hadoop_header header = read_hadoop_header(from);
        if (from.left() != counter_bytes(header.m)) {
            return likeness::no;
        }
        // One word after k and 1 may be a Cassandra filter.
        return header.note.legacy && header.m == 1 ? likeness::possible : likeness::sure;
    } catch (const error&) {
        return likeness::no;
    }
}

template <class Filter>
any_filter keep_counting(const hadoop_header& header, storage::heap_words<> counters) {
    Filter made(bits{header.m}, hashes{header.k}, std::move(counters));
    return any_filter(std::in_place, keeping<Filter, hadoop_note>(std::move(made), header.note));
}

any_filter keep_counting(const hadoop_header& header, storage::heap_words<> counters) {
    return header.hash_type == 1 ? keep_counting<murmur_filter>(header, std::move(counters))
                                 : keep_counting<jenkins_filter>(header, std::move(counters));
}

any_filter decode_hadoop_counting(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const hadoop_header header = read_hadoop_header(from);
    require_left(from.left(), counter_bytes(header.m), "its array of counters");
    check_limits(header.k, from.left(), options.limits);
    auto counters = words_from(from.rest(), bit_order::words_be, from.left() / 8);
    const std::uint64_t used = header.m % 16;
    if (used != 0 && counters.data()[counters.word_count() - 1] >> (4 * used) != 0) {
        throw bad_data("the filter is damaged: a counter past its end is not 0; restore it from a "
                       "copy");
    }
    return keep_counting(header, std::move(counters));
}

void require_counting(const spec& what) {
    const bool fits =
        what.kind == filter_kind::counting && what.scheme == layout::scheme_id::hadoop &&
        (what.hash == murmur_filter::hash_type::id || what.hash == jenkins_filter::hash_type::id);
    if (!fits || what.shape.bit_count > 0x7fffffff) {
        throw incompatible("only a Hadoop counting filter can be written in the format "
                           "hadoop-counting, because bits have no counts; create a new one and "
                           "add the keys again");
    }
}

void encode_hadoop_counting(const any_filter& source, const byte_consumer& write,
                            const foreign_options& /*options*/) {
    require_counting(source.spec());
    byte_writer to;
    write_hadoop_header(to, hadoop_header_of<murmur_filter, jenkins_filter>(source));
    write(to.bytes());
    write_array(source.words(), bit_order::words_be, source.words().size() * 8, write);
}

any_filter create_hadoop_counting(const foreign_options& options) {
    const hadoop_header header = new_hadoop_header(options);
    return keep_counting(header, storage::heap_words<>(counter_bytes(header.m) / 8));
}

std::vector<foreign_fact> hadoop_counting_facts(const any_filter& of) {
    auto all = hadoop_facts(of, hadoop_note_of<murmur_filter, jenkins_filter>(of).legacy);
    all.push_back({"counters in use", std::to_string(of.stats().bits_set)});
    const auto* const murmur = of.get_if<keeping<murmur_filter, hadoop_note>>();
    const auto* const jenkins = of.get_if<keeping<jenkins_filter, hadoop_note>>();
    if (murmur != nullptr || jenkins != nullptr) {
        const auto stuck = murmur != nullptr ? murmur->stuck_counters() : jenkins->stuck_counters();
        all.push_back({"counters at 15", std::to_string(stuck)});
    }
    return all;
}

} // namespace

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

const foreign_format hadoop_counting_format{
    .name = "hadoop-counting",
    .what = "Hadoop util.bloom.CountingBloomFilter; hash-type 0 or 1 for a new one",
    .keys = "bytes",
    .looks = looks_like_hadoop_counting,
    .decode = decode_hadoop_counting,
    .encode = encode_hadoop_counting,
    .create = create_hadoop_counting,
    .facts = hadoop_counting_facts,
};

} // namespace bloomery::inline v0::format
