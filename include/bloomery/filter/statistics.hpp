// What a filter knows about itself, from its own bits.
#pragma once

#include <bloomery/filter/spec.hpp>
#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <string_view>

namespace bloomery {

/// What a filter's array consists of: what `statistics` counts.
enum class place_unit : std::uint8_t {
    bit,
    counter,         ///< counting, spectral, dynamic-count
    cell,            ///< dleft: a fingerprint and its counter; window: a bit for each generation
    first_level_bit, ///< accurate: the bits that questions are answered from; counters follow them
};

/// "bits", "counters", "cells", "first-level bits". O(1).
[[nodiscard]] std::string_view plural_of(place_unit unit) noexcept;

/// A filter's state at one moment.
struct statistics {
    std::uint64_t bit_count = 0; ///< of bits, or of counters or cells: as `unit` says
    std::uint64_t bits_set = 0;  ///< those that are set, or in use
    double fill_ratio = 0;       ///< bits_set / bit_count
    /// How many distinct keys were inserted, and how sure that is; of an intersection the most that
    /// there may be.
    plan::cardinality items{};
    double expected_fpp = 0; ///< the chance that an absent key is answered "maybe" now
    place_unit unit = place_unit::bit;
    std::uint32_t unit_bits = 1; ///< the width of each
    /// Bits that two filters have in common by chance count as keys in `items`, so that it is no
    /// estimate: design::intersected.
    bool intersected = false;
};

/// The state of a filter of this shape with that many bits set, as far as the number tells: for
/// blocks the rate also depends on how evenly they are filled, and is the one to expect. Throws
/// bad_argument for more bits set than there are.
[[nodiscard]] statistics statistics_of(const plan::shape& shape, std::uint64_t bits_set);

/// The same of a set of bits with this spec: of a split filter the rate is that of its probes, with
/// the keys spread over its shards by chance. Throws also for shards that no filter has.
[[nodiscard]] statistics statistics_of(const spec& what, std::uint64_t bits_set);

} // namespace bloomery
