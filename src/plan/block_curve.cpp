#include "block_curve.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::plan {
namespace {

// The balls after which the chance of any clear bit is lost in the last digit: e^-45 times the
// number of bits that a key asks for.
std::uint64_t saturated_after(double cells, double balls_per_key) {
    return static_cast<std::uint64_t>(std::ceil(45.0 * cells / balls_per_key)) + 1;
}

} // namespace

independent_curve::independent_curve(std::uint32_t block_bits, std::uint32_t k)
    : cells_(block_bits), k_(k), saturation_(saturated_after(block_bits, k)),
      power_(block_bits + 1), ones_(block_bits + 1, 0.0) {
    for (std::size_t x = 0; x <= block_bits; ++x) {
        power_[x] = std::pow(static_cast<double>(x) / cells_, static_cast<double>(k));
    }
    ones_[0] = 1.0;
}

double independent_curve::operator()(std::uint64_t keys) {
    if (keys >= saturation_) return 1.0;
    while (rate_.size() <= keys) add_key();
    return rate_[keys];
}

void independent_curve::add_key() {
    for (std::uint32_t probe = 0; probe < k_; ++probe) throw_ball();
    double rate = 0.0;
    for (std::size_t x = low_; x <= high_; ++x) rate += ones_[x] * power_[x];
    rate_.push_back(std::min(rate, 1.0));
}

void independent_curve::throw_ball() {
    // Only the numbers of ones that have a chance above 1e-60 are carried on: a narrow band.
    constexpr double outside = 1e-60;
    if (high_ + 1 < ones_.size()) ++high_;
    const double each = 1.0 / cells_;
    for (std::size_t x = high_; x > low_; --x) {
        const auto at = static_cast<double>(x);
        ones_[x] = (ones_[x] * at + ones_[x - 1] * (cells_ - at + 1.0)) * each;
    }
    ones_[low_] *= static_cast<double>(low_) * each;
    while (low_ < high_ && ones_[low_] < outside) ones_[low_++] = 0.0;
    while (high_ > low_ && ones_[high_] < outside) ones_[high_--] = 0.0;
}

split_curve::split_curve(std::uint32_t word_bits, std::uint32_t words)
    : log_miss_(std::log1p(-1.0 / word_bits)), words_(words),
      saturation_(saturated_after(word_bits, 1.0)) {}

double split_curve::operator()(std::uint64_t keys) const {
    return std::pow(-std::expm1(static_cast<double>(keys) * log_miss_), words_);
}

distinct_curve::distinct_curve(std::uint32_t block_bits, std::uint32_t k)
    : k_(k), saturation_(saturated_after(block_bits, k)),
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

double distinct_curve::operator()(std::uint64_t keys) {
    if (keys >= saturation_) return 1.0;
    while (rate_.size() <= keys) add_key();
    return rate_[keys];
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

} // namespace bloomery::plan
