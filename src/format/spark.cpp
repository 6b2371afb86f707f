// Spark's BloomFilter.writeTo: version, k, the seed in version 2, number of words, the words
// big-endian.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <string>

namespace bloomery::inline v0::format {

namespace {

/// The header before the words.
struct header {
    std::uint32_t version;
    std::uint32_t k;
    std::uint32_t seed;
    std::uint32_t words;
};

header header_of(cursor& from) {
    header read{};
    read.version = from.big<std::uint32_t>();
    read.k = from.big<std::uint32_t>();
    read.seed = read.version == 2 ? from.big<std::uint32_t>() : 0;
    read.words = from.big<std::uint32_t>();
    return read;
}

constexpr bool is_positive_int(std::uint32_t x) { return x != 0 && x >> 31U == 0; }

template <std::uint32_t Version>
likeness looks_like_spark(byte_view bytes) {
    return sure_if_readable([&] {
        cursor from(bytes);
        const header read = header_of(from);
        return read.version == Version && is_positive_int(read.k) && is_positive_int(read.words) &&
               from.left() == std::uint64_t{read.words} * 8;
    });
}

spec spark_spec(std::uint32_t version, std::uint64_t bit_count, std::uint32_t k,
                std::uint32_t seed) {
    return version == 1 ? spec_of<spark_1_filter>(bit_count, k)
                        : spec_of<spark_2_filter>(bit_count, k, hash::spark_hash{seed});
}

template <std::uint32_t Version>
any_filter decode_spark(byte_view bytes, const foreign_options& options) {
    cursor versioned(bytes);
    if (const auto version = versioned.big<std::uint32_t>(); version != 1 && version != 2) {
        throw unsupported("this is not a Spark filter, or one of a newer version: its version is " +
                          std::to_string(version) + ", but only 1 and 2 are known");
    }
    cursor from(bytes);
    const header read = header_of(from);
    if (!is_positive_int(read.k) || !is_positive_int(read.words)) {
        throw bad_data("this is not a Spark filter: its number of hashes or words is out of range");
    }
    require_left(from.left(), std::uint64_t{read.words} * 8, "its array");
    require_format(read.version == Version, Version == 1 ? spark_format : spark_2_format,
                   Version == 1 ? spark_2_format : spark_format);
    return filter_of(spark_spec(Version, std::uint64_t{read.words} * 64, read.k, read.seed),
                     from.rest(), bit_order::words_be, options.limits);
}

/// Throws incompatible for a filter that Spark cannot have.
void require_spark(const spec& what, bool first) {
    first ? require_type<spark_1_filter>(what, spark_format)
          : require_type<spark_2_filter>(what, spark_2_format);
    if (what.shape.bit_count % 64 != 0 || what.shape.bit_count / 64 >= std::uint64_t{1} << 31U ||
        (first && what.seed != 0)) {
        throw incompatible("Spark filters have whole 64-bit words, fewer than 2^31 of them, and "
                           "a seed in version 2 only");
    }
}

template <std::uint32_t Version>
void encode_spark(const any_filter& source, const byte_consumer& write,
                  const foreign_options& /*options*/) {
    const spec what = source.spec();
    constexpr bool first = Version == 1;
    require_spark(what, first);
    byte_writer to;
    to.big(std::uint32_t{first ? 1U : 2U});
    to.big(what.shape.hash_count);
    if constexpr (!first) {
        to.big(static_cast<std::uint32_t>(what.seed));
    }
    to.big(static_cast<std::uint32_t>(what.shape.bit_count / 64));
    write(to.bytes());
    write_array(source.words(), bit_order::words_be, what.shape.byte_count(), write);
}

/// A seed as Java's int, which may be given as a negative number.
std::uint32_t seed_of(const foreign_options& options) {
    const std::uint64_t seed = options.seed.value_or(0);
    if (seed >> 32U != 0 && seed < 0xffffffff80000000U) {
        throw bad_argument("the seed of a Spark filter has 32 bits: give a smaller seed");
    }
    return static_cast<std::uint32_t>(seed);
}

/// The shape that the options describe, in bits as Spark's callers count them.
plan::compat_shape spark_told(const foreign_options& options) {
    if (options.m && options.k) {
        if (options.m->value > (std::uint64_t{1} << 37U) - 64) {
            throw bad_argument("Spark stores fewer than 2^31 words; give fewer bits");
        }
        return {options.m->value, options.k->value};
    }
    if (!options.n) {
        throw bad_argument(
            "a Spark filter is made from items and rate, from items and bits, or from "
            "bits and hashes");
    }
    if (options.m) {
        return {options.m->value, plan::spark_hashes(*options.n, *options.m).value};
    }
    return plan::spark_shape(*options.n, options.p.value_or(rate{0.03}));
}

template <std::uint32_t Version>
any_filter create_spark(const foreign_options& options) {
    const plan::compat_shape chosen = spark_told(options);
    const std::uint32_t seed = Version == 1 ? 0 : seed_of(options);
    const bool by_rate = options.n && !options.m;
    const design goal{options.n ? options.n->value : 0,
                      by_rate ? options.p.value_or(rate{0.03}).value : 0};
    return empty_filter(
        spark_spec(Version, words_for(chosen.bit_count) * 64, chosen.hash_count, seed), goal);
}

std::vector<foreign_fact> spark_facts(const any_filter& of) {
    const spec what = of.spec();
    const std::uint64_t ones = of.stats().bits_set;
    const double expected_rate =
        plan::spark_expected_rate(ones, bits{what.shape.bit_count}, hashes{what.shape.hash_count});
    std::vector<foreign_fact> told{{"bitSize", std::to_string(what.shape.bit_count)},
                                   {"cardinality", std::to_string(ones)},
                                   {"expectedFpp", java_double(expected_rate)}};
    if (what.scheme == layout::scheme_id::spark_2) {
        const auto seed = static_cast<std::int32_t>(static_cast<std::uint32_t>(what.seed));
        told.push_back({"seed", std::to_string(seed)});
    }
    return told;
}

template <std::uint32_t Version>
constexpr foreign_format spark_version(std::string_view name, std::string_view what) {
    return {
        .name = name,
        .what = what,
        .keys = "utf8",
        .looks = looks_like_spark<Version>,
        .decode = decode_spark<Version>,
        .encode = encode_spark<Version>,
        .create = create_spark<Version>,
        .facts = spark_facts,
    };
}

} // namespace

const foreign_format spark_format = spark_version<1>(
    "spark", "Apache Spark BloomFilter.writeTo, version 1: the only one before Spark 4.1");
const foreign_format spark_2_format =
    spark_version<2>("spark-2", "Apache Spark BloomFilter.writeTo, version 2, which has a seed: "
                                "the default since Spark 4.1");

} // namespace bloomery::inline v0::format
