#include <bloomery/detail/storage/word_sets.hpp>

#include <algorithm>
#include <bit>

namespace bloomery::inline v0::storage {

void clear(std::uint64_t* words, std::size_t count) noexcept {
    std::fill_n(words, count, std::uint64_t{0});
}

void unite(std::uint64_t* into, std::span<const std::uint64_t> other) noexcept {
    for (std::size_t i = 0; i < other.size(); ++i) {
        into[i] |= other[i];
    }
}

void intersect(std::uint64_t* into, std::span<const std::uint64_t> other) noexcept {
    for (std::size_t i = 0; i < other.size(); ++i) {
        into[i] &= other[i];
    }
}

void fold_blocks(std::span<const std::uint64_t> words, std::size_t block_words,
                 std::uint64_t factor, std::uint64_t* into) noexcept {
    std::uint64_t left = factor;
    for (; !words.empty(); words = words.subspan(block_words)) {
        unite(into, words.first(block_words));
        if (--left == 0) {
            into += block_words;
            left = factor;
        }
    }
}

void fold_bits(std::span<const std::uint64_t> words, std::uint64_t factor,
               std::uint64_t* into) noexcept {
    std::uint64_t to = 0;
    std::uint64_t end = factor; // of what becomes bit `to`
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::uint64_t left = words[i]; left != 0; left &= left - 1) {
            const std::uint64_t from =
                std::uint64_t{i} * 64 + static_cast<std::uint64_t>(std::countr_zero(left));
            for (; from >= end; end += factor) {
                ++to;
            }
            into[to / 64] |= std::uint64_t{1} << to % 64;
        }
    }
}

bool equal(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
    return std::ranges::equal(a, b);
}

} // namespace bloomery::inline v0::storage
