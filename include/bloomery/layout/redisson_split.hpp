// A filter of Redisson's make that is split into shards, all in one array: what lies in Redis under
// many keys, in memory.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/layout/foreign_schemes.hpp>
#include <bloomery/layout/of_kind.hpp>
#include <bloomery/layout/ones.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/layout/shard.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/plan/split.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::layout {

/// Shards of one size, each a whole filter by `redisson_scheme`; all bits of a key lie in the shard
/// that `shard_of` names. Bit p of shard i is bit i * shard_bits + p of the array. A value of three
/// numbers that owns nothing; every call takes the words it works on.
class redisson_split {
public:
    /// How a spec calls it; single places come from redisson_scheme.
    struct scheme {
        static constexpr scheme_id id = scheme_id::redisson_split;
    };
    static constexpr std::uint32_t most_hashes = plan::max_split_hashes;

    /// Whether there is a filter of this shape: 1 shard at least, of 1 to 4294967294 bits, 1 to 20
    /// probes, 2^62 bits in all at most. O(1).
    [[nodiscard]] static constexpr bool fits(const plan::split_shape& of) noexcept {
        return of.shard_count > 0 && of.shard_bits > 0 &&
               of.shard_bits <= plan::max_redisson_bits && of.hash_count > 0 &&
               of.hash_count <= most_hashes &&
               of.shard_bits <= plan::max_bit_count / 2 / of.shard_count;
    }

    /// Throws bad_argument unless fits(of).
    redisson_split(const plan::split_shape& of) // NOLINT: the same facts in another type
        : of_(of) {
        if (!fits(of)) {
            throw bad_argument("a split filter has shards of 1 to 4294967294 bits and 1 to 20 "
                               "hashes a key, not " +
                               std::to_string(of.shard_count) + " shards of " +
                               std::to_string(of.shard_bits) + " bits and " +
                               std::to_string(of.hash_count) + " hashes");
        }
    }

    /// The same without a check, for a shape that went through one.
    redisson_split(trusted /*checked*/, const plan::split_shape& of) noexcept : of_(of) {}

    /// As plan::split_for with its limit of a shard; bits and hashes are one shard.
    [[nodiscard]] static plan::split_shape shape_for(items n, rate p) {
        return plan::split_for(n, p);
    }
    [[nodiscard]] static plan::split_shape shape_for(bits m, hashes k) noexcept {
        return {1, m.value, k.value};
    }

    // Facts. O(1).

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
    /// What a spec keeps besides the shape: the number of shards.
    [[nodiscard]] std::array<std::uint64_t, 8> parameters() const noexcept {
        return {of_.shard_count};
    }

    /// The shard of a key. O(1).
    [[nodiscard]] std::uint64_t shard(digest128 digest) const noexcept {
        return of_.shard_count == 1 ? 0 : shard_of(digest, of_.shard_count);
    }

    /// As for `classic`: sets the bits of a digest and tells whether any was clear before. O(k).
    template <kernel::access Who = kernel::access::alone>
    bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        const std::uint64_t first = shard(digest) * of_.shard_bits;
        auto walk = redisson_scheme::walk(digest);
        std::uint64_t fresh = 0;
        for (std::uint32_t i = 0; i < of_.hash_count; ++i) {
            kernel::set_bit<Who>(words, first + next_place(walk), fresh);
        }
        return fresh != 0;
    }

    /// Tells whether all bits of a digest are set. O(k).
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] bool may_contain(const std::uint64_t* words, digest128 digest) const noexcept {
        const std::uint64_t first = shard(digest) * of_.shard_bits;
        auto walk = redisson_scheme::walk(digest);
        for (std::uint32_t i = 0; i < of_.hash_count; ++i) {
            if (!kernel::bit_at<Who>(words, first + next_place(walk))) {
                return false;
            }
        }
        return of_.hash_count != 0;
    }

    /// Asks the memory for the words of a digest ahead of time; never changes an answer.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        const std::uint64_t first = shard(digest) * of_.shard_bits;
        auto walk = redisson_scheme::walk(digest);
        for (std::uint32_t i = 0; i < of_.hash_count; ++i) {
            __builtin_prefetch(words + (first + next_place(walk)) / 64, 0, 2);
        }
    }

    /// The ones of a shard. O(shard_bits).
    [[nodiscard]] std::uint64_t ones_of_shard(std::span<const std::uint64_t> words,
                                              std::uint64_t shard) const noexcept {
        return count_ones(words, shard * of_.shard_bits, (shard + 1) * of_.shard_bits);
    }

    /// The rate of false positives now: as plan::split_fpp_of_ones, not the fill to the power of k,
    /// which is too low for these probes. O(words); throws std::bad_alloc.
    [[nodiscard]] double expected_fpp(std::span<const std::uint64_t> words) const {
        return plan::split_fpp_of_ones(
            of_, [&](std::uint64_t shard) { return ones_of_shard(words, shard); });
    }

    /// The rate to expect after n distinct keys: plan::split_fpp. Milliseconds.
    [[nodiscard]] double fpp_at(items n) const { return plan::split_fpp(of_, n); }

    /// The same of no bits, for a filter that was moved from: makes no probe and denies every key.
    [[nodiscard]] redisson_split without_bits() const noexcept { return {trusted{}, {1, 0, 0}}; }

    friend bool operator==(const redisson_split&, const redisson_split&) = default;

private:
    [[nodiscard]] std::uint64_t next_place(redisson_scheme::walk_type& walk) const noexcept {
        return redisson_scheme::reduce(walk.next(), of_.shard_bits);
    }

    plan::split_shape of_;
};

} // namespace bloomery::layout
