#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/plan/rates.hpp>

#include <bit>
#include <cmath>
#include <cstddef>

namespace bloomery::inline v0::layout {

namespace {

using block_view = std::span<const std::uint64_t>;

template <class Rate>
double mean_over_blocks(block_view words, std::size_t block_words, Rate rate) {
    double sum = 0;
    for (std::size_t at = 0; at < words.size(); at += block_words) {
        sum += rate(words.subspan(at, block_words));
    }
    return sum / (static_cast<double>(words.size()) / static_cast<double>(block_words));
}

/// The share of ones in a block.
double block_fill(block_view block) {
    return static_cast<double>(count_ones(block)) / static_cast<double>(block.size() * 64);
}

/// The product of the shares of ones in each lane of a block.
template <unsigned LaneBits>
double lanes_fill(block_view block) {
    double product = 1;
    for (const std::uint64_t word : block) {
        for (unsigned at = 0; at < 64; at += LaneBits) {
            const std::uint64_t lane = LaneBits == 64 ? word : word >> at & 0xffffffffU;
            product *= std::popcount(lane) / static_cast<double>(LaneBits);
        }
    }
    return product;
}

} // namespace

double expected_rate(const plan::shape& of, std::span<const std::uint64_t> words) {
    const std::size_t block_words = plan::facts_of(of.layout).block_bits / 64;
    switch (of.layout) {
    case layout_kind::blocked_512:
        return mean_over_blocks(words, block_words, [&of](block_view block) {
            return std::pow(block_fill(block), of.hash_count);
        });
    case layout_kind::split_8x32:
    case layout_kind::split_16x32:
        return mean_over_blocks(words, block_words, lanes_fill<32>);
    case layout_kind::split_8x64:
        return mean_over_blocks(words, block_words, lanes_fill<64>);
    default:
        return plan::rate_of_fill(bits{of.bit_count}, hashes{of.hash_count}, count_ones(words));
    }
}

} // namespace bloomery::inline v0::layout
