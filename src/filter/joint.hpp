// The statistics of several filters that are asked one after another.
#pragma once

#include <bloomery/filter/statistics.hpp>

#include <cmath>

namespace bloomery {

/// The rate at which any of them says "maybe" to an absent key.
class joint_rate {
public:
    void add(double rate) noexcept { none_ += std::log1p(-rate); }
    [[nodiscard]] double value() const noexcept { return -std::expm1(none_); }

private:
    double none_ = 0; // the logarithm of the chance that none says "maybe"
};

/// Sums over filters that hold different keys.
class joint_statistics {
public:
    void add(const statistics& one) noexcept {
        all_.bit_count += one.bit_count;
        all_.bits_set += one.bits_set;
        all_.items.items += one.items.items;
        all_.items.saturated = all_.items.saturated || one.items.saturated;
        variance_ += one.items.standard_error * one.items.standard_error;
        rate_.add(one.expected_fpp);
    }
    [[nodiscard]] statistics value() const noexcept {
        statistics all = all_;
        all.items.standard_error = std::sqrt(variance_);
        all.fill_ratio = all.bit_count == 0 ? 0
                                            : static_cast<double>(all.bits_set) /
                                                  static_cast<double>(all.bit_count);
        all.expected_fpp = rate_.value();
        return all;
    }

private:
    statistics all_;
    joint_rate rate_;
    double variance_ = 0;
};

} // namespace bloomery
