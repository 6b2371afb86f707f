// f(i) for a line of counters that holds i keys: one counter in each of k neighbouring words.
#pragma once

#include "block_curve.hpp"

#include <cstdint>
#include <vector>

namespace bloomery::inline v0::plan {

/// The words of a line.
inline constexpr std::uint32_t words_in_line = 8;

/// Carries from key to key how likely it is that just this set of a stranger's k counters is in
/// use: 2^k positive numbers, so that no digits cancel. Every key costs 8 passes over them.
class line_curve : public stepwise_curve<line_curve> {
public:
    line_curve(std::uint32_t counters_in_word, std::uint32_t k);

private:
    friend stepwise_curve;
    void add_key();

    double hit_;
    std::uint32_t k_;
    std::vector<double> in_use_;
};

} // namespace bloomery::inline v0::plan
