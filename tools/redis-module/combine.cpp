#include "combine.hpp"

#include <bloomery/plan/rates.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace bloomery::redis_module {

namespace {

std::uint64_t word_at(const server_bytes& of, std::uint64_t at, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, of.data() + at, size);
    return word;
}

/// The ones of many words, without an instruction that counts them, in a way that compilers turn
/// into vectors: first of each byte on its own, at most so many words before a byte is full.
class ones_of_words {
public:
    static constexpr std::size_t most_words = 31;

    void add(std::uint64_t word) noexcept {
        word -= word >> 1U & 0x5555555555555555U;
        word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
        bytes_ += (word & 0x0f0f0f0f0f0f0f0fU) + (word >> 4U & 0x0f0f0f0f0f0f0f0fU);
    }
    [[nodiscard]] std::uint64_t sum() const noexcept {
        constexpr std::uint64_t low_bytes = 0x00ff00ff00ff00ffU;
        return ((bytes_ & low_bytes) + (bytes_ >> 8U & low_bytes)) * 0x0001000100010001U >> 48U;
    }

private:
    std::uint64_t bytes_ = 0;
};

void add_ones(ones_of& sums, const server_bytes& a, const server_bytes& b, std::uint64_t at,
              std::uint64_t words) noexcept {
    ones_of_words first;
    ones_of_words second;
    ones_of_words both;
    for (const std::uint64_t end = at + 8 * words; at < end; at += 8) {
        const std::uint64_t in_a = word_at(a, at, 8);
        const std::uint64_t in_b = word_at(b, at, 8);
        first.add(in_a);
        second.add(in_b);
        both.add(in_a | in_b);
    }
    sums.first += first.sum();
    sums.second += second.sum();
    sums.both += both.sum();
}

template <class Join>
void join_range(server_bytes& into, const server_bytes& other, std::uint64_t at, std::uint64_t end,
                Join join) {
    while (at < end) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(8, end - at));
        const std::uint64_t word = join(word_at(into, at, size), word_at(other, at, size));
        std::memcpy(into.data() + at, &word, size);
        at += size;
    }
}

constexpr auto either = [](std::uint64_t a, std::uint64_t b) { return a | b; };
constexpr auto both = [](std::uint64_t a, std::uint64_t b) { return a & b; };

} // namespace

ones_of count_ones(const server_bytes& a, const server_bytes& b) noexcept {
    constexpr std::uint64_t words = 16;
    static_assert(words <= ones_of_words::most_words);
    ones_of sums{};
    std::uint64_t at = 0;
    for (; at + 8 * words <= a.size(); at += 8 * words) add_ones(sums, a, b, at, words);
    for (; at < a.size(); at += 8) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(8, a.size() - at));
        const std::uint64_t in_a = word_at(a, at, size);
        const std::uint64_t in_b = word_at(b, at, size);
        sums.first += static_cast<std::uint64_t>(std::popcount(in_a));
        sums.second += static_cast<std::uint64_t>(std::popcount(in_b));
        sums.both += static_cast<std::uint64_t>(std::popcount(in_a | in_b));
    }
    return sums;
}

void unite(server_bytes& into, const server_bytes& other) noexcept {
    for_each_page_in_use(other, [&](std::uint64_t at, std::uint64_t end) {
        join_range(into, other, at, end, either);
    });
}

void keep_common(server_bytes& into, const server_bytes& other) noexcept {
    for_each_page_in_use(
        into, [&](std::uint64_t at, std::uint64_t end) { join_range(into, other, at, end, both); });
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
    const ones_of sums = count_ones(a, b);
    const auto ones = [&](std::uint64_t sum) { return std::min(sum, of.bit_count); };
    const plan::overlap estimate =
        plan::estimate_overlap(of, ones(sums.first), ones(sums.second), ones(sums.both));
    if (estimate.saturated || !(estimate.both < 0x1p63)) return most;
    return std::min(static_cast<std::uint64_t>(std::llround(estimate.both)), most);
}

} // namespace bloomery::redis_module
