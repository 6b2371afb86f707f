// Hadoop's util.bloom.CountingBloomFilter: the header of the plain filter, then counters of four
// bits, sixteen in each 64-bit word.
#include <bloomery/error.hpp>
#include <bloomery/filter/nibble_counting.hpp>

#include "foreign_parts.hpp"
#include "hadoop.hpp"

#include <string>
#include <utility>

namespace bloomery::format {

namespace {

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
        // One word behind k and 1 may be a filter of Cassandra.
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
        throw incompatible("only a counting filter of Hadoop can be written in the format "
                           "hadoop-counting: bits have no counts to give; make a new one and "
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

} // namespace bloomery::format
