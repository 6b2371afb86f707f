// The bounds of the other tests, against exact binomial tails.
#include "binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>

namespace bloomery {
namespace {

constexpr long double chance = 1e-9L;

struct range {
    std::uint64_t low;
    std::uint64_t high;

    friend bool operator==(const range&, const range&) = default;
    friend std::ostream& operator<<(std::ostream& out, const range& r) {
        return out << r.low << " to " << r.high;
    }
};

/// P(X = count) for X ~ Binomial(n, p).
long double probability(std::uint64_t n, long double p, std::uint64_t count) {
    const auto all = static_cast<long double>(n);
    const auto some = static_cast<long double>(count);
    return std::exp(std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1) +
                    some * std::log(p) + (all - some) * std::log1p(-p));
}

/// The counts whose own tail, P(X <= count) and P(X >= count), is likelier than 1e-9: whatever lies
/// outside is allowed to fail a test. Summed from the far ends, which hold next to nothing beyond
/// twenty standard deviations.
range exact_bounds(std::uint64_t n, double p) {
    const double mean = static_cast<double>(n) * p;
    const double far = 20 * std::sqrt(mean * (1 - p)) + 60;
    range found{static_cast<std::uint64_t>(std::max(0.0, mean - far)),
                std::min(n, static_cast<std::uint64_t>(mean + far))};
    long double tail = probability(n, p, found.low);
    while (tail <= chance) {
        tail += probability(n, p, ++found.low);
    }
    tail = probability(n, p, found.high);
    while (tail <= chance) {
        tail += probability(n, p, --found.high);
    }
    return found;
}

TEST(BinomialBounds, TheExactOnesAreKnown) {
    EXPECT_EQ(exact_bounds(1'000'000, 0.01), (range{9409, 10602}));
    EXPECT_EQ(exact_bounds(1'000'000, 0.001), (range{816, 1195}));
    EXPECT_EQ(exact_bounds(100'000, 0.03), (range{2682, 3329}));
    EXPECT_EQ(exact_bounds(100'000, 0.01), (range{817, 1194}));
    EXPECT_EQ(exact_bounds(1'000'000, 1e-4), (range{46, 166}));
    EXPECT_EQ(exact_bounds(30, 0.5), (range{1, 29})); // 2^-30 is just below 1e-9
}

TEST(BinomialBounds, AreNoNarrowerThanTheExactOnesAndHardlyWider) {
    for (const std::uint64_t n :
         {1U, 10U, 1000U, 10'000U, 100'000U, 400'000U, 1'000'000U, 2'000'000U, 4'000'000U}) {
        for (const double p : {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.5}) {
            const range exact = exact_bounds(n, p);
            const testing::bounds used = testing::binomial_bounds(n, p);
            EXPECT_TRUE(used.contain(exact.low) && used.contain(exact.high))
                << n << " at " << p << ": " << exact << ", not " << used.low << " to " << used.high;
            const auto most = static_cast<double>(n);
            EXPECT_LE(std::min(used.high, most), static_cast<double>(exact.high) + 10);
            EXPECT_GE(std::max(used.low, 0.0), static_cast<double>(exact.low) - 10);
        }
    }
}

} // namespace
} // namespace bloomery
