// Cassandra's Filter.db: k, number of words, the words; before 4.0 each of them big-endian.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint64_t most_words = (std::uint64_t{1} << 31U) - 1;

/// The header does not contain the byte order, so neither form can be certain.
likeness looks_like_cassandra(byte_view bytes) {
    constexpr std::uint32_t most_hashes = 14; // in Cassandra's table of rates
    if (bytes.size() < 16) {
        return likeness::no;
    }
    cursor from(bytes);
    const auto k = from.big<std::uint32_t>();
    const std::uint64_t words = from.big<std::uint32_t>();
    const bool fits = k != 0 && k <= most_hashes && words <= most_words && from.left() == words * 8;
    return fits ? likeness::possible : likeness::no;
}

template <bit_order Order>
any_filter decode_cassandra(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const auto k = from.big<std::uint32_t>();
    const std::uint64_t words = from.big<std::uint32_t>();
    if (k == 0 || k >> 31U != 0 || words == 0 || words > most_words) {
        throw bad_data("this is not a Filter.db: its number of hashes or words is out of range");
    }
    require_left(from.left(), words * 8, "its array");
    return filter_of(spec_of<cassandra_filter>(words * 64, k), from.rest(), Order, options.limits);
}

template <bit_order Order, const foreign_format& Format>
void encode_cassandra(const any_filter& source, const byte_consumer& write,
                      const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_type<cassandra_filter>(what, Format);
    if (what.shape.bit_count % 64 != 0 || what.shape.bit_count / 64 > most_words) {
        throw incompatible("Cassandra filters have whole 64-bit words, fewer than 2^31 of them");
    }
    byte_writer to;
    to.big(what.shape.hash_count, static_cast<std::uint32_t>(what.shape.bit_count / 64));
    write(to.bytes());
    write_array(source.words(), Order, what.shape.byte_count(), write);
}

any_filter create_cassandra(const foreign_options& options) {
    const auto [shape, made_for] =
        new_size_of(options, plan::cassandra_shape,
                    "a Cassandra filter is made from items and rate, which is the table's "
                    "bloom_filter_fp_chance, or from bits and hashes");
    if (shape.bit_count > most_words * 64) {
        throw bad_argument("Cassandra stores fewer than 2^31 words; give fewer bits");
    }
    return empty_filter(
        spec_of<cassandra_filter>(words_for(shape.bit_count) * 64, shape.hash_count), made_for);
}

template <bit_order Order, const foreign_format& Format>
constexpr foreign_format filter_db(std::string_view name, std::string_view what) {
    return {
        .name = name,
        .what = what,
        .keys = "bytes",
        .looks = looks_like_cassandra,
        .decode = decode_cassandra<Order>,
        .encode = encode_cassandra<Order, Format>,
        .create = create_cassandra,
    };
}

} // namespace

const foreign_format cassandra_format = filter_db<bit_order::bytes_lsb, cassandra_format>(
    "cassandra", "Apache Cassandra Filter.db, from 4.0 on (sstable version na)");
const foreign_format cassandra_old_format = filter_db<bit_order::words_be, cassandra_old_format>(
    "cassandra-old", "Apache Cassandra Filter.db, before 4.0");

} // namespace bloomery::inline v0::format
