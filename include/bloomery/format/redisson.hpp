// What Redisson keeps of a filter besides its bits: a hash of Redis under a key of its own.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace bloomery::format {

/// The fields of that hash, by their names; HGETALL gives them.
using redis_fields = std::map<std::string, std::string, std::less<>>;

/// The config of a Redisson filter.
struct redisson_config {
    std::uint64_t size = 0;
    std::uint32_t hash_iterations = 0;
    std::uint64_t expected_insertions = 0;
    double false_probability = 0;

    /// Reads size, hashIterations, expectedInsertions and falseProbability; other fields are left
    /// alone. O(fields). Throws bad_data if one is missing, no number or out of range.
    [[nodiscard]] static redisson_config from(const redis_fields& fields);

    /// The same four as texts that Redisson reads: decimal, the rate as Java prints it. O(1);
    /// throws std::bad_alloc.
    [[nodiscard]] redis_fields to_fields() const;

    friend bool operator==(const redisson_config&, const redisson_config&) = default;
};

/// The config that Redisson makes for n keys at the rate p. O(1). Throws bad_argument where
/// Redisson refuses.
[[nodiscard]] redisson_config redisson_config_for(std::uint64_t n, double p);

/// Where the config of the filter `name` lies: `{name}:config`, or `name:config` if the name has a
/// brace, so that both are in one slot of a cluster. O(name); throws std::bad_alloc.
[[nodiscard]] std::string redisson_config_key(std::string_view name);

} // namespace bloomery::format
