// The expected false-positive rate of a filter, exactly.
//
// "Exactly" means: the probability that a key which was never inserted is answered "maybe", taken
// over the keys and over the random filter, when every probe is an independent uniform draw. The
// textbook form (1-e^(-kn/m))^k is lower than that: by a millionth of itself at a million keys and
// by a factor of 1.7 at one. Sums of positive terms only, so no digits cancel; good to about 1e-12
// relative for every n from 1 to 1e10 and rates down to 1e-15 (tests/plan/classic_rate.cpp).
#pragma once

#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstdint>

namespace bloomery::plan {

/// The rate of a classic filter of m bits and k probes after n distinct keys: E[(X/m)^k] with X the
/// occupied bits after nk balls (Bose et al. 2008; Christensen, Roginsky, Jimeno 2010).
/// O(k^3) at worst, microseconds. Throws `bad_argument` when m or k is 0 or k is above 1024.
[[nodiscard]] double classic_fpp(items n, bits m, hashes k);

/// (1-e^(-kn/m))^k, the form printed in textbooks (Bloom 1970 as simplified by Broder and
/// Mitzenmacher 2004). Slightly too low. O(1). Throws `bad_argument` when m or k is 0.
[[nodiscard]] double classic_fpp_textbook(items n, bits m, hashes k);

/// The rate of a filter of this shape that holds n distinct keys (rounded to a whole number): that
/// of its probes. What collisions of digests add to it is in digest_floor.hpp.
/// For blocks: the exact binomial mixture of `block_rates.hpp`. O(k^3) or O(sqrt(n / blocks));
/// milliseconds at most. Throws `bad_argument` for a bad shape and for n negative or NaN.
[[nodiscard]] double fpp(const shape& of, double n);
[[nodiscard]] double fpp(const shape& of, items n);

/// The rate that `fpp` tends to when n grows and n * bits_per_item / m stays 1: the textbook form
/// for the classic layout, the Poisson mixture for the others. Throws `bad_argument`.
[[nodiscard]] double limit_fpp(layout_kind layout, hashes k, double bits_per_item);

/// c(k) = -k / ln(1 - p^(1/k)): the bits per key at which k probes give the rate p in a large
/// classic filter. O(1). Throws `bad_argument` for p outside (0, 1) or k = 0.
[[nodiscard]] double bits_per_item(rate p, hashes k);

/// The k in 1..64 with the smallest c(k). O(1). Throws `bad_argument` for p outside (0, 1).
[[nodiscard]] hashes best_hashes(rate p);

/// The rate of a filter that holds `factor` times the planned keys.
struct overfilled {
    double factor;
    double items;
    double fpp;
};

/// What overfilling costs: the rates at 1, 1.2, 1.5, 2 and 5 times n, collisions of digests
/// included. As `fpp`, five times.
[[nodiscard]] std::array<overfilled, 5> overfill(const shape& of, items n);

} // namespace bloomery::plan
