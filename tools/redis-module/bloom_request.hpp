// The parameters of a new Bloom filter, from a command or from the configuration.
#pragma once

#include "bloom_object.hpp"
#include "call.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace bloomery::redis_module {

struct bloom_request {
    double rate;
    long long capacity;
    long long expansion; ///< 0: does not grow
    bool grows;
    bool split = false; ///< bloomery's own layout
    /// Refuse a filter that could not grow to this many items.
    std::optional<long long> scale_to{};

    /// From the configuration.
    static bloom_request configured_one() noexcept;

    /// Makes it one that does not grow. RedisBloom still stores a growth factor, which a replica
    /// with another configuration does not know: here it is always the same.
    void stays() noexcept;
};

/// A rate in a command, capped as RedisBloom does; nothing if it is not a number or out of range.
/// `is_number`, if given, distinguishes the two.
[[nodiscard]] std::optional<double> rate_in(const text* from, bool* is_number = nullptr) noexcept;

/// An empty filter. Throws refusal, with RedisBloom's message, if it cannot be made or would have
/// more bytes than that.
[[nodiscard]] std::unique_ptr<bloom_object> make_bloom(const bloom_request& request,
                                                       std::uint64_t most_bytes);

} // namespace bloomery::redis_module
