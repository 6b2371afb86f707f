// Folding the bits of a filter; plan/sizing.hpp explains what that is.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <span>

namespace bloomery::inline v0::detail {

/// Folds the words of a filter into those of plan::folded(of, factor), which are all zero. O(w).
BLOOMERY_EXPORT void fold_words(const plan::shape& of, std::span<const std::uint64_t> words,
                                std::uint64_t factor, std::uint64_t* into);

/// The largest factor after which the false-positive rate of a filter with digests of so many bits
/// is at most p, and there is room for a key at that rate. O(w log w). Throws bad_argument if the
/// rate is above p already, memory_refused.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t largest_fold(const plan::shape& of,
                                                         std::span<const std::uint64_t> words,
                                                         rate p, std::uint32_t digest_bits);

} // namespace bloomery::inline v0::detail
