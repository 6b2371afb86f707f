// What Hadoop's two filters share: the header.
#pragma once

#include <bloomery/format/foreign.hpp>

#include "cursor.hpp"
#include "keeping.hpp"

#include <cstdint>

namespace bloomery::format {

/// What a file says besides its bits or counters.
struct hadoop_note {
    bool legacy = false; ///< the header of old, without a version: its hash is always Jenkins
};

/// The numbers in front of the bits or counters.
struct hadoop_header {
    hadoop_note note;
    std::uint32_t k = 0;
    unsigned hash_type = 0; ///< 0 Jenkins, 1 Murmur2
    std::uint32_t m = 0;
};

/// Throws bad_data, and unsupported for a version or a number of hashes that this one does not
/// have.
[[nodiscard]] hadoop_header read_hadoop_header(cursor& from);

/// Writes it. A legacy one has no room for the hash type. Throws std::bad_alloc.
void write_hadoop_header(byte_writer& to, const hadoop_header& header);

/// What a new filter is made from: m, k and the hash type (1 if nobody said). Throws bad_argument.
[[nodiscard]] hadoop_header new_hadoop_header(const foreign_options& options);

/// What is worth telling of a header.
[[nodiscard]] std::vector<foreign_fact> hadoop_facts(const any_filter& of, bool legacy);

/// A filter of either hash with its note: keeping<Jenkins, ...> or keeping<Murmur, ...>.
template <class Murmur, class Jenkins>
[[nodiscard]] hadoop_note hadoop_note_of(const any_filter& source) {
    if (const auto* const kept = source.get_if<keeping<Murmur, hadoop_note>>()) {
        return kept->note;
    }
    const auto* const kept = source.get_if<keeping<Jenkins, hadoop_note>>();
    return kept != nullptr ? kept->note : hadoop_note{};
}

/// The header of a filter that is there.
template <class Murmur, class Jenkins>
[[nodiscard]] hadoop_header hadoop_header_of(const any_filter& source) {
    const spec what = source.spec();
    return {hadoop_note_of<Murmur, Jenkins>(source), what.shape.hash_count,
            what.hash == Murmur::hash_type::id ? 1U : 0U,
            static_cast<std::uint32_t>(what.shape.bit_count)};
}

} // namespace bloomery::format
