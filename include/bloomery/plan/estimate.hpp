// What the bits of a filter tell about the keys in it.
//
// A filter does not know how many different keys it holds (duplicates set no new bit), but its fill
// does: Swamidass and Baldi 2007. The standard errors follow from the covariance of two bits being
// clear, and are checked by simulation in tests/plan/estimate.cpp.
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery::plan {

/// The expected fraction of ones after n distinct keys. O(1). Throws `bad_argument`.
[[nodiscard]] double expected_fill(const shape& of, double n);

/// The standard deviation of the number of ones after n distinct keys. O(1). Throws `bad_argument`.
[[nodiscard]] double ones_deviation(const shape& of, double n);

/// An estimated number of distinct keys.
struct cardinality {
    double items;          ///< infinite when saturated
    double standard_error; ///< one sd; infinite when saturated
    bool saturated;        ///< every bit is set: the filter says nothing any more
};

/// From the number of ones. The inverse of `expected_fill` for every layout: for the classic one
/// -(m/k) ln(1-X/m). O(1). Throws `bad_argument` for a bad shape or more ones than bits.
[[nodiscard]] cardinality estimate_items(const shape& of, std::uint64_t ones);

/// How much two filters of one shape have in common.
struct overlap {
    double left, right, together; ///< estimated keys of A, of B and of their union
    double both;                  ///< of their intersection, at least 0
    double standard_error;        ///< of `both`; it does not shrink with the overlap
    double jaccard;               ///< both / together
    bool below_noise;             ///< `both` is less than 5 standard errors: do not trust it
    bool saturated;
};

/// From the ones of A, of B and of A|B. (The ones of A&B are no estimate: bits meet by chance.)
/// O(1). Throws `bad_argument` for a bad shape or counts that no two filters can have.
[[nodiscard]] overlap estimate_overlap(const shape& of, std::uint64_t left_ones,
                                       std::uint64_t right_ones, std::uint64_t union_ones);

/// (X/m)^k: the rate now of a classic filter with X ones. O(1). Throws `bad_argument`.
[[nodiscard]] double fpp_of_fill(bits m, hashes k, std::uint64_t ones);

} // namespace bloomery::plan
