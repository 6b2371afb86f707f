// Any of the native layouts, chosen at run time: the default layout of filters.
#pragma once

#include <bloomery/detail/kernel/bulk.hpp>
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

/// One of the five native layouts. Every single-key call costs a switch, which the processor
/// predicts because the layout never changes; bulk calls pay for it once.
class native {
    template <class Visit>
    BLOOMERY_INLINE decltype(auto) visit(Visit&& with) const {
        switch (shape_.layout) {
        case layout_kind::split_8x64:
            return std::forward<Visit>(with)(split_8x64(trusted{}, shape_));
        case layout_kind::split_8x32:
            return std::forward<Visit>(with)(split_8x32(trusted{}, shape_));
        case layout_kind::split_16x32:
            return std::forward<Visit>(with)(split_16x32(trusted{}, shape_));
        case layout_kind::blocked_512:
            return std::forward<Visit>(with)(blocked(trusted{}, shape_));
        default:
            return std::forward<Visit>(with)(classic<>(trusted{}, shape_));
        }
    }

public:
    using scheme = native_scheme;

    /// Throws bad_argument for an invalid shape.
    explicit native(const plan::shape& of) : shape_(of) { plan::check(of); }

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

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return shape_.bit_count; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return shape_.hash_count; }
    [[nodiscard]] std::uint64_t word_count() const noexcept { return shape_.byte_count() / 8; }
    [[nodiscard]] plan::shape shape() const noexcept { return shape_; }

    /// Sets the bits of a digest. Returns whether any of them was clear before. O(k).
    template <kernel::access Who = kernel::access::alone>
    BLOOMERY_OWN_COPY bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        return visit(
            [&](const auto& layout) { return layout.template insert<Who>(words, digest); });
    }
    /// The same without the answer. So little is left of each layout that all of it is inlined; the
    /// compiler, which counts all five, would not.
    BLOOMERY_INLINE void add(std::uint64_t* words, digest128 digest) const noexcept {
        visit([&](const auto& layout)
                  __attribute__((always_inline)) { (void)layout.insert(words, digest); });
    }
    /// Returns whether all bits of a digest are set. O(k).
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const std::uint64_t* words,
                                                     digest128 digest) const noexcept {
        return visit(
            [&](const auto& layout) { return layout.template may_contain<Who>(words, digest); });
    }
    /// Prefetches the bits of a digest.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        visit([&](const auto& layout) { layout.prefetch(words, digest); });
    }
    /// The current false-positive rate. O(words).
    [[nodiscard]] double expected_rate(std::span<const std::uint64_t> words) const {
        return layout::expected_rate(shape_, words);
    }
    /// The target of the kernels' bulk calls.
    template <class Word>
    [[nodiscard]] kernel::basic_target<Word> target(Word* words) const noexcept {
        return visit([&](const auto& layout) { return layout.target(words); });
    }

    /// The layout of a moved-from filter, with no bits: maps every key to `no_words`.
    [[nodiscard]] native without_bits() const noexcept {
        native none = *this;
        none.shape_.bit_count = 0;
        return none;
    }

    friend bool operator==(const native&, const native&) = default;

private:
    plan::shape shape_;
};

} // namespace bloomery::inline v0::layout
