// hutool's filters with several string hashes: BitMapBloomFilter, with a map for each, and
// BitSetBloomFilter, with one set for all.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <span>

namespace bloomery::inline v0::format {

namespace {

using hash::hash_id;

constexpr std::array map_hashes{hash_id::java_string, hash_id::elf, hash_id::js, hash_id::pjw,
                                hash_id::sdbm};
constexpr std::array set_hashes{hash_id::rs, hash_id::js,  hash_id::elf,  hash_id::bkdr,
                                hash_id::ap, hash_id::djb, hash_id::sdbm, hash_id::pjw};

constexpr std::uint64_t most_int = std::numeric_limits<std::int32_t>::max();

/// A number converted to Java's int, like the arguments of the originals.
std::int32_t java_int(std::uint64_t value, const char* option) {
    if (value > most_int) {
        throw bad_argument(std::string("hutool takes ints: give ") + option +
                           " a number below 2^31");
    }
    return static_cast<std::int32_t>(value);
}

/// Throws incompatible unless the filter is of that type and has these hashes in this order.
template <class Filter>
void require_hashes(const spec& what, const hash::java_texts_hash& wanted,
                    const foreign_format& format) {
    require_one_of(what, {spec_of<Filter>(1, 1, wanted)}, format);
    if (what.seed != wanted.seed()) {
        throw incompatible("a filter of the format " + std::string(format.name) +
                           " has hutool's own choice of string hashes, but this one has others");
    }
}

// Five maps, one after another.

spec map_spec(std::uint64_t bits_each) {
    return spec_of<hutool_map_filter>(bits_each * map_hashes.size(), map_hashes.size(),
                                      hash::java_texts_hash::of(map_hashes));
}

any_filter create_map(const foreign_options& options) {
    if (!options.size_argument) {
        throw bad_argument("a hutool BitMapBloomFilter is made from the m of its constructor: "
                           "give size-argument");
    }
    const bits each = plan::hutool_bitmap_bits(java_int(*options.size_argument, "size-argument"));
    return empty_filter(map_spec(each.value), {});
}

any_filter decode_map(byte_view bytes, const foreign_options& options) {
    constexpr std::uint64_t unit = map_hashes.size() << 20U; // each map has whole MiB
    if (bytes.empty() || bytes.size() % unit != 0 || bytes.size() / unit >= 8192) {
        throw bad_data("these are not the five maps of a BitMapBloomFilter, which take a "
                       "multiple of 5 MiB, but " +
                       in_bytes(bytes.size()));
    }
    return filter_of(map_spec(bytes.size() / map_hashes.size() * 8), bytes, bit_order::bytes_lsb,
                     options.limits);
}

void encode_map(const any_filter& source, const byte_consumer& write,
                const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_hashes<hutool_map_filter>(what, hash::java_texts_hash::of(map_hashes),
                                      hutool_bitmap_format);
    const std::uint64_t each = what.shape.bit_count / map_hashes.size();
    if (what.shape.hash_count != map_hashes.size() || each % (std::uint64_t{1} << 23U) != 0) {
        throw incompatible("a hutool BitMapBloomFilter has five maps of whole MiB; this filter "
                           "does not");
    }
    write_array(source.words(), bit_order::bytes_lsb, what.shape.bit_count / 8, write);
}

// One set.

hash::java_texts_hash first_hashes(std::uint64_t k) {
    return hash::java_texts_hash::of(
        std::span(set_hashes).first(std::min<std::size_t>(k, set_hashes.size())));
}

/// The c for which c * k is the given number of bits in Java's wrapping int arithmetic.
std::optional<std::int32_t> c_of(std::uint64_t bit_count, std::uint32_t k) {
    const int twos = std::countr_zero(k);
    if (std::countr_zero(bit_count) < twos) {
        return std::nullopt;
    }
    const std::uint32_t odd = k >> twos;
    std::uint32_t inverse = odd;
    for (int correct = 3; correct < 32; correct *= 2) {
        inverse *= 2 - odd * inverse;
    }
    const auto c = static_cast<std::uint32_t>(bit_count >> twos) * inverse;
    return static_cast<std::int32_t>(c << twos >> twos);
}

/// The spec that the options describe.
spec told_set(const foreign_options& options) {
    if (!options.k || (!options.m && !options.size_argument)) {
        throw bad_argument(
            "a hutool BitSetBloomFilter(c, n, k) needs hashes and bits, which is c times k, or "
            "hashes and size-argument, which is c");
    }
    const std::int32_t k = java_int(options.k->value, "hashes");
    std::int32_t c = 0;
    if (!options.m) {
        c = java_int(*options.size_argument, "size-argument");
    } else if (const auto found =
                   k == 0 ? std::nullopt
                          : c_of(static_cast<std::uint64_t>(java_int(options.m->value, "bits")),
                                 options.k->value)) {
        c = *found;
    } else {
        throw bad_argument("hutool makes filters of c times k bits: give at least one hash, and "
                           "a multiple of it as bits");
    }
    const plan::compat_shape shape = plan::hutool_bitset_shape(c, 0, k);
    return spec_of<hutool_set_filter>(shape.bit_count, shape.hash_count,
                                      first_hashes(shape.hash_count));
}

design told_keys(const foreign_options& options) { return {options.n ? options.n->value : 0, 0}; }

any_filter create_set(const foreign_options& options) {
    return empty_filter(told_set(options), told_keys(options));
}

any_filter decode_set(byte_view bytes, const foreign_options& options) {
    return filter_of_used(told_set(options), bytes, bit_order::bytes_lsb, options.limits,
                          told_keys(options));
}

void encode_set(const any_filter& source, const byte_consumer& write,
                const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_hashes<hutool_set_filter>(what, first_hashes(what.shape.hash_count),
                                      hutool_bitset_format);
    if (what.shape.bit_count > most_int) {
        throw incompatible("a hutool BitSetBloomFilter has fewer than 2^31 bits");
    }
    write_array(source.words(), bit_order::bytes_lsb, used_bytes(source.words()), write);
}

std::vector<foreign_fact> facts_set(const any_filter& of) {
    const plan::shape shape = of.spec().shape;
    const auto c = c_of(shape.bit_count, shape.hash_count);
    const std::uint64_t n = of.made_for().item_capacity;
    if (!c || n == 0 || n > most_int || shape.bit_count > most_int) {
        return {};
    }
    const double rate = plan::hutool_rate(*c, static_cast<std::int32_t>(n),
                                          static_cast<std::int32_t>(shape.hash_count));
    return {{"getFalsePositiveProbability", java_double(rate)}};
}

} // namespace

const foreign_format hutool_bitmap_format{
    .name = "hutool-bitmap",
    .what = "the five maps of hutool's BitMapBloomFilter, one after another (Java)",
    .keys = "utf16le",
    .looks = looks_like_nothing,
    .decode = decode_map,
    .encode = encode_map,
    .create = create_map,
};

const foreign_format hutool_bitset_format{
    .name = "hutool-bitset",
    .what = "the set of hutool's BitSetBloomFilter, as BitSet.toByteArray gives it (Java)",
    .keys = "utf16le",
    .needs = "hashes, and bits (c times k) or size-argument (c)",
    .looks = looks_like_nothing,
    .decode = decode_set,
    .encode = encode_set,
    .create = create_set,
    .facts = facts_set,
};

} // namespace bloomery::inline v0::format
