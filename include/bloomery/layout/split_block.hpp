// Split blocks: one bit in each lane of a small block, as made popular by Impala and Parquet.
//
// A block is one vector, so one or two instructions set or test all probes of a key: this is the
// fastest layout. Lanes cost a little more memory than bits that may be anywhere in a line: 2 %
// more than `blocked` at a rate of 1 % for 8x64.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/lanes.hpp>
#include <bloomery/detail/kernel/one_key.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/layout/of_kind.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::layout {

/// Turns a digest into one bit in each lane of one block: the low word of the digest selects the
/// block, the high word the bits (detail/kernel/split_bits.hpp). A value that owns nothing.
template <layout_kind Kind>
class split_block : public of_kind<Kind> {
    static_assert(plan::facts_of(Kind).fixed_hashes != 0, "not a split layout");

public:
    using scheme = native_scheme;
    using of_kind<Kind>::kind;
    static constexpr std::uint64_t block_bits = plan::facts_of(Kind).block_bits;
    static constexpr std::uint64_t block_words = block_bits / 64;

    /// Throws bad_argument if the shape has another layout or is invalid.
    explicit split_block(const plan::shape& of)
        : split_block(trusted{}, split_block::checked(of)) {}

    /// As above, without the check, for a shape that was checked before.
    split_block(trusted /*checked*/, const plan::shape& of) noexcept
        : split_block(trusted{}, of.bit_count / block_bits) {}
    split_block(trusted /*checked*/, std::uint64_t blocks) noexcept : blocks_(blocks) {}

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return blocks_ * block_bits; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept {
        return plan::facts_of(Kind).fixed_hashes;
    }
    [[nodiscard]] std::uint64_t word_count() const noexcept { return blocks_ * block_words; }
    [[nodiscard]] plan::shape shape() const noexcept { return {kind, bit_count(), hash_count()}; }

    /// Sets the bits of a digest. Returns whether any of them was clear before. O(1), one cache
    /// line. With `access::shared`, other threads may insert and query concurrently.
    template <kernel::access Who = kernel::access::alone>
    BLOOMERY_INLINE bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        std::uint64_t* const block = words + first_word(digest);
        if constexpr (Who != kernel::access::alone) {
            return kernel::insert_shared<ops>(block, digest.high);
        } else if constexpr (ops::is_inlined) {
            return ops::set(block, digest.high);
        } else {
            return kernel::one_key(kind).try_insert(block, digest.high);
        }
    }
    /// The same without the answer.
    BLOOMERY_INLINE void add(std::uint64_t* words, digest128 digest) const noexcept {
        std::uint64_t* const block = words + first_word(digest);
        if constexpr (ops::is_inlined) {
            (void)ops::set(block, digest.high);
        } else {
            kernel::one_key(kind).insert(block, digest.high);
        }
    }

    /// Returns whether all bits of a digest are set. O(1), one cache line. With `access::shared`,
    /// other threads may insert concurrently, word by word: a key whose insert has returned is
    /// seen; one whose insert is still running may or may not be.
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] BLOOMERY_INLINE bool may_contain(const std::uint64_t* words,
                                                   digest128 digest) const noexcept {
        const std::uint64_t* const block = words + first_word(digest);
        if constexpr (Who != kernel::access::alone) {
            return ops::test_shared(block, digest.high);
        } else if constexpr (ops::is_inlined) {
            return ops::test(block, digest.high);
        } else {
            return kernel::one_key(kind).contains(block, digest.high);
        }
    }

    /// Prefetches the block of a digest.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        __builtin_prefetch(words + first_word(digest), 0, 2);
    }

    /// The current false-positive rate: the mean over the blocks of the product of their lanes'
    /// fill ratios. O(words).
    [[nodiscard]] double expected_rate(std::span<const std::uint64_t> words) const {
        return layout::expected_rate(shape(), words);
    }

    /// The target of the kernels' bulk calls.
    template <class Word>
    [[nodiscard]] kernel::basic_target<Word> target(Word* words) const noexcept {
        return {kind, words, blocks_, hash_count()};
    }

    /// The layout of a moved-from filter, with no bits: maps every key to `no_words`.
    [[nodiscard]] split_block without_bits() const noexcept {
        return split_block(trusted{}, {kind, 0, hash_count()});
    }

    friend bool operator==(const split_block&, const split_block&) = default;

private:
    using ops = kernel::lanes<Kind>;

    [[nodiscard]] BLOOMERY_INLINE std::uint64_t first_word(digest128 digest) const noexcept {
        return hash::fastrange(digest.low, hash::in_register(blocks_)) * block_words;
    }

    std::uint64_t blocks_;
};

using split_8x32 = split_block<layout_kind::split_8x32>;
using split_8x64 = split_block<layout_kind::split_8x64>;
using split_16x32 = split_block<layout_kind::split_16x32>;

} // namespace bloomery::inline v0::layout
