// Any of the native layouts, known at run time: what filters have unless somebody chooses.
#pragma once

#include <bloomery/kernel/bulk.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/layout/blocked.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/layout/expected_fpp.hpp>
#include <bloomery/layout/split_block.hpp>
#include <bloomery/plan/choose.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <span>
#include <utility>

namespace bloomery::layout {

/// One of the five native layouts. Every call on a key costs a switch, which the processor predicts
/// as the layout never changes; bulk calls pay it once.
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

    /// Throws bad_argument if no filter has that shape.
    explicit native(const plan::shape& of) : shape_(of) { plan::check(of); }

    /// The planner's choice for n keys and a rate, or for n keys and an amount of memory. Throws
    /// bad_argument as plan::choose does.
    [[nodiscard]] static plan::shape shape_for(items n, rate p) { return plan::choose(n, p); }
    [[nodiscard]] static plan::shape shape_for(bytes memory, items n) {
        return plan::choose(memory, n);
    }
    /// Bits and hashes without a layout mean the classic one, which has every number of both.
    [[nodiscard]] static plan::shape shape_for(bits m, hashes k) {
        return {layout_kind::classic, m.value, k.value};
    }

    // As for the layout that it is: see layout/classic.hpp, blocked.hpp and split_block.hpp.

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return shape_.bit_count; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return shape_.hash_count; }
    [[nodiscard]] std::uint64_t word_count() const noexcept { return shape_.byte_count() / 8; }
    [[nodiscard]] plan::shape shape() const noexcept { return shape_; }

    /// Sets the bits of a digest and tells whether any was clear before. O(k).
    template <kernel::access Who = kernel::access::alone>
    bool insert(std::uint64_t* words, digest128 digest) const noexcept {
        return visit(
            [&](const auto& layout) { return layout.template insert<Who>(words, digest); });
    }
    /// Tells whether all bits of a digest are set. O(k).
    template <kernel::access Who = kernel::access::alone>
    [[nodiscard]] bool may_contain(const std::uint64_t* words, digest128 digest) const noexcept {
        return visit(
            [&](const auto& layout) { return layout.template may_contain<Who>(words, digest); });
    }
    /// Asks the memory for the bits of a digest ahead of time.
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, digest128 digest) const noexcept {
        visit([&](const auto& layout) { layout.prefetch(words, digest); });
    }
    /// The rate of false positives now. O(words).
    [[nodiscard]] double expected_fpp(std::span<const std::uint64_t> words) const {
        return layout::expected_fpp(shape_, words);
    }
    /// Where the bulk calls of the kernels work.
    [[nodiscard]] kernel::target target(std::uint64_t* words) const noexcept {
        return visit([&](const auto& layout) { return layout.target(words); });
    }

    /// The same of no bits, for a filter that was moved from: finds every key in `no_words`.
    [[nodiscard]] native without_bits() const noexcept {
        native none = *this;
        none.shape_.bit_count = 0;
        return none;
    }

    friend bool operator==(const native&, const native&) = default;

private:
    plan::shape shape_;
};

} // namespace bloomery::layout
