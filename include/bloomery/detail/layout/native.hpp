// Any of the native layouts, chosen at run time: the default layout of filters.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/one_key.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/layout/blocked.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/layout/split_block.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/plan/sizing.hpp>

#include <cstdint>
#include <span>
#include <utility>

namespace bloomery::inline v0::layout {

/// One of the five native layouts. The default of the planner, one cache line with eight lanes, is
/// inlined as far as the compiler's instructions allow; the other split layouts cost a call of the
/// kernel in use, and the rest a switch. Bulk calls pay for that once.
class native {
    template <class Visit>
    BLOOMERY_INLINE decltype(auto) visit(Visit&& with) const {
        // Not from shape(), which looks the layout up in a table once more.
        switch (layout_) {
        case layout_kind::split_8x64:
            return std::forward<Visit>(with)(split_8x64(trusted{}, blocks_));
        case layout_kind::split_8x32:
            return std::forward<Visit>(with)(split_8x32(trusted{}, blocks_));
        case layout_kind::split_16x32:
            return std::forward<Visit>(with)(split_16x32(trusted{}, blocks_));
        case layout_kind::blocked_512:
            return std::forward<Visit>(with)(blocked(trusted{}, blocks_, hash_count_));
        default:
            return std::forward<Visit>(with)(
                classic<>(trusted{}, {layout_kind::classic, blocks_, hash_count_}));
        }
    }

public:
    using scheme = native_scheme;

    /// Throws bad_argument for an invalid shape.
    explicit native(const plan::shape& of)
        : layout_(of.layout), word_shift_(of.layout == layout_kind::split_8x32 ? 2 : 3),
          hash_count_(of.hash_count), blocks_(of.block_count()) {
        plan::check(of);
    }

    /// The planner's choice for n keys and a rate, or for n keys and an amount of memory. Throws
    /// bad_argument like plan::choose.
    [[nodiscard]] static plan::shape shape_for(items n, rate p) { return plan::choose(n, p); }
    [[nodiscard]] static plan::shape shape_for(bytes memory, items n) {
        return plan::choose(memory, n);
    }
    /// Bits and hashes without a layout mean the classic one, which allows any number of both.
    [[nodiscard]] static plan::shape shape_for(bits m, hashes k) {
        return {layout_kind::classic, m.value, k.value};
    }

    // As for the layout that it is: see layout/classic.hpp, blocked.hpp and split_block.hpp.

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return shape().bit_count; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t word_count() const noexcept { return shape().byte_count() / 8; }
    [[nodiscard]] plan::shape shape() const noexcept {
        return {layout_, blocks_ * plan::facts_of(layout_).block_bits, hash_count_};
    }

    /// Sets the bits of a digest. Returns whether any of them was clear before. O(k).
    template <kernel::access Who = kernel::access::alone>
    BLOOMERY_INLINE bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        if constexpr (Who == kernel::access::alone) {
            if (layout_ == layout_kind::split_8x64) [[likely]] {
                return line().insert(words, digest);
            }
            if (is_split()) {
                return kernel::one_key(layout_).try_insert(words + first_word(digest), digest.high);
            }
        }
        return insert_by_switch<Who>(words, digest);
    }
    /// The same without the answer.
    BLOOMERY_INLINE void add(std::uint64_t* words, digest128 digest) const noexcept {
        if (layout_ == layout_kind::split_8x64) [[likely]] {
            line().add(words, digest);
        } else if (is_split()) {
            kernel::one_key(layout_).insert(words + first_word(digest), digest.high);
        } else {
            (void)insert_by_switch<kernel::access::alone>(words, digest);
        }
    }
    /// Returns whether all bits of a digest are set. O(k).
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] BLOOMERY_INLINE bool may_contain(const std::uint64_t* words,
                                                   digest128 digest) const noexcept {
        if constexpr (Who == kernel::access::alone) {
            if (layout_ == layout_kind::split_8x64) [[likely]] {
                return line().may_contain(words, digest);
            }
            if (is_split()) {
                return kernel::one_key(layout_).contains(words + first_word(digest), digest.high);
            }
        }
        return may_contain_by_switch<Who>(words, digest);
    }
    /// `insert` and `may_contain` with the answer at an address; return 0. See
    /// kernel::one_key_functions.
    BLOOMERY_INLINE int insert_at(std::uint64_t* words, digest128 digest,
                                  bool* answer) const noexcept {
        if (layout_ == layout_kind::split_8x64) [[likely]] {
            return kernel::one_key(layout_kind::split_8x64)
                .try_insert_at(words + line_of(digest), digest.high, answer);
        }
        return insert_by_switch_at(words, digest, answer);
    }
    BLOOMERY_INLINE int may_contain_at(const std::uint64_t* words, digest128 digest,
                                       bool* answer) const noexcept {
        if (layout_ == layout_kind::split_8x64) [[likely]] {
            return kernel::one_key(layout_kind::split_8x64)
                .contains_at(words + line_of(digest), digest.high, answer);
        }
        return may_contain_by_switch_at(words, digest, answer);
    }
    /// Prefetches the bits of a digest.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        visit([&](const auto& layout) { layout.prefetch(words, digest); });
    }
    /// The current false-positive rate. O(words).
    [[nodiscard]] double expected_rate(std::span<const std::uint64_t> words) const {
        return layout::expected_rate(shape(), words);
    }
    /// The target of the kernels' bulk calls.
    template <class Word>
    [[nodiscard]] kernel::basic_target<Word> target(Word* words) const noexcept {
        return visit([&](const auto& layout) { return layout.target(words); });
    }

    /// The layout of a moved-from filter, with no bits: maps every key to `no_words`.
    [[nodiscard]] native without_bits() const noexcept {
        native none = *this;
        none.blocks_ = 0;
        return none;
    }

    friend bool operator==(const native&, const native&) = default;

private:
    [[nodiscard]] BLOOMERY_INLINE bool is_split() const noexcept {
        return layout_ == layout_kind::split_8x32 || layout_ == layout_kind::split_16x32;
    }
    [[nodiscard]] BLOOMERY_INLINE split_8x64 line() const noexcept {
        return split_8x64(trusted{}, blocks_);
    }
    /// Of a split layout.
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t first_word(digest128 digest) const noexcept {
        return hash::fastrange(digest.low, hash::in_register(blocks_)) << word_shift_;
    }

    /// The first word of the block of a digest in split_8x64.
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t line_of(digest128 digest) const noexcept {
        return hash::fastrange(digest.low, hash::in_register(blocks_)) * split_8x64::block_words;
    }

    template <kernel::access Who>
    [[gnu::noinline]] BLOOMERY_OWN_COPY bool insert_by_switch(std::uint64_t* words,
                                                              digest128 digest) const noexcept {
        return visit(
            [&](const auto& layout) { return layout.template insert<Who>(words, digest); });
    }
    template <kernel::access Who>
    [[nodiscard, gnu::noinline]] BLOOMERY_OWN_COPY bool
    may_contain_by_switch(const std::uint64_t* words, digest128 digest) const noexcept {
        return visit(
            [&](const auto& layout) { return layout.template may_contain<Who>(words, digest); });
    }

    [[gnu::noinline]] BLOOMERY_OWN_COPY int
    insert_by_switch_at(std::uint64_t* words, digest128 digest, bool* answer) const noexcept {
        *answer = insert(words, digest);
        return 0;
    }
    [[gnu::noinline]] BLOOMERY_OWN_COPY int may_contain_by_switch_at(const std::uint64_t* words,
                                                                     digest128 digest,
                                                                     bool* answer) const noexcept {
        *answer = may_contain(words, digest);
        return 0;
    }

    layout_kind layout_;
    std::uint8_t word_shift_; ///< of split layouts: a block has 2^this words
    std::uint32_t hash_count_;
    std::uint64_t blocks_;
};

} // namespace bloomery::inline v0::layout
