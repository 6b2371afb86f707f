// The integer mixers are good enough that the high bits of their result can be used directly. The
// low bits are not, and no layout uses them directly: it multiplies a digest, or reads it from the
// top.
#include <bloomery/detail/hash/mix.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace hash = bloomery::hash;

namespace {

// 6.5 standard deviations: over the 4096 cells below, a good mixer fails once in a few million.
constexpr double deviations = 6.5;

template <class Mixer>
void expect_avalanche(Mixer mixer, std::size_t lowest) {
    constexpr int keys = 4096;
    std::array<std::array<int, 64>, 64> flips{};
    std::mt19937_64 random(7);
    for (int n = 0; n < keys; ++n) {
        const std::uint64_t key = random();
        const std::uint64_t plain = mixer(key);
        for (std::size_t in = 0; in < 64; ++in) {
            const std::uint64_t changed = plain ^ mixer(key ^ (std::uint64_t{1} << in));
            for (std::size_t out = 0; out < 64; ++out) {
                flips[in][out] += static_cast<int>((changed >> out) & 1);
            }
        }
    }
    const double bound = deviations * std::sqrt(keys * 0.25);
    for (std::size_t in = 0; in < 64; ++in) {
        for (std::size_t out = lowest; out < 64; ++out) {
            EXPECT_NEAR(flips[in][out], keys / 2.0, bound) << in << " to " << out;
        }
    }
}

/// Pearson's statistic of 65536 values in 256 cells that should be equally full.
template <class Cell>
double chi_square(Cell cell) {
    constexpr std::uint64_t keys = 65536;
    std::array<int, 256> count{};
    for (std::uint64_t key = 0; key < keys; ++key) {
        const std::size_t at = cell(key);
        ++count[at];
    }
    double sum = 0;
    for (const int c : count) {
        sum += (c - 256.0) * (c - 256.0) / 256.0;
    }
    return sum;
}

const double chi_square_bound = 255 + deviations * std::sqrt(2 * 255.0);

constexpr std::size_t well_mixed = 20; // the lowest bit from which on the keys are

TEST(Mix64, EachKeyBitFlipsEachHighDigestBitHalfTheTime) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}}) {
        expect_avalanche([=](std::uint64_t key) { return hash::mix64(key, seed); }, well_mixed);
    }
}

TEST(Mix64, EachSeedBitFlipsEachDigestBitHalfTheTime) {
    expect_avalanche([](std::uint64_t seed) { return hash::mix64(42, seed); }, 0);
}

TEST(Mix128, HighWordAvalanchesToo) {
    expect_avalanche([](std::uint64_t key) { return hash::mix128(key, 5).high; }, well_mixed);
}

TEST(Mix64, CountingKeysFillTheHighBitsEvenly) {
    EXPECT_LT(chi_square([](std::uint64_t key) { return hash::mix64(key, 0) >> 56; }),
              chi_square_bound);
    EXPECT_LT(chi_square([](std::uint64_t key) { return hash::mix64(key << 32, 0) >> 56; }),
              chi_square_bound);
}

TEST(Mix128, WordsAreIndependentOfEachOther) {
    EXPECT_LT(chi_square([](std::uint64_t key) {
                  const bloomery::digest128 digest = hash::mix128(key, 0);
                  return (digest.low >> 60 << 4) | digest.high >> 60;
              }),
              chi_square_bound);
}

TEST(Mix64, ADifferentSeedIsADifferentOrderNotAShift) {
    // If seeds shifted the key space, mixing (key ^ shift) under one would be mixing key under the
    // other, for one and the same shift.
    int hits = 0;
    for (std::uint64_t shift = 0; shift < 65536; ++shift) {
        hits += hash::mix64(3 ^ shift, 0) == hash::mix64(3, 1) &&
                hash::mix64(9 ^ shift, 0) == hash::mix64(9, 1);
    }
    EXPECT_EQ(hits, 0);
}

} // namespace
