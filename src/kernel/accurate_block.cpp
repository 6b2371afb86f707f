#include <bloomery/detail/kernel/accurate_block.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace bloomery::inline v0::detail {
namespace {

std::uint32_t ones(std::uint64_t word) { return static_cast<std::uint32_t>(std::popcount(word)); }

/// The bits of word i that are below a place of the block.
std::uint64_t part_below(std::uint32_t i, std::uint32_t at) {
    if (at <= 64 * i) {
        return 0;
    }
    return at - 64 * i >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (at - 64 * i)) - 1;
}

std::uint32_t ones_below(const std::uint64_t* block, std::uint32_t at) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; 64 * i < at; ++i) {
        sum += ones(block[i] & part_below(i, at));
    }
    return sum;
}

void set(std::uint64_t* block, std::uint32_t at) { block[at / 64] |= std::uint64_t{1} << at % 64; }

} // namespace

std::uint32_t first_level_ones(const std::uint64_t* block, const accurate_cut& cut) noexcept {
    return ones_below(block, cut.places);
}

std::uint32_t counter_at(const std::uint64_t* block, const accurate_cut& cut,
                         std::uint32_t place) noexcept {
    if (is_frozen(block, cut)) {
        return static_cast<std::uint32_t>(bit_at(block, place));
    }
    std::uint32_t count = 0;
    for (std::uint32_t at = place; bit_at(block, at) != 0; ++count) {
        at = cut.places + ones_below(block, at);
    }
    return count;
}

void read_counters(const std::uint64_t* block, const accurate_cut& cut,
                   std::span<std::uint32_t> counters) noexcept {
    // Chains by the place that they belong to, in the order of the level that is read.
    std::array<std::uint32_t, 2048> chain{};
    std::uint32_t alive = cut.places;
    for (std::uint32_t i = 0; i < alive; ++i) {
        chain[i] = i;
        counters[i] = 0;
    }
    const bool only_first = is_frozen(block, cut);
    for (std::uint32_t at = 0; alive != 0;) {
        std::uint32_t next = 0;
        for (std::uint32_t i = 0; i < alive; ++i, ++at) {
            if (bit_at(block, at) != 0) {
                ++counters[chain[i]];
                chain[next++] = chain[i];
            }
        }
        alive = only_first ? 0 : next;
    }
}

void write_counters(std::uint64_t* block, const accurate_cut& cut,
                    std::span<const std::uint32_t> counters) noexcept {
    std::fill_n(block, cut.block_words, std::uint64_t{0});
    std::array<std::uint32_t, 2048> chain{};
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < cut.places; ++i) {
        chain[i] = i;
        sum += counters[i];
    }
    const bool fits = sum <= cut.most();
    std::uint32_t at = 0;
    std::uint32_t alive = cut.places;
    for (std::uint32_t level = 0; alive != 0; ++level) {
        std::uint32_t next = 0;
        for (std::uint32_t i = 0; i < alive; ++i, ++at) {
            if (counters[chain[i]] > level) {
                set(block, at);
                chain[next++] = chain[i];
            }
        }
        alive = fits ? next : 0;
    }
    block[cut.block_words - 1] |= fits ? sum << 48U : frozen_bit;
}

void freeze(std::uint64_t* block, const accurate_cut& cut) noexcept {
    for (std::uint32_t i = 0; i < cut.block_words; ++i) {
        block[i] &= part_below(i, cut.places);
    }
    block[cut.block_words - 1] |= frozen_bit;
}

bool is_sound(const std::uint64_t* block, const accurate_cut& cut) noexcept {
    const std::uint32_t sum = counter_sum(block, cut);
    const std::uint32_t all = ones_below(block, cut.usable_bits());
    if (is_frozen(block, cut)) {
        return sum == 0 && all == first_level_ones(block, cut);
    }
    if (sum > cut.most() || all != sum) {
        return false;
    }
    // As many bits in a level as ones in the level before it, until a level has none: there all
    // ones must have been met.
    std::uint32_t end = cut.places;
    for (std::uint32_t before = 0; end != before;) {
        before = end;
        end = cut.places + ones_below(block, end);
    }
    return end == cut.places + sum;
}

} // namespace bloomery::inline v0::detail
