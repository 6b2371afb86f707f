// f(i), the rate of a block that holds i keys, for one layout and k; remembers what it computed.
#pragma once

#include <bloomery/plan/layout_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::plan {

/// k independent probes in a block: the exact distribution of its ones is carried from key to key,
/// which costs k small passes a key and makes every f(i) up to the largest one asked for.
class independent_curve {
public:
    independent_curve(std::uint32_t block_bits, std::uint32_t k);
    [[nodiscard]] double operator()(std::uint64_t keys);
    /// From so many keys on f is 1 to the last digit.
    [[nodiscard]] std::uint64_t saturation() const { return saturation_; }

private:
    void add_key();
    void throw_ball();

    double cells_;
    std::uint32_t k_;
    std::uint64_t saturation_;
    std::vector<double> power_; // (x/B)^k
    std::vector<double> ones_;  // P(x ones), zero outside [low_, high_]
    std::size_t low_ = 0;
    std::size_t high_ = 0;
    std::vector<double> rate_{0.0};
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

/// k different bits in a block (a reference, no native layout draws so).
class distinct_curve {
public:
    distinct_curve(std::uint32_t block_bits, std::uint32_t k);
    [[nodiscard]] double operator()(std::uint64_t keys);
    [[nodiscard]] std::uint64_t saturation() const { return saturation_; }

private:
    void add_key();

    std::uint32_t k_;
    std::uint64_t saturation_;
    std::vector<double> hits_;    // row r: P(a key hits h of r given bits)
    std::vector<double> missing_; // P(r bits of the asked key are still clear)
    std::vector<double> rate_{0.0};
};

} // namespace bloomery::plan
