// The classic layout of Bloom (1970): k probes anywhere in an array of m bits.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/layout/of_kind.hpp>
#include <bloomery/layout/ones.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::layout {

/// Turns a digest into bits of an array of 64-bit words: bit i is bit i % 64 of word i / 64. A
/// value of two numbers that owns nothing; every call takes the words it works on.
template <class Scheme = native_scheme>
class classic : public of_kind<layout_kind::classic> {
public:
    using scheme = Scheme;

    /// Throws bad_argument if there is no bit, no probe, or more than 255 probes.
    classic(bits m, hashes k) : bit_count_(m.value), hash_count_(k.value) {
        if (bit_count_ == 0) {
            throw bad_argument("a filter needs at least one bit");
        }
        if (hash_count_ == 0 || hash_count_ > plan::max_foreign_hash_count) {
            throw bad_argument("a filter needs between 1 and 255 hashes a key, not " +
                               std::to_string(hash_count_));
        }
    }

    /// The same from a shape; throws also if it is of another layout.
    explicit classic(const plan::shape& of) : classic(bits{of.bit_count}, hashes{of.hash_count}) {
        if (of.layout != kind) {
            throw bad_argument("a shape of another layout");
        }
    }

    /// The same without a check, for a shape that went through one.
    classic(trusted /*checked*/, const plan::shape& of) noexcept
        : bit_count_(of.bit_count), hash_count_(of.hash_count) {}

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return bit_count_; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t word_count() const noexcept {
        return bit_count_ / 64 + (bit_count_ % 64 != 0);
    }
    [[nodiscard]] plan::shape shape() const noexcept { return {kind, bit_count_, hash_count_}; }

    /// Sets the bits of a digest and tells whether any was clear before. O(k). With
    /// `access::shared` other threads may insert and ask meanwhile.
    template <kernel::access Who = kernel::access::alone, class Digest>
    bool insert(std::uint64_t* words, Digest digest) const noexcept {
        auto walk = Scheme::walk(digest);
        std::uint64_t fresh = 0;
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            kernel::set_bit<Who>(words, Scheme::reduce(walk.next(), bit_count_), fresh);
        }
        return fresh != 0;
    }

    /// Tells whether all bits of a digest are set. O(k), about two probes for a typical absent key.
    /// With `access::shared` other threads may insert meanwhile: a key that is being inserted may
    /// or may not be seen, one that was is.
    template <kernel::access Who = kernel::access::alone, class Digest>
    [[nodiscard]] bool may_contain(const std::uint64_t* words, Digest digest) const noexcept {
        auto walk = Scheme::walk(digest);
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            if (!kernel::bit_at<Who>(words, Scheme::reduce(walk.next(), bit_count_))) {
                return false;
            }
        }
        return true;
    }

    /// Asks the memory for the words of a digest ahead of time; never changes an answer. Reaches
    /// for L2, not L1: a batch keeps more lines in flight than L1 has miss buffers.
    template <class Digest>
    void prefetch(const std::uint64_t* words, Digest digest) const noexcept {
        auto walk = Scheme::walk(digest);
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            __builtin_prefetch(words + Scheme::reduce(walk.next(), bit_count_) / 64, 0, 2);
        }
    }

    /// The rate of false positives now: the fill to the power of k. O(words).
    [[nodiscard]] double expected_fpp(std::span<const std::uint64_t> words) const {
        return plan::fpp_of_fill(bits{bit_count_}, hashes{hash_count_}, count_ones(words));
    }

    /// Where the bulk calls of the kernels work.
    [[nodiscard]] kernel::target target(std::uint64_t* words) const noexcept
        requires std::same_as<Scheme, native_scheme>
    {
        return {kind, words, bit_count_, hash_count_};
    }

    friend bool operator==(const classic&, const classic&) = default;

private:
    std::uint64_t bit_count_;
    std::uint32_t hash_count_;
};

} // namespace bloomery::layout
