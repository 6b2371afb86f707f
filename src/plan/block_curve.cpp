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

distinct_curve::distinct_curve(std::uint32_t block_bits, std::uint32_t k)
    : stepwise_curve(saturated_after(block_bits, k)), k_(k),
      hits_((std::size_t{k} + 1) * (std::size_t{k} + 1), 0.0), missing_(std::size_t{k} + 1, 0.0) {
    // Hypergeometric: k different bits are drawn, one after the other, next to r marked ones.
    const double cells = block_bits;
    for (std::uint32_t r = 0; r <= k; ++r) {
        double* const row = &hits_[std::size_t{r} * (k + 1)];
        row[0] = 1.0;
        for (std::uint32_t drawn = 0; drawn < k; ++drawn) {
            for (std::uint32_t h = std::min(drawn + 1, r); h > 0; --h) {
                const double again = (cells - drawn - (r - h)) / (cells - drawn);
                const double found = static_cast<double>(r - h + 1) / (cells - drawn);
                row[h] = row[h] * again + row[h - 1] * found;
            }
            row[0] *= (cells - drawn - r) / (cells - drawn);
        }
    }
    missing_[k] = 1.0;
}

void distinct_curve::add_key() {
    for (std::uint32_t left = 0; left <= k_; ++left) {
        double sum = 0.0;
        for (std::uint32_t before = left; before <= k_; ++before) {
            sum += missing_[before] * hits_[std::size_t{before} * (k_ + 1) + (before - left)];
        }
        missing_[left] = sum;
    }
    rate_.push_back(std::min(missing_[0], 1.0));
}

} // namespace bloomery::inline v0::plan
