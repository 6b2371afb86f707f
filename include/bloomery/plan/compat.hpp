// The sizes that other libraries compute, to the bit.
//
// They use the textbook formula m = -n ln p / (ln 2)^2 and differ in how they round it. The same
// operations are made on doubles in the same order, because one ulp decides a truncation; the
// tables in tests/data/plan/compat.json come from running those libraries.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>

namespace bloomery::plan {

/// What a foreign library would choose. Its k may exceed the native 64.
struct compat_shape {
    std::uint64_t bit_count;
    std::uint32_t hash_count;
    friend constexpr bool operator==(const compat_shape&, const compat_shape&) = default;
};

/// Guava up to 33.3: m truncated, k = round(m / n ln 2) from that m. n = 0 counts as 1, as there.
/// The array that Guava allocates is m rounded up to 64. Throws `bad_argument` where Guava refuses:
/// p outside (0, 1), m = 0, k above 255, 2^31 words or more.
[[nodiscard]] compat_shape guava_shape(items n, rate p);

/// Guava from 33.4: the same m, k = round(-ln p / ln 2). Throws as `guava_shape`.
[[nodiscard]] compat_shape guava_33_4_shape(items n, rate p);

/// bits-and-blooms for Go, EstimateParameters: both rounded up. Throws `bad_argument` for n = 0 and
/// p outside (0, 1), where Go returns nonsense.
[[nodiscard]] compat_shape go_shape(items n, rate p);

/// Redisson: Guava's older rule, with at most 4294967294 bits. p = 0 means the smallest double, as
/// there. Throws `bad_argument` for n = 0, p outside [0, 1), m = 0 or m too large.
[[nodiscard]] compat_shape redisson_shape(items n, rate p);

} // namespace bloomery::plan
