// A layer of RedisBloom's: k bits anywhere in an array of any number of bits.
#pragma once

#include <bloomery/filter/layered.hpp>
#include <bloomery/hash/foreign.hpp>
#include <bloomery/key/bytes.hpp>

#include "memory.hpp"

#include <cstdint>
#include <span>

namespace bloomery::redis_module {

/// RedisBloom's rules are ours, but for the limit on layers, which it does not have.
struct redisbloom_rules {
    std::uint32_t options = redisbloom_force_64 | plan::redisbloom_no_round;
    std::uint32_t growth = 2;

    [[nodiscard]] bool grows() const noexcept { return (options & redisbloom_no_scaling) == 0; }
    [[nodiscard]] layer_rules all() const noexcept { return {options, growth, UINT32_MAX}; }
};

/// The places of a key, one after another: (a + i b mod 2^64) mod m, without a division for each.
///
/// The sum is followed modulo m: each step adds b mod m, and where the 64-bit sum wraps around,
/// takes 2^64 mod m away again.
class redisbloom_places {
public:
    /// What follows from m alone. m is at most 2^62.
    class modulus {
    public:
        explicit modulus(std::uint64_t m) noexcept
            : m_(m), inverse_(~std::uint64_t{0} / m), wrapped_(remainder(~std::uint64_t{0}) + 1) {
            if (wrapped_ == m_) wrapped_ = 0;
        }
        [[nodiscard]] std::uint64_t value() const noexcept { return m_; }
        [[nodiscard]] std::uint64_t wrapped() const noexcept { return wrapped_; }
        /// x mod m by a multiplication; the quotient is at most two too small.
        [[nodiscard]] std::uint64_t remainder(std::uint64_t x) const noexcept {
            __extension__ using wide = unsigned __int128;
            const auto quotient = static_cast<std::uint64_t>((wide{x} * inverse_) >> 64U);
            std::uint64_t left = x - quotient * m_;
            while (left >= m_) left -= m_;
            return left;
        }

    private:
        std::uint64_t m_;
        std::uint64_t inverse_;
        std::uint64_t wrapped_; ///< 2^64 mod m
    };

    redisbloom_places(const modulus& of, digest128 key) noexcept
        : of_(of), sum_(key.low), step_(key.high), place_(of.remainder(sum_)),
          place_step_(of.remainder(step_)) {}

    std::uint64_t next() noexcept {
        const std::uint64_t current = place_;
        const std::uint64_t m = of_.value();
        place_ += place_step_;
        if (place_ >= m) place_ -= m;
        sum_ += step_;
        if (sum_ < step_)
            place_ = place_ < of_.wrapped() ? place_ + m - of_.wrapped() : place_ - of_.wrapped();
        return current;
    }

private:
    const modulus& of_;
    std::uint64_t sum_;
    std::uint64_t step_;
    std::uint64_t place_;
    std::uint64_t place_step_;
};

/// See bloom_chain.hpp for what a layer has.
struct redisbloom_layer {
    using rules = redisbloom_rules;

    /// An empty one. Throws std::bad_alloc.
    explicit redisbloom_layer(const filter_layer& of);
    /// With its bits, of which there are as many as `of` says.
    redisbloom_layer(const filter_layer& of, server_bytes filled) noexcept;

    [[nodiscard]] static digest128 digest(const redisbloom_rules& by, byte_view key) noexcept {
        return (by.options & redisbloom_force_64) != 0 ? hash::redisbloom_hash{}(key)
                                                       : hash::redisbloom_32_hash{}(key);
    }
    void ask(std::span<const digest128> keys, std::uint64_t* maybe) const noexcept;
    void insert(std::span<const digest128> keys, std::uint64_t* fresh) noexcept;
    [[nodiscard]] bool has(digest128 key) const noexcept;
    bool insert(digest128 key) noexcept;

    [[nodiscard]] std::uint64_t entries() const noexcept { return shape.entries; }
    [[nodiscard]] std::uint64_t bytes_of_next(const redisbloom_rules& by) const;
    [[nodiscard]] redisbloom_layer next(const redisbloom_rules& by) const;
    [[nodiscard]] bool is_below(const redisbloom_layer& other,
                                const redisbloom_rules& by) const noexcept;
    [[nodiscard]] redisbloom_layer copy() const;
    [[nodiscard]] bool has_places_of(const redisbloom_layer& other) const noexcept {
        return modulus.value() == other.modulus.value() &&
               shape.hash_count == other.shape.hash_count && bits.size() == other.bits.size();
    }
    [[nodiscard]] plan::shape plan_shape() const noexcept {
        return {layout_kind::classic, modulus.value(), shape.hash_count};
    }
    /// All but the bits.
    [[nodiscard]] filter_layer facts() const noexcept { return {shape, error, size}; }

    plan::redisbloom_layer shape;
    double error;
    std::uint64_t size = 0;
    redisbloom_places::modulus modulus;
    server_bytes bits;
};

/// The first layer of a filter for so many keys at that rate. Throws bad_argument where RedisBloom
/// refuses.
[[nodiscard]] filter_layer first_redisbloom_layer(std::uint64_t capacity, double rate,
                                                  const redisbloom_rules& rules);
/// The layer on top of another. Throws bad_argument where RedisBloom's arithmetic ends.
[[nodiscard]] filter_layer next_redisbloom_layer(const filter_layer& below,
                                                 const redisbloom_rules& rules);

} // namespace bloomery::redis_module
