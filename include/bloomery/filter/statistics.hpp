// What a filter knows about itself, from its own bits.
#pragma once

#include <bloomery/filter/spec.hpp>
#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery {

/// A filter's state at one moment.
struct statistics {
    std::uint64_t bit_count = 0;
    std::uint64_t bits_set = 0;
    double fill_ratio = 0;     ///< bits_set / bit_count
    plan::cardinality items{}; ///< how many distinct keys were inserted, and how sure that is
    double expected_fpp = 0;   ///< the chance that an absent key is answered "maybe" now
};

/// The state of a filter of this shape with that many bits set, as far as the number tells: for
/// blocks the rate also depends on how evenly they are filled, and is the one to expect. Throws
/// bad_argument for more bits set than there are.
[[nodiscard]] statistics statistics_of(const plan::shape& shape, std::uint64_t bits_set);

/// The same of a set of bits with this spec: of a split filter the rate is that of its probes, with
/// the keys spread over its shards by chance. Throws also for shards that no filter has.
[[nodiscard]] statistics statistics_of(const spec& what, std::uint64_t bits_set);

} // namespace bloomery
