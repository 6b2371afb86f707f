#include "block_curve.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::inline v0::plan {
namespace {

// The balls after which the chance of any clear bit is lost in the last digit: e^-45 times the
// number of bits that a key asks for.
std::uint64_t saturated_after(double cells, double balls_per_key) {
    return static_cast<std::uint64_t>(std::ceil(45.0 * cells / balls_per_key)) + 1;
}

} // namespace

independent_curve::independent_curve(std::uint32_t block_bits, std::uint32_t k)
    : stepwise_curve(saturated_after(block_bits, k)), k_(k), power_(block_bits + 1),
      ones_(block_bits, block_bits, 1e-60, true) {
    for (std::size_t x = 0; x <= block_bits; ++x) {
        power_[x] = std::pow(static_cast<double>(x) / ones_.cells, static_cast<double>(k));
    }
}

void independent_curve::add_key() {
    for (std::uint32_t probe = 0; probe < k_; ++probe) ones_.one_more();
    double rate = 0.0;
    for (std::size_t x = ones_.low; x <= ones_.high; ++x) rate += ones_.hit[x] * power_[x];
    rate_.push_back(std::min(rate, 1.0));
}

split_curve::split_curve(std::uint32_t word_bits, std::uint32_t words)
    : log_miss_(std::log1p(-1.0 / word_bits)), words_(words),
      saturation_(saturated_after(word_bits, 1.0)) {}

double split_curve::operator()(std::uint64_t keys) const {
    return std::pow(-std::expm1(static_cast<double>(keys) * log_miss_), words_);
}

} // namespace bloomery::inline v0::plan
