// An array of small saturating counters, packed into 64-bit words.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/error.hpp>
#include <bloomery/storage/words.hpp>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::storage {

/// What an array of counters holds.
struct counter_tally {
    std::uint64_t used = 0;    ///< counters above 0
    std::uint64_t stuck = 0;   ///< counters at their maximum
    std::uint64_t largest = 0; ///< the largest counter
    std::uint64_t sum = 0;     ///< of all of them, modulo 2^64
};

/// Counters of 1 to 32 bits, all 0 at first: 64 / bits in a word, from its low end, and none across
/// two words, so that counter i is in word i / (64 / bits). A counter that reaches 2^bits - 1 has
/// lost count and stays there for good.
///
/// Indices are not checked. Everything is O(1) and never throws, unless said otherwise.
class counters {
public:
    static constexpr std::uint32_t most_bits = 32;

    /// O(count). Throws bad_argument for a width outside 1 to 32, memory_refused.
    counters(std::uint64_t count, std::uint32_t bits)
        : count_(count), bits_(checked(bits)), in_word_(64 / bits),
          inverse_(~std::uint64_t{0} / in_word_ + 1), storage_(words_for(count, bits)) {
        for (std::uint32_t i = 0; i < in_word_; ++i) {
            low_ |= std::uint64_t{1} << (i * bits);
        }
    }

    /// The number of words for that many counters. The width must be 1 to 64.
    [[nodiscard]] static constexpr std::uint64_t words_for(std::uint64_t count,
                                                           std::uint32_t bits) noexcept {
        const std::uint64_t in_word = 64 / bits;
        return count / in_word + (count % in_word != 0 ? 1 : 0);
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
    [[nodiscard]] std::uint32_t bits() const noexcept { return bits_; }
    /// The counters in a word.
    [[nodiscard]] std::uint32_t in_word() const noexcept { return in_word_; }
    /// The maximum of a counter: 2^bits - 1.
    [[nodiscard]] std::uint64_t most() const noexcept { return (std::uint64_t{1} << bits_) - 1; }

    [[nodiscard]] BLOOMERY_INLINE std::uint64_t operator[](std::uint64_t at) const noexcept {
        const place found = locate(at);
        return storage_.data()[found.word] >> found.up & most();
    }
    /// Adds one, unless the counter is at its maximum. Returns the old value.
    BLOOMERY_INLINE std::uint64_t raise(std::uint64_t at) noexcept {
        const place found = locate(at);
        std::uint64_t& word = storage_.data()[found.word];
        const std::uint64_t before = word >> found.up & most();
        word += std::uint64_t{before != most()} << found.up;
        return before;
    }
    /// Subtracts one, unless the counter is 0 or at its maximum. Returns the old value.
    BLOOMERY_INLINE std::uint64_t lower(std::uint64_t at) noexcept {
        const place found = locate(at);
        std::uint64_t& word = storage_.data()[found.word];
        const std::uint64_t before = word >> found.up & most();
        word -= std::uint64_t{before != 0 && before != most()} << found.up;
        return before;
    }
    /// Sets a counter to `value`, at most `most()`.
    void put(std::uint64_t at, std::uint64_t value) noexcept {
        const place found = locate(at);
        std::uint64_t& word = storage_.data()[found.word];
        word = (word & ~(most() << found.up)) | value << found.up;
    }
    /// Prefetches a counter.
    BLOOMERY_INLINE void prefetch(std::uint64_t at) const noexcept {
        __builtin_prefetch(storage_.data() + locate(at).word, 0, 2);
    }

    /// Adds the counters of an array of equal size and width, each up to its maximum. O(words).
    void add(const counters& other) noexcept {
        for (std::size_t i = 0; i < storage_.word_count(); ++i) {
            storage_.data()[i] = sum_of(storage_.data()[i], other.storage_.data()[i]);
        }
    }
    void clear() noexcept { storage::clear(storage_.data(), storage_.word_count()); }

    /// How many counters of a word are above 0.
    [[nodiscard]] std::uint32_t used_in(std::uint64_t word) const noexcept {
        return static_cast<std::uint32_t>(std::popcount(tops_of_used(word)));
    }
    /// How many counters are above 0. O(words).
    [[nodiscard]] std::uint64_t used() const noexcept {
        std::uint64_t total = 0;
        for (const std::uint64_t word : words()) {
            total += used_in(word);
        }
        return total;
    }
    /// How many counters are at their maximum. O(words).
    [[nodiscard]] std::uint64_t stuck() const noexcept {
        std::uint64_t total = 0;
        for (const std::uint64_t word : words()) {
            total += in_word_ - used_in(~word & low_ * most());
        }
        return total;
    }
    /// All of these numbers. O(size).
    [[nodiscard]] counter_tally tally() const noexcept {
        counter_tally found{used(), stuck(), 0, 0};
        for (std::uint64_t word : words()) {
            for (; word != 0; word >>= bits_) {
                found.largest = std::max(found.largest, word & most());
                found.sum += word & most();
            }
        }
        return found;
    }

    /// Whether all bits that belong to no counter are 0, for words that were written from outside.
    /// O(words).
    [[nodiscard]] bool padding_is_clear() const noexcept {
        const std::uint64_t unused = ~(low_ * most());
        for (const std::uint64_t word : words()) {
            if ((word & unused) != 0) {
                return false;
            }
        }
        const auto last = static_cast<std::uint32_t>(count_ % in_word_);
        return last == 0 || words().back() >> (last * bits_) == 0;
    }

    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {storage_.data(), storage_.word_count()};
    }
    [[nodiscard]] std::uint64_t* data() noexcept { return storage_.data(); }
    [[nodiscard]] const std::uint64_t* data() const noexcept { return storage_.data(); }

private:
    struct place {
        std::uint64_t word;
        std::uint32_t up;
    };

    static std::uint32_t checked(std::uint32_t bits) {
        if (bits == 0 || bits > most_bits) {
            throw bad_argument("a counter has between 1 and 32 bits, not " + std::to_string(bits) +
                               "; 4 is usual");
        }
        return bits;
    }

    /// A product with 2^64 / in_word, rounded up, instead of a division: exact below 2^58.
    [[nodiscard]] BLOOMERY_INLINE place locate(std::uint64_t at) const noexcept {
        if (bits_ == 4) { // the usual width, without a product
            return {at / 16, static_cast<std::uint32_t>(at % 16) * 4};
        }
        const std::uint64_t word = bits_ == 1 ? at / 64 : hash::fastrange(at, inverse_);
        return {word, static_cast<std::uint32_t>(at - word * in_word_) * bits_};
    }

    /// The top bit of each counter above 0: the other bits, plus as much as they hold, carry there.
    [[nodiscard]] std::uint64_t tops_of_used(std::uint64_t word) const noexcept {
        const std::uint64_t top = low_ << (bits_ - 1);
        const std::uint64_t below = low_ * most() & ~top;
        return (((word & below) + below) | word) & top;
    }
    /// The sums of two words' counters, each up to its maximum.
    [[nodiscard]] std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) const noexcept {
        const std::uint64_t top = low_ << (bits_ - 1);
        const std::uint64_t sum = ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top);
        const std::uint64_t over = ((a & b) | ((a | b) & ~sum)) & top;
        return sum | (over >> (bits_ - 1)) * most();
    }

    zero_when_moved<std::uint64_t> count_;
    std::uint32_t bits_;
    std::uint32_t in_word_;
    std::uint64_t low_ = 0; ///< the lowest bit of each counter of a word
    std::uint64_t inverse_;
    heap_words<> storage_;
};

} // namespace bloomery::inline v0::storage
