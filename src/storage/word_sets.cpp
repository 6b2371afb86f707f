#include <bloomery/storage/word_sets.hpp>

#include <algorithm>

namespace bloomery::storage {

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

bool equal(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
    return std::ranges::equal(a, b);
}

} // namespace bloomery::storage
