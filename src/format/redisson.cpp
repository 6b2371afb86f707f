// Redisson's RBloomFilter: a string of Redis, set by SETBIT. Its size lies under another key.
#include "redisson.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/compat_statistics.hpp>

#include "bare_array.hpp"
#include "java_double.hpp"

#include <string>

namespace bloomery::format {

namespace {

/// The shape that the options ask for.
plan::compat_shape redisson_told(const foreign_options& options) {
    if (options.m && options.k) {
        if (options.m->value == 0 || options.m->value > largest_redisson || options.k->value == 0) {
            throw bad_argument("Redisson has filters of 1 to 4294967294 bits and at least one "
                               "hash: give bits and hashes within that");
        }
        return {options.m->value, options.k->value};
    }
    if (!options.n || !options.p) {
        throw bad_argument(
            "the bits of a Redisson filter do not tell its size: give bits and hashes "
            "(size and hashIterations of its config), or items and rate");
    }
    return plan::redisson_shape(*options.n, *options.p);
}

design told_design(const foreign_options& options) {
    return {options.n ? options.n->value : 0, options.p ? options.p->value : 0};
}

spec redisson_spec(const plan::compat_shape& shape) {
    return spec_of<redisson_filter>(shape.bit_count, shape.hash_count);
}

void encode_redisson(const any_filter& source, const byte_consumer& write,
                     const foreign_options& /*options*/) {
    require_redisson(source.spec(), redisson_format);
    write_array(source.words(), bit_order::bytes_msb, used_bytes(source.words()), write);
}

} // namespace

any_filter redisson_of_value(byte_view value, const foreign_options& options) {
    return filter_of_used(redisson_spec(redisson_told(options)), value, bit_order::bytes_msb,
                          options.limits, told_design(options));
}

void require_redisson(const spec& what, const foreign_format& format) {
    require_type<redisson_filter>(what, format);
    if (what.shape.bit_count > largest_redisson) {
        throw incompatible("Redisson has filters of at most 4294967294 bits");
    }
}

any_filter new_redisson(const foreign_options& options) {
    return empty_filter(redisson_spec(redisson_told(options)), told_design(options));
}

std::vector<foreign_fact> redisson_facts(const any_filter& of) {
    const plan::shape shape = of.spec().shape;
    const std::uint64_t count =
        plan::redisson_count(of.stats().bits_set, bits{shape.bit_count}, hashes{shape.hash_count});
    std::vector<foreign_fact> facts{{"size", std::to_string(shape.bit_count)},
                                    {"hashIterations", std::to_string(shape.hash_count)},
                                    {"count", std::to_string(count)}};
    if (const design goal = of.made_for(); goal.item_capacity != 0) {
        facts.push_back({"expectedInsertions", std::to_string(goal.item_capacity)});
        facts.push_back({"falseProbability", java_double(goal.target_rate)});
    }
    return facts;
}

const foreign_format redisson_format{
    .name = "redisson",
    .what = "Redisson RBloomFilter (Java): the value that Redis GET returns",
    .keys = "kryo5",
    .needs = "bits and hashes, which are size and hashIterations of its config, or items and rate",
    .looks = looks_like_nothing,
    .decode = redisson_of_value,
    .encode = encode_redisson,
    .create = new_redisson,
    .facts = redisson_facts,
};

} // namespace bloomery::format
