// The answers of a bulk call: one bit per key.
#pragma once

#include <bloomery/detail/cxx20.hpp>
#include <bloomery/detail/own_copy.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// One bit per key of a batch, in the order of the batch. Reusable: `reset` keeps its memory.
class bitmap {
public:
    bitmap() = default;
    explicit bitmap(std::size_t bit_count) { reset(bit_count); }

    /// Resizes to `bit_count` bits, all clear. O(n); throws std::bad_alloc only if it must grow.
    BLOOMERY_OWN_COPY void reset(std::size_t bit_count) {
        bit_count_ = bit_count;
        words_.assign((bit_count + 63) / 64, 0);
    }

    [[nodiscard]] std::size_t bit_count() const noexcept { return bit_count_; }
    [[nodiscard]] bool operator[](std::size_t at) const noexcept {
        return (words_[at / 64] >> (at % 64) & 1) != 0;
    }
    void set(std::size_t at, bool value = true) noexcept {
        const std::uint64_t bit = std::uint64_t{1} << (at % 64);
        words_[at / 64] = value ? words_[at / 64] | bit : words_[at / 64] & ~bit;
    }

    /// The number of set bits. O(n / 64).
    [[nodiscard]] BLOOMERY_OWN_COPY std::size_t count() const noexcept {
        std::size_t total = 0;
        for (const std::uint64_t word : words_) {
            total += static_cast<std::size_t>(std::popcount(word));
        }
        return total;
    }

    /// The words: bit i of the batch is bit i % 64 of word i / 64. Bits past the end are clear.
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
    /// The words, writable; bits past the end must stay clear.
    [[nodiscard]] std::uint64_t* data() noexcept { return words_.data(); }

    friend bool operator==(const bitmap&, const bitmap&) = default;

private:
    std::vector<std::uint64_t> words_;
    std::size_t bit_count_ = 0;
};

} // namespace bloomery::inline v0
