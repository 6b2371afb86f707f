// Counters that are as wide as the largest of them needs (Aguilar-Saborit et al. 2006).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/storage/bit_fields.hpp>
#include <bloomery/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::storage {

/// How wide counters are, and when they become narrower.
struct dynamic_width {
    std::uint32_t fixed_bits = 4;      ///< 1..16, for each counter, always
    std::uint32_t shrink_percent = 50; ///< 1..100: see dynamic_counters

    friend bool operator==(const dynamic_width&, const dynamic_width&) = default;
};

/// Two arrays: the low x bits of each counter, and the y bits above them, where y follows the
/// largest counter. When one needs another bit, the second array is rebuilt next to the old one and
/// replaces it: one pass over all counters, with both arrays in memory.
/// It shrinks late, so that a counter at the limit does not cause one rebuild after another: when
/// no overflow part is at least L 2^(y-1), where L is shrink_percent / 100. Right after it has
/// shrunk, one counter must get (1 - L) 2^(y-1) carries before it grows again.
template <class Allocator = zeroed_allocator<std::uint64_t>>
class dynamic_counters {
public:
    using fields = bit_fields<Allocator>;
    static constexpr std::uint32_t most_overflow_bits = 32;

    /// All 0. Throws bad_argument for a width out of range, memory_refused.
    dynamic_counters(std::uint64_t count, const dynamic_width& width,
                     const Allocator& allocator = {})
        : width_(checked(width)), allocator_(allocator), fixed_(count, width.fixed_bits, allocator),
          over_(count, 0, allocator) {}

    [[nodiscard]] static constexpr bool in_range(const dynamic_width& width) noexcept {
        return width.fixed_bits >= 1 && width.fixed_bits <= 16 && width.shrink_percent >= 1 &&
               width.shrink_percent <= 100;
    }

    /// The value of a counter. O(1), one access to each array.
    [[nodiscard]] std::uint64_t operator[](std::uint64_t at) const noexcept {
        return over_[at] << width_.fixed_bits | fixed_[at];
    }

    /// Makes room, so that `set` to these values cannot fail. O(1), or O(count) when it grows.
    /// Throws memory_refused; then nothing has changed.
    void prepare(std::span<const std::uint64_t> /*places*/, std::span<const std::uint64_t> values) {
        std::uint64_t largest = 0;
        for (const std::uint64_t value : values) {
            largest = std::max(largest, value);
        }
        if (const std::uint32_t needed = bits_over(largest); needed > over_.width()) {
            rebuild(needed);
        }
    }

    /// Sets a counter for which `prepare` made room, or to no more than it was. O(1).
    void set(std::uint64_t at, std::uint64_t value) noexcept {
        fixed_.set(at, value & fixed_.most());
        if (over_.width() != 0) {
            const std::uint64_t over = value >> width_.fixed_bits;
            high_ += over >= high_from_ ? 1U : 0U;
            high_ -= over_[at] >= high_from_ ? 1U : 0U;
            over_.set(at, over);
        }
    }

    /// Frees the bits that no counter needs, after counters went down. O(1), or O(count) when it
    /// shrinks. If memory is refused for that, nothing changes, and a later call tries again.
    void settle() noexcept {
        if (high_ != 0 || over_.width() == 0) {
            return;
        }
        try {
            rebuild(shrunk_width());
        } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): wide counters count too
        }
    }

    /// Adds the counters of another array of the same size and fixed_bits. O(count). Throws
    /// memory_refused; then nothing has changed.
    void add(const dynamic_counters& other) {
        const auto sum = [&](std::uint64_t at) {
            return std::min((*this)[at] + other[at], limit()); // two of 48 bits never wrap
        };
        std::uint64_t largest = 0;
        for (std::uint64_t at = 0; at < count(); ++at) {
            largest = std::max(largest, sum(at));
        }
        // `other` may be this array: each counter is read just before it is written.
        prepare({}, {&largest, 1});
        for (std::uint64_t at = 0; at < count(); ++at) {
            set(at, sum(at));
        }
    }

    /// All 0, without overflow bits or rebuilds. Throws memory_refused for an allocator that
    /// refuses nothing at all.
    void clear() {
        replace(fields(count(), 0, allocator_));
        fixed_.clear();
        rebuilds_ = 0;
    }

    /// Takes arrays that were filled elsewhere; `overflow` has the words for that many bits. Throws
    /// bad_data for impossible counters, memory_refused.
    void restore(std::uint32_t overflow_bits, std::uint64_t rebuilds,
                 std::span<const std::uint64_t> fixed, std::span<const std::uint64_t> overflow) {
        if (overflow_bits > most_overflow_bits) {
            throw bad_data("a counter has at most " + std::to_string(most_overflow_bits) +
                           " bits of overflow, not " + std::to_string(overflow_bits));
        }
        fields over(count(), overflow_bits, allocator_);
        over.restore(overflow);
        fixed_.restore(fixed);
        replace(std::move(over));
        rebuilds_ = rebuilds;
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return fixed_.count(); }
    /// The value at which a counter loses count: 2^(x + 32) - 1.
    [[nodiscard]] std::uint64_t limit() const noexcept {
        return (std::uint64_t{1} << (width_.fixed_bits + most_overflow_bits)) - 1;
    }
    [[nodiscard]] const dynamic_width& width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t overflow_bits() const noexcept { return over_.width(); }
    [[nodiscard]] std::uint64_t rebuild_count() const noexcept { return rebuilds_; }
    [[nodiscard]] const fields& fixed() const noexcept { return fixed_; }
    [[nodiscard]] const fields& overflow() const noexcept { return over_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return fixed_.byte_count() + over_.byte_count();
    }
    void prefetch(std::uint64_t at) const noexcept {
        fixed_.prefetch(at);
        over_.prefetch(at);
    }

private:
    [[nodiscard]] static dynamic_width checked(const dynamic_width& width) {
        if (!in_range(width)) {
            throw bad_argument("counters have 1 to 16 fixed bits and shrink at 1 to 100 percent, "
                               "not " +
                               std::to_string(width.fixed_bits) + " and " +
                               std::to_string(width.shrink_percent));
        }
        return width;
    }

    /// The number of bits that a value needs above the fixed ones.
    [[nodiscard]] std::uint32_t bits_over(std::uint64_t value) const noexcept {
        return static_cast<std::uint32_t>(std::bit_width(value >> width_.fixed_bits));
    }
    /// ceil(L 2^(y-1)): 1 for y = 1, so that the last bit goes when no counter needs it.
    [[nodiscard]] std::uint64_t high_from(std::uint32_t bits) const noexcept {
        // NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): of at most 32 bits
        return bits == 0 ? 0 : ((std::uint64_t{width_.shrink_percent} << (bits - 1)) + 99) / 100;
    }
    /// The largest width that would not shrink again.
    [[nodiscard]] std::uint32_t shrunk_width() const noexcept {
        std::uint64_t largest = 0;
        for (std::uint64_t at = 0; at < over_.count(); ++at) {
            largest = std::max(largest, over_[at]);
        }
        std::uint32_t bits = over_.width();
        while (bits != 0 && largest < high_from(bits)) {
            --bits;
        }
        return bits;
    }
    void rebuild(std::uint32_t bits) {
        fields next(count(), bits, allocator_);
        if (bits != 0 && over_.width() != 0) {
            for (std::uint64_t at = 0; at < count(); ++at) {
                next.set(at, over_[at]);
            }
        }
        replace(std::move(next));
        ++rebuilds_;
    }
    /// Takes another overflow array and counts its high ones.
    void replace(fields next) noexcept {
        over_ = std::move(next);
        high_ = 0;
        high_from_ = high_from(over_.width());
        for (std::uint64_t at = 0; over_.width() != 0 && at < count(); ++at) {
            high_ += over_[at] >= high_from_ ? 1U : 0U;
        }
    }

    dynamic_width width_;
    [[no_unique_address]] Allocator allocator_;
    fields fixed_;
    fields over_;
    std::uint64_t high_ = 0;      ///< overflow parts that keep it from shrinking: those
    std::uint64_t high_from_ = 0; ///< of at least this
    std::uint64_t rebuilds_ = 0;
};

extern template class BLOOMERY_EXPORT dynamic_counters<>;

} // namespace bloomery::inline v0::storage
