// Guava's BloomFilter.writeTo: strategy, k, number of words, the words big-endian.
#include "guava.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/compat_statistics.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "java_double.hpp"

#include <string>

namespace bloomery::format {

namespace {

constexpr std::size_t guava_header_bytes = 6;

/// A file is as long as it says; its first byte is the strategy.
template <std::uint8_t Strategy>
likeness looks_like_guava(byte_view bytes) {
    if (bytes.size() < guava_header_bytes + 8) {
        return likeness::no;
    }
    cursor from(bytes);
    const auto strategy = from.big<std::uint8_t>();
    const auto k = from.big<std::uint8_t>();
    const std::uint64_t words = from.big<std::uint32_t>();
    return strategy == Strategy && k != 0 && from.left() == words * 8 ? likeness::sure
                                                                      : likeness::no;
}

template <bool Wide>
any_filter decode_guava(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const auto strategy = from.big<std::uint8_t>();
    if (strategy > 1) {
        throw bad_data("this is not a Guava filter: it names the strategy " +
                       std::to_string(strategy) + ", and there are 0 and 1");
    }
    const auto k = from.big<std::uint8_t>();
    const std::uint64_t words = from.big<std::uint32_t>();
    if (k == 0 || words == 0 || words >= std::uint64_t{1} << 31U) {
        throw bad_data("this is not a Guava filter: it has no hash, no word, or too many words");
    }
    require_left(from.left(), words * 8, "its array");
    require_format(Wide == (strategy == 1), Wide ? guava_format : guava_32_format,
                   Wide ? guava_32_format : guava_format);
    return filter_of(guava_spec(Wide, words * 64, k), from.rest(), bit_order::words_be,
                     options.limits);
}

template <bool Wide>
void encode_guava(const any_filter& source, const byte_consumer& write,
                  const foreign_options& /*options*/) {
    const spec what = source.spec();
    Wide ? require_type<guava_filter>(what, guava_format)
         : require_type<guava_32_filter>(what, guava_32_format);
    require_guava(what, guava_format);
    byte_writer to;
    to.big(static_cast<std::uint8_t>(Wide ? 1 : 0));
    to.big(static_cast<std::uint8_t>(what.shape.hash_count));
    to.big(static_cast<std::uint32_t>(what.shape.bit_count / 64));
    write(to.bytes());
    write_array(source.words(), bit_order::words_be, what.shape.byte_count(), write);
}

any_filter create_guava(const foreign_options& options) { return new_guava(true, options); }

any_filter create_32(const foreign_options& options) { return new_guava(false, options); }

} // namespace

spec guava_spec(bool wide, std::uint64_t bit_count, std::uint64_t k) {
    return wide ? spec_of<guava_filter>(bit_count, k) : spec_of<guava_32_filter>(bit_count, k);
}

void require_guava(const spec& what, const foreign_format& format) {
    require_type<guava_filter, guava_32_filter>(what, format);
    if (what.shape.bit_count % 64 != 0 || what.shape.bit_count / 64 >= std::uint64_t{1} << 31U ||
        what.shape.hash_count > 255) {
        throw incompatible("Guava filters have whole 64-bit words, fewer than 2^31 of them, and "
                           "at most 255 hashes per key");
    }
}

any_filter new_guava(bool wide, const foreign_options& options) {
    if (options.m && options.k) {
        if (options.k->value > 255) {
            throw bad_argument("Guava makes at most 255 hashes per key");
        }
        return empty_filter(guava_spec(wide, words_for(options.m->value) * 64, options.k->value),
                            {});
    }
    if (!options.n) {
        throw bad_argument("a Guava filter is made from items and rate, or from bits and hashes");
    }
    const rate p = options.p.value_or(rate{0.03});
    const plan::compat_shape chosen = plan::guava_33_4_shape(*options.n, p);
    return empty_filter(guava_spec(wide, words_for(chosen.bit_count) * 64, chosen.hash_count),
                        {options.n->value, p.value});
}

std::vector<foreign_fact> guava_facts(const any_filter& of) {
    const plan::shape shape = of.spec().shape;
    const std::uint64_t ones = of.stats().bits_set;
    const bits m{shape.bit_count};
    const hashes k{shape.hash_count};
    const std::string count = ones == m.value
                                  ? "none: every bit is set, and Guava throws"
                                  : std::to_string(plan::guava_approximate_count(ones, m, k));
    return {{"bitSize", std::to_string(m.value)},
            {"expectedFpp", java_double(plan::guava_expected_fpp(ones, m, k))},
            {"approximateElementCount", count}};
}

const foreign_format guava_format{
    .name = "guava",
    .what = "Guava BloomFilter.writeTo (Java); new ones as by Guava 33.4 and later",
    .keys = "utf8",
    .looks = looks_like_guava<1>,
    .decode = decode_guava<true>,
    .encode = encode_guava<true>,
    .create = create_guava,
    .facts = guava_facts,
};

const foreign_format guava_32_format{
    .name = "guava-32",
    .what = "Guava BloomFilter.writeTo with its older strategy, MURMUR128_MITZ_32",
    .keys = "utf8",
    .looks = looks_like_guava<0>,
    .decode = decode_guava<false>,
    .encode = encode_guava<false>,
    .create = create_32,
    .facts = guava_facts,
};

} // namespace bloomery::format
