// A Redisson filter that is split into shards, all in one array: what Redis stores under many keys,
// in memory.
#pragma once

#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/divisor.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/detail/layout/of_kind.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/layout/shard.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::inline v0::layout {

/// Shards of equal size, each a complete filter with `redisson_scheme`; all bits of a key are in
/// the shard that `shard_of` returns. Bit p of shard i is bit i * shard_bits + p of the array. A
/// value of three numbers that owns nothing; every call takes the words it works on.
class redisson_split {
public:
    /// Its scheme in a spec; single positions come from redisson_scheme.
    struct scheme {
        static constexpr scheme_id id = scheme_id::redisson_split;
    };
    static constexpr std::uint32_t most_hashes = plan::max_split_hashes;

    /// Whether a filter can have this shape: at least 1 shard, of 1 to 4294967294 bits, 1 to 20
    /// probes, at most 2^62 bits in all. O(1).
    [[nodiscard]] static constexpr bool fits(const plan::split_shape& of) noexcept {
        return of.shard_count > 0 && of.shard_bits > 0 &&
               of.shard_bits <= plan::max_redisson_bits && of.hash_count > 0 &&
               of.hash_count <= most_hashes &&
               of.shard_bits <= plan::max_bit_count / 2 / of.shard_count;
    }

    /// Throws bad_argument unless fits(of).
    redisson_split(const plan::split_shape& of) // NOLINT: the same facts in another type
        : redisson_split(trusted{}, of) {
        if (!fits(of)) {
            throw bad_argument("a split filter has shards of 1 to 4294967294 bits and 1 to 20 "
                               "hashes per key, not " +
                               std::to_string(of.shard_count) + " shards of " +
                               std::to_string(of.shard_bits) + " bits and " +
                               std::to_string(of.hash_count) + " hashes");
        }
    }

    /// The same without the check, for a shape that was checked before.
    redisson_split(trusted /*checked*/, const plan::split_shape& of) noexcept
        : of_(of), shard_size_(of.shard_bits) {}

    /// Like plan::split_for with its default limit for a shard; bits and hashes make one shard.
    [[nodiscard]] static plan::split_shape shape_for(items n, rate p) {
        return plan::split_for(n, p);
    }
    [[nodiscard]] static plan::split_shape shape_for(bits m, hashes k) noexcept {
        return {1, m.value, k.value};
    }

    // Properties. O(1).

    [[nodiscard]] const plan::split_shape& split() const noexcept { return of_; }
    [[nodiscard]] std::uint64_t shard_count() const noexcept { return of_.shard_count; }
    [[nodiscard]] std::uint64_t shard_bits() const noexcept { return of_.shard_bits; }
    [[nodiscard]] std::uint64_t bit_count() const noexcept {
        return of_.shard_count * of_.shard_bits;
    }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return of_.hash_count; }
    [[nodiscard]] std::uint64_t word_count() const noexcept {
        return bit_count() / 64 + (bit_count() % 64 != 0);
    }
    [[nodiscard]] plan::shape shape() const noexcept {
        return {layout_kind::classic, bit_count(), of_.hash_count};
    }
    /// What a spec records besides the shape: the number of shards.
    [[nodiscard]] std::array<std::uint64_t, 8> parameters() const noexcept {
        return {of_.shard_count};
    }

    /// The shard of a key. O(1).
    [[nodiscard]] std::uint64_t shard(digest128 digest) const noexcept {
        return of_.shard_count == 1 ? 0 : shard_of(digest, of_.shard_count);
    }

    /// As for `classic`: sets the bits of a digest and returns whether any was clear before. O(k).
    template <kernel::access Who = kernel::access::alone>
    bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        std::uint64_t fresh = 0;
        each_place(digest, 0, of_.hash_count, [&](std::uint64_t place) {
            kernel::set_bit<Who>(words, place, fresh);
            return true;
        });
        return fresh != 0;
    }

    /// Returns whether all bits of a digest are set. O(k).
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] bool may_contain(const std::uint64_t* words, digest128 digest) const noexcept {
        return each_place(digest, 0, of_.hash_count,
                          [&](std::uint64_t place) { return kernel::bit_at<Who>(words, place); }) &&
               of_.hash_count != 0;
    }

    /// Calls `visit` with the bits of probes `first` up to `last` of a digest, in order, until it
    /// returns false; returns whether it never did. O(last).
    template <class Visit>
    BLOOMERY_INLINE bool each_place(digest128 digest, std::uint32_t first, std::uint32_t last,
                                    Visit visit) const noexcept {
        const std::uint64_t start = shard(digest) * of_.shard_bits;
        auto walk = redisson_scheme::walk(digest);
        for (std::uint32_t i = 0; i < last; ++i) {
            const std::uint64_t raw = walk.next();
            if (i >= first && !visit(start + raw % shard_size_)) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] static bool is_nothing(digest128 /*digest*/) noexcept { return false; }

    /// Prefetches the words of a digest; never changes an answer.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        each_place(digest, 0, of_.hash_count, [&](std::uint64_t place) {
            __builtin_prefetch(words + place / 64, 0, 2);
            return true;
        });
    }

    /// The ones of a shard. O(shard_bits).
    [[nodiscard]] std::uint64_t ones_of_shard(std::span<const std::uint64_t> words,
                                              std::uint64_t shard) const noexcept {
        return count_ones(words, shard * of_.shard_bits, (shard + 1) * of_.shard_bits);
    }

    /// The current false-positive rate: plan::split_rate_of_ones, not the fill ratio to the power
    /// of k, which is too low for these probes. O(words); throws std::bad_alloc.
    [[nodiscard]] double expected_rate(std::span<const std::uint64_t> words) const {
        return plan::split_rate_of_ones(
            of_, [&](std::uint64_t shard) { return ones_of_shard(words, shard); });
    }

    /// The expected rate after n distinct keys: plan::split_rate. Takes milliseconds.
    [[nodiscard]] double rate_at(items n) const { return plan::split_rate(of_, n); }

    /// The layout of a moved-from filter, with no bits: makes no probes and denies every key.
    [[nodiscard]] redisson_split without_bits() const noexcept { return {trusted{}, {1, 0, 0}}; }

    friend bool operator==(const redisson_split&, const redisson_split&) = default;

private:
    plan::split_shape of_;
    divisor shard_size_;
};

} // namespace bloomery::inline v0::layout
