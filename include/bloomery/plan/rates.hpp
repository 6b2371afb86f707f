// The exact expected false-positive rate of a filter.
//
// "Exact" means the probability that a key that was never inserted is answered "maybe", averaged
// over the keys and over the random filter, if every probe is an independent uniform draw. The
// textbook form (1-e^(-kn/m))^k is lower than that: by a millionth of its value at a million keys
// and by a factor of 1.7 at one key. The sums have only positive terms, so there is no
// cancellation; the relative error is about 1e-12 for every n from 1 to 1e10 and rates down to
// 1e-15 (tests/plan/classic_rate.cpp).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstdint>

namespace bloomery::inline v0::plan {

/// The rate of a classic filter of m bits and k probes after n distinct keys: E[(X/m)^k] with X the
/// number of occupied bits after nk balls (Bose et al. 2008; Christensen, Roginsky, Jimeno 2010).
/// O(k^3) at worst, microseconds. Throws `bad_argument` if m or k is 0 or k is above 1024.
[[nodiscard]] BLOOMERY_EXPORT double classic_rate(items n, bits m, hashes k);

/// (1-e^(-kn/m))^k, the textbook form (Bloom 1970 as simplified by Broder and Mitzenmacher 2004).
/// Slightly too low. O(1). Throws `bad_argument` if m or k is 0.
[[nodiscard]] BLOOMERY_EXPORT double classic_rate_textbook(items n, bits m, hashes k);

/// The rate of the probes of a filter of this shape with n distinct keys (rounded to an integer).
/// digest_floor.hpp computes what collisions of digests add to it. For blocks, this is the exact
/// binomial mixture of its blocks. O(k^3) or O(sqrt(n / blocks)); milliseconds at most.
/// Throws `bad_argument` for an invalid shape and for n negative or NaN.
[[nodiscard]] BLOOMERY_EXPORT double expected_rate(const shape& of, double n);
[[nodiscard]] BLOOMERY_EXPORT double expected_rate(const shape& of, items n);

/// The limit of `expected_rate` for growing n with n * bits_per_item / m = 1: the textbook form for
/// the classic layout, the Poisson mixture for the others. Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double limit_rate(layout_kind layout, hashes k, double bits_per_item);

/// c(k) = -k / ln(1 - p^(1/k)): the bits per key at which k probes give the rate p in a large
/// classic filter. O(1). Throws `bad_argument` for p outside (0, 1) or k = 0.
[[nodiscard]] BLOOMERY_EXPORT double bits_per_item(rate p, hashes k);

/// The k in 1..64 with the smallest c(k). O(1). Throws `bad_argument` for p outside (0, 1).
[[nodiscard]] BLOOMERY_EXPORT hashes best_hashes(rate p);

/// The rate of a filter that holds `factor` times the planned keys.
struct overfilled {
    double factor;
    double items;
    double expected_rate;
};

/// The rates at 1, 1.2, 1.5, 2 and 5 times n, including collisions of digests. Costs five calls of
/// `expected_rate`.
[[nodiscard]] BLOOMERY_EXPORT std::array<overfilled, 5> overfill(const shape& of, items n);

// Estimates from the bits of a filter.
//
// A filter does not count its distinct keys (duplicates set no new bit), but its fill ratio shows
// how many there are: Swamidass and Baldi 2007. The standard errors follow from the covariance of
// two bits being clear, and are checked by simulation in tests/plan/estimate.cpp.

/// The expected fill ratio after n distinct keys. O(1). Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double expected_fill(const shape& of, double n);

/// The standard deviation of the number of set bits after n distinct keys. O(1). Throws
/// `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double ones_deviation(const shape& of, double n);

/// An estimated number of distinct keys.
struct cardinality {
    double items;          ///< infinite if saturated
    double standard_error; ///< one standard deviation; infinite if saturated
    bool saturated;        ///< every bit is set: the filter carries no information
};

/// Estimates the number of distinct keys from the number of set bits. The inverse of
/// `expected_fill` for every layout: for the classic one -(m/k) ln(1-X/m). O(1). Throws
/// `bad_argument` for an invalid shape or more set bits than bits.
[[nodiscard]] BLOOMERY_EXPORT cardinality estimate_items(const shape& of, std::uint64_t ones);

/// The overlap of two filters of equal shape.
struct overlap {
    double left, right, together; ///< estimated keys of A, of B and of their union
    double both;                  ///< of their intersection, at least 0
    double standard_error;        ///< of `both`; not smaller for a small overlap
    double jaccard;               ///< both / together
    bool below_noise;             ///< `both` is less than 5 standard errors: do not trust it
    bool saturated;
};

/// Estimates the overlap from the set bits of A, of B and of A|B. (The set bits of A&B cannot be
/// used, because bits coincide by chance.) O(1). Throws `bad_argument` for an invalid shape or
/// impossible counts.
[[nodiscard]] BLOOMERY_EXPORT overlap estimate_overlap(const shape& of, std::uint64_t left_ones,
                                                       std::uint64_t right_ones,
                                                       std::uint64_t union_ones);

/// (X/m)^k: the current rate of a classic filter with X set bits. O(1). Throws `bad_argument`.
[[nodiscard]] BLOOMERY_EXPORT double rate_of_fill(bits m, hashes k, std::uint64_t ones);

} // namespace bloomery::inline v0::plan
