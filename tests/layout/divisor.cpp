// Remainders by a reciprocal, against the division they replace.
#include <bloomery/detail/layout/divisor.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace bloomery::layout {
namespace {

/// Numbers at which a rounded reciprocal could be off: powers of two, their neighbours, the ends.
std::vector<std::uint64_t> edges() {
    std::vector<std::uint64_t> found{0, 1, 2, 3, 5, 6, 7, 10, 641, 6'700'417, ~std::uint64_t{0}};
    for (unsigned power = 1; power < 64; ++power) {
        const std::uint64_t two = std::uint64_t{1} << power;
        found.insert(found.end(), {two - 1, two, two + 1, 0 - two, 0 - two - 1, two + two / 2});
    }
    return found;
}

void expect_remainders(std::uint64_t m, std::uint64_t x) {
    const divisor by(m);
    // Around every multiple near x, where the quotient changes.
    const std::uint64_t multiple = x / m * m;
    for (const std::uint64_t near : {x, multiple, multiple - 1, multiple + 1, 0 - x}) {
        ASSERT_EQ(near % by, near % m) << near << " % " << m;
    }
}

TEST(Divisor, IsExactAtTheEdges) {
    for (const std::uint64_t m : edges()) {
        for (const std::uint64_t x : edges()) {
            if (m != 0) {
                expect_remainders(m, x);
            }
        }
    }
}

TEST(Divisor, IsExactForRandomNumbersOfEveryLength) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 300'000; ++round) {
        const std::uint64_t m = (random() >> (random() % 64)) | 1U;
        expect_remainders(m, random() >> (random() % 64));
        expect_remainders((m & ~std::uint64_t{1}) | 2U, random());
    }
}

// All numbers of bits up to a few thousand: small filters are the ones that tests of formats use.
TEST(Divisor, IsExactForAllSmallSizes) {
    std::mt19937_64 random(11);
    for (std::uint64_t m = 1; m < 5000; ++m) {
        for (int round = 0; round < 40; ++round) {
            expect_remainders(m, random());
        }
    }
}

TEST(Divisor, IsUsableWhenCompiling) {
    static_assert(std::uint64_t{1'000'003} % divisor(1000) == 3);
    static_assert(guava_64_scheme::reduce(~std::uint64_t{0}, 10) == 5);
    EXPECT_EQ(divisor(12).value(), 12U);
}

// Signed remainders of the originals, which take the magnitude first.
TEST(Divisor, KeepsTheMagnitudeOfSignedRemainders) {
    const auto least = std::uint64_t{1} << 63U;
    EXPECT_EQ(cassandra_scheme::reduce(least, 1000), least % 1000);
    EXPECT_EQ(cassandra_scheme::reduce(~std::uint64_t{0}, 1000), 1U);
    EXPECT_EQ(cassandra_scheme::reduce(0 - std::uint64_t{1234}, 1000), 234U);
}

} // namespace
} // namespace bloomery::layout
