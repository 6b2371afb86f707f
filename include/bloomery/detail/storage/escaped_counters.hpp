// Counters up to 2^64 - 1 in a few bits each: the few large ones are in a map.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/storage/escape_map.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/error.hpp>
#include <bloomery/storage/words.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::storage {

/// Counters of 4, 8, 16 or 32 bits. One whose bits are all ones is in the map, with its value.
/// A counter that would saturate elsewhere only makes this array slower and larger: each costs 21
/// to 32 bytes. A counter that reaches `limit()` has lost count.
template <class Allocator = zeroed_allocator<std::uint64_t>>
class escaped_counters {
public:
    using map_type = escape_map<Allocator>;

    /// All 0. Throws bad_argument for another width, memory_refused.
    escaped_counters(std::uint64_t count, std::uint32_t width, const Allocator& allocator = {})
        : count_(count), log_width_(checked(width)), words_(words_for(count, width), allocator),
          large_(allocator) {}

    /// The number of words for that many counters. O(1).
    [[nodiscard]] static constexpr std::uint64_t words_for(std::uint64_t count,
                                                           std::uint32_t width) noexcept {
        const std::uint64_t in_word = 64 / width;
        return count / in_word + (count % in_word != 0 ? 1 : 0);
    }
    [[nodiscard]] static constexpr bool has_width(std::uint64_t width) noexcept {
        return width == 4 || width == 8 || width == 16 || width == 32;
    }

    /// The value of a counter. O(1).
    [[nodiscard]] std::uint64_t operator[](std::uint64_t at) const noexcept {
        const std::uint64_t small = field(at);
        return small != escape() ? small : large_.find(at);
    }

    /// Makes room, so that `set` of these counters to these values cannot fail. O(1), plus the time
    /// for the map to grow. Throws memory_refused; then nothing has changed.
    void prepare(std::span<const std::uint64_t> places, std::span<const std::uint64_t> values) {
        std::uint64_t escaping = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] >= escape()) {
                escaping += field(places[i]) != escape() ? 1U : 0U;
            }
        }
        if (escaping != 0) {
            large_.reserve(escaping);
        }
    }

    /// Sets a counter for which `prepare` made room, or to no more than it was. O(1).
    void set(std::uint64_t at, std::uint64_t value) noexcept {
        if (value >= escape()) {
            large_.put(at, value);
        } else if (field(at) == escape()) {
            large_.erase(at);
        }
        set_field(at, std::min(value, escape()));
    }

    /// Adds the counters of another array of the same size. O(count). Throws memory_refused; then
    /// nothing has changed.
    void add(const escaped_counters& other) {
        escaped_counters sum = *this;
        for (std::uint64_t at = 0; at < count_; ++at) {
            if (const std::uint64_t more = other[at]; more != 0) {
                const std::uint64_t now = sum[at];
                const std::uint64_t total = more > limit() - now ? limit() : now + more;
                sum.prepare({&at, 1}, {&total, 1});
                sum.set(at, total);
            }
        }
        *this = std::move(sum);
    }

    /// Sets all counters to 0, and frees the memory of the map. O(words).
    void clear() {
        large_.clear();
        std::fill_n(words_.data(), words_.word_count(), std::uint64_t{0});
    }

    /// Fills an array that is all 0 from one that was saved: its words, and each large counter as a
    /// position and a value, sorted by position. O(words). Throws bad_data for impossible counters,
    /// and memory_refused; then the array is unusable.
    void restore(std::span<const std::uint64_t> words, std::span<const std::uint64_t> entries) {
        if (words.size() != words_.word_count() || entries.size() % 2 != 0) {
            throw bad_data("the length of the counters does not match the filter");
        }
        const std::uint64_t in_last = count_ % (64U >> log_width_);
        if (in_last != 0 && words.back() >> (in_last << log_width_) != 0) {
            throw bad_data("a counter past the end of the filter is not 0");
        }
        std::copy(words.begin(), words.end(), words_.data());
        if (escaped() != entries.size() / 2) {
            throw bad_data("the list of large counters does not match the counters");
        }
        large_.reserve_tightly(entries.size() / 2);
        for (std::size_t i = 0; i < entries.size(); i += 2) {
            const bool in_order = i == 0 || entries[i - 2] < entries[i];
            if (!in_order || entries[i] >= count_ || field(entries[i]) != escape() ||
                entries[i + 1] < escape()) {
                throw bad_data("the list of large counters does not match the counters");
            }
            large_.put(entries[i], entries[i + 1]);
        }
    }

    /// How many are not 0. O(words).
    [[nodiscard]] std::uint64_t used() const noexcept {
        return fold([](std::uint64_t a, std::uint64_t b) { return a | b; });
    }
    /// How many are in the map. O(words): counted from the counters.
    [[nodiscard]] std::uint64_t escaped() const noexcept {
        return fold([](std::uint64_t a, std::uint64_t b) { return a & b; });
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint32_t width() const noexcept { return 1U << log_width_; }
    [[nodiscard]] static constexpr std::uint64_t limit() noexcept {
        return std::numeric_limits<std::uint64_t>::max();
    }
    [[nodiscard]] const map_type& large() const noexcept { return large_; }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {words_.data(), words_.word_count()};
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return 8 * words_.word_count() + large_.byte_count();
    }
    void prefetch(std::uint64_t at) const noexcept {
        __builtin_prefetch(words_.data() + word_of(at), 0, 2);
    }

private:
    [[nodiscard]] static std::uint32_t checked(std::uint32_t width) {
        if (!has_width(width)) {
            throw bad_argument("a counter has 4, 8, 16 or 32 bits, not " + std::to_string(width) +
                               "; larger counts are stored separately");
        }
        return static_cast<std::uint32_t>(std::bit_width(width) - 1);
    }

    /// All ones in a field: look in the map.
    [[nodiscard]] std::uint64_t escape() const noexcept {
        return (std::uint64_t{1} << (1U << log_width_)) - 1;
    }
    [[nodiscard]] std::uint64_t word_of(std::uint64_t at) const noexcept {
        return at >> (6 - log_width_);
    }
    [[nodiscard]] std::uint64_t shift_of(std::uint64_t at) const noexcept {
        return at << log_width_ & 63;
    }
    [[nodiscard]] std::uint64_t field(std::uint64_t at) const noexcept {
        return words_.data()[word_of(at)] >> shift_of(at) & escape();
    }
    void set_field(std::uint64_t at, std::uint64_t value) noexcept {
        std::uint64_t& word = words_.data()[word_of(at)];
        word = (word & ~(escape() << shift_of(at))) | value << shift_of(at);
    }
    /// The fields whose bits give 1 when they are folded together. Only the lowest bit of a field
    /// counts: the others get bits of the neighbour.
    template <class Fold>
    [[nodiscard]] std::uint64_t fold(Fold together) const noexcept {
        const std::uint64_t lowest = ~std::uint64_t{0} / escape();
        std::uint64_t found = 0;
        for (std::uint64_t word : words()) {
            for (std::uint32_t by = width() / 2; by != 0; by /= 2) {
                word = together(word, word >> by);
            }
            found += static_cast<std::uint64_t>(std::popcount(word & lowest));
        }
        return found;
    }

    zero_when_moved<std::uint64_t> count_;
    std::uint32_t log_width_;
    heap_words<Allocator> words_;
    map_type large_;
};

extern template class BLOOMERY_EXPORT escaped_counters<>;

} // namespace bloomery::inline v0::storage
