// Reads the words of a saved filter, without trusting them.
#pragma once

#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {

/// Throws bad_data, which says that this is not a `kind` because of `fault`, unless good. O(1).
inline void require_sound(bool good, std::string_view kind, std::string_view fault) {
    if (!good) {
        throw bad_data("this is not a " + std::string(kind) + ": " + std::string(fault) +
                       "; get an undamaged copy");
    }
}

/// Words, taken from the front.
class word_reader {
public:
    explicit word_reader(std::span<const std::uint64_t> words) noexcept : left_(words) {}

    /// The next words. O(1). Throws bad_data if there are fewer.
    std::span<const std::uint64_t> take(std::uint64_t count) {
        if (count > left_.size()) {
            throw bad_data("the filter is shorter than its header says");
        }
        const auto taken = left_.first(static_cast<std::size_t>(count));
        left_ = left_.subspan(taken.size());
        return taken;
    }
    std::uint64_t take_one() { return take(1).front(); }

    /// Pairs of words: the count of pairs may be any number.
    std::span<const std::uint64_t> take_pairs(std::uint64_t count) {
        if (count > left_.size() / 2) {
            throw bad_data("the filter is shorter than its header says");
        }
        return take(2 * count);
    }

    /// Throws bad_data if words are left.
    void finish() const {
        if (!left_.empty()) {
            throw bad_data("the filter is longer than its header says");
        }
    }

private:
    std::span<const std::uint64_t> left_;
};

/// Whether two filters would save the same words. O(words).
inline bool same_words(const saved_words& a, const saved_words& b) {
    return a.record == b.record &&
           std::ranges::equal(a.arrays, b.arrays, [](auto left, auto right) {
               return std::ranges::equal(left, right);
           });
}

} // namespace bloomery::inline v0
