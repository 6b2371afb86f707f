// f(i), the rate of a block that holds i keys, for one layout and k; caches what it computed.
#pragma once

#include <bloomery/detail/plan/layout_kind.hpp>

#include "occupancy.hpp"

#include <cstdint>
#include <vector>

namespace bloomery::inline v0::plan {

/// A curve that is computed from key to key, up to the largest number asked for. `Self` has
/// add_key(), which appends to rate_.
template <class Self>
class stepwise_curve {
public:
    [[nodiscard]] double operator()(std::uint64_t keys) {
        if (keys >= saturation_) return 1.0;
        while (rate_.size() <= keys) static_cast<Self*>(this)->add_key();
        return rate_[keys];
    }
    /// From so many keys on f is 1 to the last digit.
    [[nodiscard]] std::uint64_t saturation() const { return saturation_; }

protected:
    explicit stepwise_curve(std::uint64_t saturation) : saturation_(saturation) {}

    std::uint64_t saturation_;
    std::vector<double> rate_{0.0};
};

/// k independent probes in a block: the exact distribution of its ones is carried from key to key,
/// in k small passes per key.
class independent_curve : public stepwise_curve<independent_curve> {
public:
    independent_curve(std::uint32_t block_bits, std::uint32_t k);

private:
    friend stepwise_curve;
    void add_key();

    std::uint32_t k_;
    std::vector<double> power_; // (x/B)^k
    throws ones_;
};

/// One bit in each word of a block.
class split_curve {
public:
    split_curve(std::uint32_t word_bits, std::uint32_t words);
    [[nodiscard]] double operator()(std::uint64_t keys) const;
    [[nodiscard]] std::uint64_t saturation() const { return saturation_; }

private:
    double log_miss_;
    double words_;
    std::uint64_t saturation_;
};

} // namespace bloomery::inline v0::plan
