// The blocked layout of Putze, Sanders and Singler (2007): all k probes of a key in one cache line.
//
// One line instead of k is what makes a filter larger than the cache fast. It costs memory, because
// some lines get more keys than others: 3 % at a rate of 1 %, a third at one in a million.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/plan/shape.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::layout {

/// Turns a digest into k bits of one block of 512. The low word of the digest chooses the block,
/// the high one the bits: the top nine bits of high, high * step, high * step^2, ... A value of two
/// numbers that owns nothing.
class blocked {
public:
    using scheme = native_scheme;
    static constexpr layout_kind kind = layout_kind::blocked_512;
    static constexpr std::uint64_t block_bits = 512;
    static constexpr std::uint64_t block_words = block_bits / 64;

    /// Throws bad_argument if the shape is of another layout or no filter has it.
    explicit blocked(const plan::shape& of)
        : blocks_(of.bit_count / block_bits), hash_count_(of.hash_count) {
        plan::check(of);
        if (of.layout != kind) {
            throw bad_argument("a shape of another layout");
        }
    }

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return blocks_ * block_bits; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t word_count() const noexcept { return blocks_ * block_words; }
    [[nodiscard]] plan::shape shape() const noexcept { return {kind, bit_count(), hash_count_}; }

    /// Sets the bits of a digest and tells whether any was clear before. O(k), one cache line.
    bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        std::uint64_t* const block = words + first_word(digest);
        std::uint64_t fresh = 0;
        all_places(digest.high, [&](std::uint64_t place) {
            const std::uint64_t bit = std::uint64_t{1} << (place % 64);
            fresh |= ~block[place / 64] & bit;
            block[place / 64] |= bit;
            return true;
        });
        return fresh != 0;
    }

    /// Tells whether all bits of a digest are set. O(k), one cache line.
    [[nodiscard]] bool may_contain(const std::uint64_t* words, digest128 digest) const noexcept {
        const std::uint64_t* const block = words + first_word(digest);
        return all_places(digest.high, [&](std::uint64_t place) {
            return (block[place / 64] >> (place % 64) & 1) != 0;
        });
    }

    bool insert(std::uint64_t* words, digest64 digest) const noexcept {
        return insert(words, widen(digest));
    }
    [[nodiscard]] bool may_contain(const std::uint64_t* words, digest64 digest) const noexcept {
        return may_contain(words, widen(digest));
    }

    /// Asks the memory for the line of a digest ahead of time.
    void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        __builtin_prefetch(words + first_word(digest), 0, 2);
    }
    void prefetch(const std::uint64_t* words, digest64 digest) const noexcept {
        prefetch(words, widen(digest));
    }

    /// The rate of false positives now: the mean over the blocks of their fill to the power of k.
    /// O(words).
    [[nodiscard]] double expected_fpp(std::span<const std::uint64_t> words) const {
        double sum = 0;
        for (std::size_t at = 0; at < words.size(); at += block_words) {
            int ones = 0;
            for (std::size_t i = 0; i < block_words; ++i) {
                ones += std::popcount(words[at + i]);
            }
            sum += std::pow(ones / static_cast<double>(block_bits), hash_count_);
        }
        return sum / static_cast<double>(blocks_);
    }

    friend bool operator==(const blocked&, const blocked&) = default;

private:
    /// Calls `visit` with each of the k places until one answers false; true if none did.
    template <class Visit>
    bool all_places(std::uint64_t source, Visit visit) const noexcept {
        for (std::uint32_t left = hash_count_; left > 0; source *= digest_step) {
            const std::uint32_t now = left < 6 ? left : 6;
            for (std::uint32_t i = 0; i < now; ++i) {
                if (!visit(source >> (55 - 9 * i) & 511)) {
                    return false;
                }
            }
            left -= now;
        }
        return true;
    }

    [[nodiscard]] std::uint64_t first_word(digest128 digest) const noexcept {
        return hash::fastrange(digest.low, blocks_) * block_words;
    }

    std::uint64_t blocks_;
    std::uint32_t hash_count_;
};

} // namespace bloomery::layout
