#include "combine.hpp"

#include <bloomery/plan/rates.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace bloomery::redis_module {

namespace {

/// Calls `with(offset, size)` for whole words, then for the bytes that are left.
template <class With>
void for_each_word(std::uint64_t size, With with) {
    std::uint64_t at = 0;
    for (; at + 8 <= size; at += 8) with(at, std::size_t{8});
    if (at < size) with(at, static_cast<std::size_t>(size - at));
}

std::uint64_t word_at(const server_bytes& of, std::uint64_t at, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, of.data() + at, size);
    return word;
}

template <class Join>
std::uint64_t ones_of(const server_bytes& a, const server_bytes& b, Join join) {
    std::uint64_t sum = 0;
    for_each_word(a.size(), [&](std::uint64_t at, std::size_t size) {
        sum += static_cast<std::uint64_t>(
            std::popcount(join(word_at(a, at, size), word_at(b, at, size))));
    });
    return sum;
}

template <class Join>
void join_into(server_bytes& into, const server_bytes& other, Join join) {
    for_each_word(into.size(), [&](std::uint64_t at, std::size_t size) {
        const std::uint64_t word = join(word_at(into, at, size), word_at(other, at, size));
        std::memcpy(into.data() + at, &word, size);
    });
}

constexpr auto either = [](std::uint64_t a, std::uint64_t b) { return a | b; };
constexpr auto both = [](std::uint64_t a, std::uint64_t b) { return a & b; };

} // namespace

std::uint64_t ones_of_union(const server_bytes& a, const server_bytes& b) noexcept {
    return ones_of(a, b, either);
}

void unite(server_bytes& into, const server_bytes& other) noexcept {
    join_into(into, other, either);
}

void keep_common(server_bytes& into, const server_bytes& other) noexcept {
    join_into(into, other, both);
}

std::uint64_t likely_items(const plan::shape& of, std::uint64_t ones, std::uint64_t least,
                           std::uint64_t most) {
    const plan::cardinality estimate = plan::estimate_items(of, std::min(ones, of.bit_count));
    if (estimate.saturated || !(estimate.items < 0x1p63)) return most;
    return std::clamp(static_cast<std::uint64_t>(std::llround(estimate.items)), least,
                      std::max(least, most));
}

std::uint64_t likely_common_items(const plan::shape& of, const server_bytes& a,
                                  const server_bytes& b, std::uint64_t most) {
    const auto ones = [&](const server_bytes& x, const server_bytes& y) {
        return std::min(ones_of_union(x, y), of.bit_count);
    };
    const plan::overlap estimate = plan::estimate_overlap(of, ones(a, a), ones(b, b), ones(a, b));
    if (estimate.saturated || !(estimate.both < 0x1p63)) return most;
    return std::min(static_cast<std::uint64_t>(std::llround(estimate.both)), most);
}

} // namespace bloomery::redis_module
