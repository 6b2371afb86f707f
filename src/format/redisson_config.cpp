#include <bloomery/detail/text/number.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/redis.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/redis.hpp>

#include "foreign_parts.hpp"

#include <string>

namespace bloomery::inline v0::format {

namespace {

template <class Number>
Number number_of(const redis_fields& fields, std::string_view name) {
    const auto found = fields.find(name);
    if (found == fields.end()) {
        throw bad_data("this is not the config of a Redisson filter: it has no field " +
                       std::string(name));
    }
    const std::optional<Number> value = text::number_in<Number>(found->second);
    if (!value) {
        throw bad_data("the config of the Redisson filter is damaged: its " + std::string(name) +
                       " is " + found->second + ", which is not a number in range");
    }
    return *value;
}

} // namespace

redisson_config redisson_config::from(const redis_fields& fields) {
    const redisson_config read{
        number_of<std::uint64_t>(fields, "size"),
        number_of<std::uint32_t>(fields, "hashIterations"),
        number_of<std::uint64_t>(fields, "expectedInsertions"),
        number_of<double>(fields, "falseProbability"),
    };
    // Written so that NaN fails too.
    const bool is_rate = read.false_probability >= 0 && read.false_probability <= 1;
    if (read.size == 0 || read.size > plan::max_redisson_bits || read.hash_iterations == 0 ||
        !is_rate) {
        throw bad_data("the config of the Redisson filter is damaged: no filter has its size, its "
                       "hashIterations or its falseProbability");
    }
    return read;
}

redis_fields redisson_config::to_fields() const {
    return {{"size", std::to_string(size)},
            {"hashIterations", std::to_string(hash_iterations)},
            {"expectedInsertions", std::to_string(expected_insertions)},
            {"falseProbability", java_double(false_probability)}};
}

redisson_config redisson_config_for(std::uint64_t n, double p) {
    const plan::compat_shape shape = plan::redisson_shape(items{n}, rate{p});
    return {shape.bit_count, shape.hash_count, n, p};
}

std::string redisson_config_key(std::string_view name) {
    const bool has_tag = name.find('{') != std::string_view::npos;
    std::string key(has_tag ? "" : "{");
    key.append(name).append(has_tag ? "" : "}").append(":config");
    return key;
}

} // namespace bloomery::inline v0::format
