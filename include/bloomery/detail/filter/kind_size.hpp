// The size of a filter of some kind, before it is made.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/kind_choice.hpp>

#include <cstdint>

namespace bloomery::inline v0 {

/// What a filter takes, and the rate that it has with all its keys.
struct kind_size {
    std::uint64_t byte_count = 0;
    double bits_per_item = 0;
    double expected_rate = 0;
};

/// The size of the filter that make_filter would make of this kind for n keys at a rate of p.
/// Milliseconds. Throws bad_argument.
[[nodiscard]] BLOOMERY_EXPORT kind_size size_of_kind(const kind_choice& kind, items n, rate p);

} // namespace bloomery::inline v0
