// Statistics of a filter, computed from its bits.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {

/// The unit of a filter's array, which `statistics` counts.
enum class place_unit : std::uint8_t {
    bit,
    counter,         ///< counting, spectral, dynamic-count
    cell,            ///< dleft: a fingerprint and its counter; window: one bit per generation
    first_level_bit, ///< accurate: the bits that queries read; counters follow them
};

/// "bits", "counters", "cells", "first-level bits". O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string_view plural_of(place_unit unit) noexcept;

/// The state of a filter at one moment.
struct statistics {
    std::uint64_t bit_count = 0; ///< number of bits, counters or cells: see `unit`
    std::uint64_t bits_set = 0;  ///< how many are set or in use
    double fill_ratio = 0;       ///< bits_set / bit_count
    /// The estimated number of distinct keys and its standard error; an upper bound for an
    /// intersection.
    plan::cardinality items{};
    double expected_rate = 0; ///< the current probability of "maybe" for an absent key
    place_unit unit = place_unit::bit;
    std::uint32_t unit_bits = 1; ///< the width of each unit
    /// If true, `items` is not an estimate, because bits that two filters have in common by chance
    /// count as keys: design::intersected.
    bool intersected = false;
};

/// The state of a filter of this shape with that many bits set. For layouts with blocks, the rate
/// also depends on how evenly they are filled; the expected rate is returned. Throws bad_argument
/// for more set bits than bits.
[[nodiscard]] BLOOMERY_EXPORT statistics statistics_of(const plan::shape& shape,
                                                       std::uint64_t bits_set);

/// As above, for a set of bits with this spec: for a split filter the rate is that of its probes,
/// with keys distributed randomly over its shards. Also throws for invalid shards.
[[nodiscard]] BLOOMERY_EXPORT statistics statistics_of(const spec& what, std::uint64_t bits_set);

/// A fact that one kind of filter has and others do not, for people: a name of a word or two, and a
/// value.
struct fact {
    std::string name;
    std::string value;
};

// Measures the rate of a filter by querying it.

/// The result of a number of queries for absent keys.
struct BLOOMERY_EXPORT measured_rate {
    std::uint64_t queries = 0;
    std::uint64_t positives = 0;

    [[nodiscard]] double value() const noexcept {
        return queries == 0 ? 0 : static_cast<double>(positives) / static_cast<double>(queries);
    }
    /// The standard error of `value()`: one binomial standard deviation.
    [[nodiscard]] double standard_error() const noexcept;
};

/// Queries random 24-byte keys that were never inserted (two such keys coincide once in 2^64 runs),
/// through the filter's own hash. Changes nothing. O(queries * k).
template <class Filter>
[[nodiscard]] measured_rate measure_rate(const Filter& asked, std::uint64_t queries,
                                         std::uint64_t seed = 0) {
    measured_rate result{queries, 0};
    for (std::uint64_t i = 0; i < queries; ++i) {
        std::array<char, 24> key{'f', 'p', 'p', ' ', 'p', 'r', 'o', 'b'};
        const digest128 noise = hash::mix128(i, seed);
        for (unsigned b = 0; b < 8; ++b) {
            key[8 + b] = static_cast<char>(noise.low >> (8 * b));
            key[16 + b] = static_cast<char>(noise.high >> (8 * b));
        }
        if (asked.may_contain(std::string_view(key.data(), key.size()))) {
            ++result.positives;
        }
    }
    return result;
}

} // namespace bloomery::inline v0
