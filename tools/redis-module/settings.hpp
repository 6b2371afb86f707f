// What CONFIG SET and the arguments of MODULE LOAD change: RedisBloom's settings, and a limit.
#pragma once

#include "api.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace bloomery::redis_module {

/// Rates above this are taken as this, as RedisBloom does.
inline constexpr double largest_rate = 0.25;

struct whole_range {
    long long least;
    long long most;
    [[nodiscard]] bool has(long long value) const noexcept {
        return value >= least && value <= most;
    }
    [[nodiscard]] std::string text() const {
        // Appended piece by piece: for "[" + ... g++ 12 warns of an overlap that is not there.
        std::string range(1, '[');
        range += std::to_string(least);
        range += ", ";
        range += std::to_string(most);
        return range += ']';
    }
};

inline constexpr whole_range bloom_capacities{1, 1LL << 30};
inline constexpr whole_range bloom_expansions{0, 32768};
inline constexpr whole_range cuckoo_iterations{1, 65535};
inline constexpr whole_range cuckoo_expansions{0, 32768};
inline constexpr long long cuckoo_largest_capacity = 1LL << 30;

/// The values in force. Written by the server's main thread alone, which also reads them.
struct settings {
    double bloom_rate = 0.01;
    long long bloom_capacity = 100;
    long long bloom_expansion = 2; ///< 0: filters do not grow
    long long cuckoo_bucket_size = 2;
    long long cuckoo_capacity = 1024;
    long long cuckoo_iterations = 20;
    long long cuckoo_expansion = 1;
    long long cuckoo_most_filters = 32;
    long long memory_limit = 0; ///< bytes of one filter; 0: none
    long long bloom_most_layers = 2048;
    bool checks_maxmemory = true;
    long long time_limit = 20;                 ///< milliseconds of a command; 0: none
    long long merge_limit = 256 * (1LL << 20); ///< bytes of the filters of BF.MERGE; 0: none
};
extern settings configured;

/// How large the buckets of cuckoo filters may be; less when the default capacity is small.
whole_range cuckoo_bucket_sizes() noexcept;
/// What CF.INSERT takes as a capacity; depends on the default size of buckets.
whole_range cuckoo_capacities() noexcept;

/// The most bytes that a filter may take: the configured limit, and at most what the machine has,
/// because a few bytes of a header can request more. No limit if the command must be obeyed.
std::uint64_t most_bytes(bool must_obey) noexcept;

/// How large a filter may become.
struct filter_limits {
    std::uint64_t bytes;
    std::uint64_t layers = UINT64_MAX;
    filter_limits(std::uint64_t most_bytes) noexcept : bytes(most_bytes) {} // NOLINT: implicit
    filter_limits(std::uint64_t most_bytes, std::uint64_t most_layers) noexcept
        : bytes(most_bytes), layers(most_layers) {}
};
/// Those of the configuration; none if the command must be obeyed.
filter_limits bloom_limits(bool must_obey) noexcept;
/// The most sub-filters in a header from a client: a few bytes ask for all of them.
std::uint64_t most_loaded_cuckoo_filters(bool must_obey) noexcept;

/// The error for a filter that would take more: one text if a limit was set, the other if the
/// machine does not have that much.
const char* over_limit_text(const char* limit, const char* machine) noexcept;

/// Reads the arguments of MODULE LOAD, then registers all settings with the server, under their own
/// names if it allows that, otherwise as bf.NAME. Returns `failed`, with the reason in the log, if
/// an argument is unknown or out of range.
int register_settings(context* in, std::span<text*> arguments);

} // namespace bloomery::redis_module
