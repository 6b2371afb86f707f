// The false-positive rate that follows from the bits of a filter.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <span>

namespace bloomery::inline v0::layout {

/// The false-positive rate of a filter of this shape with these bits: the fill ratio to the power
/// of k for the classic layout; for blocks, the mean over the blocks of their own fill ratio to the
/// power of k, or of the product of their lanes' fill ratios. O(words). Throws bad_argument like
/// plan::rate_of_fill.
[[nodiscard]] BLOOMERY_EXPORT double expected_rate(const plan::shape& of,
                                                   std::span<const std::uint64_t> words);

} // namespace bloomery::inline v0::layout
