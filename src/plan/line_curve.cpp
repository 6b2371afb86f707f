#include "line_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bloomery::inline v0::plan {

line_curve::line_curve(std::uint32_t counters_in_word, std::uint32_t k)
    // e^-45 is lost in the last digit; a key hits a given counter with the chance hit k / 8.
    : stepwise_curve(static_cast<std::uint64_t>(
                         std::ceil(45.0 * words_in_line / (1.0 / counters_in_word * k))) +
                     1),
      hit_(1.0 / counters_in_word), k_(k), in_use_(std::size_t{1} << k, 0.0) {
    in_use_[0] = 1.0;
}

void line_curve::add_key() {
    std::vector<double> after(in_use_.size(), 0.0);
    std::vector<double> moved;
    for (std::uint32_t start = 0; start < words_in_line; ++start) {
        moved = in_use_;
        for (std::uint32_t word = 0; word < k_; ++word) { // the stranger's words are 0 to k - 1
            if ((word + words_in_line - start) % words_in_line >= k_) continue;
            const std::size_t bit = std::size_t{1} << word;
            for (std::size_t set = 0; set < moved.size(); ++set) {
                if ((set & bit) != 0) continue;
                moved[set | bit] += moved[set] * hit_;
                moved[set] -= moved[set] * hit_;
            }
        }
        for (std::size_t set = 0; set < after.size(); ++set) {
            after[set] += moved[set] / words_in_line;
        }
    }
    in_use_ = after;
    rate_.push_back(std::min(in_use_.back(), 1.0));
}

} // namespace bloomery::inline v0::plan
