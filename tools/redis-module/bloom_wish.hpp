// What somebody wants a new Bloom filter to be: from a command, or from the configuration.
#pragma once

#include "bloom_object.hpp"
#include "call.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace bloomery::redis_module {

struct bloom_wish {
    double rate;
    long long capacity;
    long long expansion; ///< 0: does not grow
    bool grows;
    bool split = false; ///< bloomery's own layout
    /// Refuse a filter that could not grow to so many items.
    std::optional<long long> scale_to{};

    /// What the configuration says.
    static bloom_wish configured_one() noexcept;

    /// Does not grow. Without a word of how it would, RedisBloom keeps that number, of which a
    /// replica with another configuration knows nothing: it is always the same here.
    void stays() noexcept;
};

/// A rate as a command gives it, capped as RedisBloom does; nothing if it is none or out of range.
/// `is_number`, if given, tells the two apart.
[[nodiscard]] std::optional<double> rate_in(const text* from, bool* is_number = nullptr) noexcept;

/// An empty filter. Throws refusal with what RedisBloom says where it cannot be made, or if it
/// would have more bytes than that.
[[nodiscard]] std::unique_ptr<bloom_object> make_bloom(const bloom_wish& wish,
                                                       std::uint64_t most_bytes);

} // namespace bloomery::redis_module
