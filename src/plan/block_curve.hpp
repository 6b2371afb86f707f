// f(i), the rate of a block that holds i keys, for one layout and k; caches what it computed.
//
// A key goes to one block and all its probes stay there (Putze, Sanders, Singler 2007), so a block
// with i keys is a small Bloom filter with the rate f(i), and the filter's rate is the mean of f
// over the load of a block. The load is Binomial(n, 1/blocks). It is used directly: each term
// follows from the previous one by one multiplication, so the usual Poisson approximation would
// gain nothing, and a filter of three blocks is sized as accurately as one of a billion.
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

/// One bit in each of w words of s bits: f(i) = (1-(1-1/s)^i)^w.
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
