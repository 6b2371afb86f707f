// f(i) for a line of counters that holds i keys: one counter in each of k neighbouring words.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomery::plan {

/// The words of a line.
inline constexpr std::uint32_t words_in_line = 8;

/// Carries from key to key how likely it is that just this set of a stranger's k counters is in
/// use: 2^k positive numbers, so that no digits cancel. Every key costs 8 passes over them.
class line_curve {
public:
    line_curve(std::uint32_t counters_in_word, std::uint32_t k);
    [[nodiscard]] double operator()(std::uint64_t keys);
    /// From so many keys on f is 1 to the last digit.
    [[nodiscard]] std::uint64_t saturation() const { return saturation_; }

private:
    void add_key();

    double hit_;
    std::uint32_t k_;
    std::uint64_t saturation_;
    std::vector<double> in_use_;
    std::vector<double> rate_{0.0};
};

} // namespace bloomery::plan
