// Numbers of a few bits each, one after another without gaps.
#pragma once

#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/error.hpp>
#include <bloomery/storage/words.hpp>

#include <cstdint>
#include <span>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::storage {

/// Fields of 0 to 32 bits. Field i is bits i w and up of the array, so it may span two words; in
/// exchange, 17 bits take exactly 17, and finding a field needs no division. Fields of no bits are
/// 0.
template <class Allocator = zeroed_allocator<std::uint64_t>>
class bit_fields {
public:
    /// All 0. The caller checks the width. Throws memory_refused.
    bit_fields(std::uint64_t count, std::uint32_t width, const Allocator& allocator = {})
        : count_(count), width_(width), most_((std::uint64_t{1} << width % 64) - 1),
          words_(words_for(count, width), allocator) {}

    /// The number of words for that many fields. O(1).
    [[nodiscard]] static constexpr std::uint64_t words_for(std::uint64_t count,
                                                           std::uint32_t width) noexcept {
        return count / 64 * width + (count % 64 * width + 63) / 64;
    }

    [[nodiscard]] std::uint64_t operator[](std::uint64_t at) const noexcept {
        if (width_ == 0) {
            return 0;
        }
        const std::uint64_t first = at * width_;
        const std::uint64_t* const word = words_.data() + first / 64;
        const std::uint64_t shift = first % 64;
        std::uint64_t value = word[0] >> shift;
        if (shift + width_ > 64) {
            value |= word[1] << 1U << (63 - shift);
        }
        return value & most_;
    }

    /// Sets a field to a value of at most most(). O(1).
    void set(std::uint64_t at, std::uint64_t value) noexcept {
        if (width_ == 0) {
            return;
        }
        const std::uint64_t first = at * width_;
        std::uint64_t* const word = words_.data() + first / 64;
        const std::uint64_t shift = first % 64;
        word[0] = (word[0] & ~(most_ << shift)) | value << shift;
        if (shift + width_ > 64) {
            word[1] = (word[1] & ~(most_ >> 1U >> (63 - shift))) | value >> 1U >> (63 - shift);
        }
    }

    /// Takes words that were filled elsewhere. O(words). Throws bad_data for a wrong number of
    /// them, or bits past the last field.
    void restore(std::span<const std::uint64_t> words) {
        if (words.size() != words_.word_count()) {
            throw bad_data("the length of the counters does not match the filter");
        }
        const std::uint64_t in_last = count_ % 64 * width_ % 64;
        if (in_last != 0 && words.back() >> in_last != 0) {
            throw bad_data("a counter past the end of the filter is not 0");
        }
        std::copy(words.begin(), words.end(), words_.data());
    }

    void clear() noexcept { std::fill_n(words_.data(), words_.word_count(), std::uint64_t{0}); }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    /// The largest value of a field.
    [[nodiscard]] std::uint64_t most() const noexcept { return most_; }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {words_.data(), words_.word_count()};
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return 8 * words_.word_count(); }
    void prefetch(std::uint64_t at) const noexcept {
        __builtin_prefetch(words_.data() + at * width_ / 64, 0, 2);
    }

private:
    zero_when_moved<std::uint64_t> count_;
    std::uint32_t width_;
    std::uint64_t most_;
    heap_words<Allocator> words_;
};

} // namespace bloomery::inline v0::storage
