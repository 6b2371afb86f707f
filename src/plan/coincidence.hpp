// How often the odd probes of two Redisson keys coincide.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace bloomery::inline v0::plan {

/// Redisson's probes are h1, s, s + h1, 2s, 2s + h1, ... of two hashes h1 and s. Every second one,
/// called odd here, is a multiple of s alone, so one condition on the s of two keys, such as
/// s' = 2s, makes several of them meet at once.
///
/// Sums lose their sign before the remainder by m is taken: with x = s / 2^63 without its integer
/// part, the place of the multiple j is j s - floor(j x) 2^63 modulo m. So the multiple i of a
/// stored key meets the multiple j of a query for s' = (j s + (floor(i x') - floor(j x)) 2^63) / i,
/// and two pairs (i, j) are one condition if both coefficients are equal. The floors depend only on
/// which interval between fractions with denominators up to `count` x and x' lie in; all lengths
/// are multiples of one fraction, so that everything here is counted in whole numbers.
class coincidence {
public:
    /// For so many odd probes, 0 to 10; made at the first use. Milliseconds, then O(1); any number
    /// of threads.
    [[nodiscard]] static const coincidence& of(std::uint32_t count);

    /// P(all odd probes of an absent key are set), with `load` keys a bit, each of which has `even`
    /// other probes. Without loss of digits for any load. Microseconds, or a millisecond if the
    /// load is small.
    [[nodiscard]] double all_set(double load, std::uint32_t even) const;

private:
    explicit coincidence(std::uint32_t count);

    /// One summand of inclusion and exclusion: so many probes of a query are left clear, by keys
    /// that avoid `conditions` / unit_ solutions.
    struct summand {
        std::uint32_t probes;
        std::uint64_t conditions;
        double factor;
    };
    /// Queries whose x lies in one interval, and each set of probes that a condition sets at once,
    /// with the number of its conditions, times unit_.
    struct interval {
        double share;
        std::vector<std::pair<std::uint32_t, std::uint64_t>> sets;
    };

    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint64_t>>
    sets_at(const std::vector<std::uint64_t>& points, std::uint64_t x) const;
    void add_summands(const interval& at, std::uint64_t length);
    [[nodiscard]] double by_exclusion(double load, std::uint32_t even) const;
    [[nodiscard]] double by_cases(double load, std::uint32_t even) const;

    std::uint32_t count_;
    std::uint64_t unit_ = 1; ///< all fractions are multiples of 1 / unit_
    std::vector<interval> intervals_;
    std::vector<summand> summands_;
};

} // namespace bloomery::inline v0::plan
