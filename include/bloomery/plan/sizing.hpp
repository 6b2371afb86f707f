// From what is wanted to the shape of a filter.
//
// Every function inverts the exact rate of rates.hpp with a whole number of probes, and rounds so
// that the promise holds: the textbook m = -n ln p / (ln 2)^2 with a rounded k misses the rate it
// was computed for (1.0039 % instead of 1 % at a million keys, 1.75 % at one key).
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery::plan {

/// The smallest array that holds n keys at an expected rate of at most p, with the fewest probes
/// that do so: `fpp(result, n) <= p`, and no k reaches p with one bit (one block) less.
/// Milliseconds at most. Throws `bad_argument` for n = 0, p outside (0, 1) or below what digests of
/// 128 bits reach (`least_fpp`), or a size above 2^63.
[[nodiscard]] shape for_rate(items n, rate p, layout_kind layout = layout_kind::classic);

/// As `for_rate` with k given. Throws also when the layout does not make k probes.
[[nodiscard]] shape for_hashes(items n, rate p, hashes k,
                               layout_kind layout = layout_kind::classic);

/// The best k for an array of m bits that will hold n keys; m is rounded down to whole blocks.
/// Throws `bad_argument` for n = 0 and when m is below one block or above 2^63.
[[nodiscard]] shape for_bits(bits m, items n, layout_kind layout = layout_kind::classic);

/// The best use of an amount of memory; it is rounded down to whole 64-bit words and blocks.
/// Throws `bad_argument` for n = 0 and when the memory is below one word or block.
[[nodiscard]] shape for_memory(bytes memory, items n, layout_kind layout = layout_kind::classic);

/// The most keys that a filter of this shape holds at an expected rate of at most p; 0 when not
/// even one key does. Throws `bad_argument` for a bad shape or p outside (0, 1).
[[nodiscard]] std::uint64_t item_capacity(const shape& of, rate p);

/// The shape of m bits (rounded down to whole blocks) that holds the most keys at the rate p.
/// Throws `bad_argument` as `for_bits`, and when m holds no key at that rate.
[[nodiscard]] shape for_bits_at_rate(bits m, rate p, layout_kind layout = layout_kind::classic);

} // namespace bloomery::plan
