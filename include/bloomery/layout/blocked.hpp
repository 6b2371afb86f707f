// The blocked layout of Putze, Sanders and Singler (2007): all k probes of a key are in one cache
// line.
//
// Touching one line instead of k makes a filter that is larger than the cache fast. It costs
// memory, because some lines get more keys than others: 3 % at a rate of 1 %, a third at one in a
// million.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/layout/of_kind.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::layout {

/// Calls `visit` with each of the k positions, in [0, 512), of a digest's high word, until a call
/// returns false. Returns true if none did. The positions are the top six 9-bit fields of high,
/// then of high * step, and so on.
template <class Visit>
BLOOMERY_INLINE constexpr bool for_each_place(std::uint64_t high, std::uint32_t k, Visit visit) {
    for (std::uint32_t left = k; left > 0; high *= digest_step) {
        const std::uint32_t now = left < 6 ? left : 6;
        for (std::uint32_t i = 0; i < now; ++i) {
            if (!visit(high >> (55 - 9 * i) & 511)) {
                return false;
            }
        }
        left -= now;
    }
    return true;
}

/// Turns a digest into k bits of one 512-bit block. The low word of the digest selects the block,
/// the high word the bits. A value of two numbers that owns nothing.
class blocked : public of_kind<layout_kind::blocked_512> {
public:
    using scheme = native_scheme;
    static constexpr std::uint64_t block_bits = 512;
    static constexpr std::uint64_t block_words = block_bits / 64;

    /// Throws bad_argument if the shape has another layout or is invalid.
    explicit blocked(const plan::shape& of) : blocked(trusted{}, checked(of)) {}

    /// As above, without the check, for a shape that was checked before.
    blocked(trusted /*checked*/, const plan::shape& of) noexcept
        : blocked(trusted{}, of.bit_count / block_bits, of.hash_count) {}
    blocked(trusted /*checked*/, std::uint64_t blocks, std::uint32_t hash_count) noexcept
        : blocks_(blocks), hash_count_(hash_count) {}

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return blocks_ * block_bits; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t word_count() const noexcept { return blocks_ * block_words; }
    [[nodiscard]] plan::shape shape() const noexcept { return {kind, bit_count(), hash_count_}; }

    /// Sets the bits of a digest. Returns whether any of them was clear before. O(k), one cache
    /// line. With `access::shared`, other threads may insert and query concurrently.
    template <kernel::access Who = kernel::access::alone>
    BLOOMERY_OWN_COPY bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        std::uint64_t* const block = words + first_word(digest);
        std::uint64_t fresh = 0;
        for_each_place(digest.high, hash_count_, [&](std::uint64_t place) {
            kernel::set_bit<Who>(block, place, fresh);
            return true;
        });
        return fresh != 0;
    }

    /// Returns whether all bits of a digest are set. O(k), one cache line. With `access::shared`,
    /// other threads may insert concurrently: a key whose insert has returned is seen; one whose
    /// insert is still running may or may not be.
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const std::uint64_t* words,
                                                     digest128 digest) const noexcept {
        const std::uint64_t* const block = words + first_word(digest);
        return for_each_place(digest.high, hash_count_, [&](std::uint64_t place) {
            return kernel::bit_at<Who>(block, place);
        });
    }

    /// Prefetches the cache line of a digest.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        __builtin_prefetch(words + first_word(digest), 0, 2);
    }

    /// The current false-positive rate: the mean over the blocks of their fill ratio to the power
    /// of k. O(words).
    [[nodiscard]] double expected_rate(std::span<const std::uint64_t> words) const {
        return layout::expected_rate(shape(), words);
    }

    /// The target of the kernels' bulk calls.
    template <class Word>
    [[nodiscard]] kernel::basic_target<Word> target(Word* words) const noexcept {
        return {kind, words, blocks_, hash_count_};
    }

    /// The layout of a moved-from filter, with no bits: maps every key to `no_words`.
    [[nodiscard]] blocked without_bits() const noexcept {
        return {trusted{}, {kind, 0, hash_count_}};
    }

    friend bool operator==(const blocked&, const blocked&) = default;

private:
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t first_word(digest128 digest) const noexcept {
        return hash::fastrange(digest.low, hash::in_register(blocks_)) * block_words;
    }

    std::uint64_t blocks_;
    std::uint32_t hash_count_;
};

} // namespace bloomery::inline v0::layout
