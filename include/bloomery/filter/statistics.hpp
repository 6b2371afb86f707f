// What a filter knows about itself, from its own bits.
#pragma once

#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/shape.hpp>

#include <bit>
#include <cstdint>
#include <span>

namespace bloomery {

/// A filter's state at one moment.
struct statistics {
    std::uint64_t bit_count = 0;
    std::uint64_t bits_set = 0;
    double fill_ratio = 0;     ///< bits_set / bit_count
    plan::cardinality items{}; ///< how many distinct keys were inserted, and how sure that is
    double expected_fpp = 0;   ///< the chance that an absent key is answered "maybe" now
};

/// The number of ones in an array. O(n).
[[nodiscard]] inline std::uint64_t count_ones(std::span<const std::uint64_t> words) noexcept {
    std::uint64_t total = 0;
    for (const std::uint64_t word : words) {
        total += static_cast<std::uint64_t>(std::popcount(word));
    }
    return total;
}

/// The state of a filter of this shape with that many bits set. O(1); throws std::bad_alloc.
[[nodiscard]] statistics statistics_of(const plan::shape& shape, std::uint64_t bits_set);

} // namespace bloomery
