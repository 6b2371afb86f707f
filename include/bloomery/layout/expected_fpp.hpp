// The rate of false positives that the bits of a filter tell.
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <span>

namespace bloomery::layout {

/// The rate of false positives of a filter of this shape with these bits: the fill to the power of
/// k for the classic layout; for blocks, the mean over the blocks of their own fill to the power of
/// k, or of the product of their lanes' fills. O(words). Throws bad_argument as
/// plan::fpp_of_fill does.
[[nodiscard]] double expected_fpp(const plan::shape& of, std::span<const std::uint64_t> words);

} // namespace bloomery::layout
