#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

// A filter of any layout with ideal hashing: sets the bits of one random key.
void add_random_key(std::vector<char>& filter, const shape& of, std::mt19937_64& random) {
    const layout_facts& facts = facts_of(of.layout);
    const std::uint64_t size = facts.block_bits == 1 ? of.bit_count : facts.block_bits;
    const std::uint64_t start = facts.block_bits == 1 ? 0 : random() % of.block_count() * size;
    for (std::uint32_t probe = 0; probe < of.hash_count; ++probe) {
        const std::uint64_t at =
            facts.words != 0 ? std::uint64_t{probe} * facts.word_bits + random() % facts.word_bits
                             : random() % size;
        filter[start + at] = 1;
    }
}

std::uint64_t ones(const std::vector<char>& filter) {
    std::uint64_t sum = 0;
    for (const char bit : filter) sum += static_cast<std::uint64_t>(bit);
    return sum;
}

struct moments {
    double mean, deviation;
};

moments of_sample(const std::vector<double>& sample) {
    double sum = 0.0;
    for (const double x : sample) sum += x;
    const double mean = sum / static_cast<double>(sample.size());
    double squares = 0.0;
    for (const double x : sample) squares += (x - mean) * (x - mean);
    return {mean, std::sqrt(squares / static_cast<double>(sample.size() - 1))};
}

} // namespace

TEST(Estimate, AMillionKeysWithinTwoHundredSixty) {
    const shape of{layout_kind::classic, 9'585'059, 7};
    const auto x = static_cast<std::uint64_t>(std::llround(expected_fill(of, 1e6) * 9'585'059));
    const cardinality found = estimate_items(of, x);
    EXPECT_NEAR(found.items, 1e6, 0.2);
    EXPECT_NEAR(found.standard_error, 260, 0.5);
    EXPECT_FALSE(found.saturated);
    const shape small{layout_kind::classic, 95'851, 7};
    EXPECT_NEAR(estimate_items(small, 49'700).standard_error, 26.0, 0.6);
}

TEST(Estimate, DeviationOfTheOnesIsThePublishedOne) {
    const shape of{layout_kind::classic, 9'585'059, 7};
    const double a = 7e6 / 9'585'059;
    const double published = std::sqrt(9'585'059 * std::exp(-a) * (1 - (1 + a) * std::exp(-a)));
    EXPECT_NEAR(ones_deviation(of, 1e6), published, published * 1e-5);
    EXPECT_EQ(ones_deviation(of, 0.0), 0.0);
}

TEST(Estimate, BlockedAndSplitInvertTheirOwnFill) {
    for (const layout_facts& facts : all_layouts) {
        const std::uint32_t k = facts.fixed_hashes != 0 ? facts.fixed_hashes : 6;
        const shape of{facts.kind, 5'120'000, k};
        const auto x =
            static_cast<std::uint64_t>(std::llround(expected_fill(of, 400'000) * 5.12e6));
        EXPECT_NEAR(estimate_items(of, x).items, 400'000, 0.5) << facts.name;
    }
    // -blocks ln(1-fill) / (1-(1-1/B)^k), for many blocks.
    const shape blocked{layout_kind::blocked_512, 5'120'000, 6};
    const double published = -1e4 * std::log(0.6) / (1.0 - std::pow(1.0 - 1.0 / 512, 6));
    EXPECT_NEAR(estimate_items(blocked, 2'048'000).items, published, published * 1e-4);
}

// Small filters, many times: mean and spread of ones and estimates are the predicted ones.
TEST(Estimate, ErrorsAreThoseOfSimulatedFilters) {
    std::mt19937_64 random(4711);
    for (const layout_facts& facts : all_layouts) {
        const std::uint32_t k = facts.fixed_hashes != 0 ? facts.fixed_hashes : 6;
        const shape of{facts.kind, std::uint64_t{8} * 512, k};
        constexpr int trials = 1500;
        std::vector<double> counts;
        std::vector<double> found;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<char> filter(of.bit_count, 0);
            for (int key = 0; key < 400; ++key) add_random_key(filter, of, random);
            counts.push_back(static_cast<double>(ones(filter)));
            found.push_back(estimate_items(of, ones(filter)).items);
        }
        const double deviation = ones_deviation(of, 400);
        EXPECT_NEAR(of_sample(counts).mean, expected_fill(of, 400) * 4096,
                    6.5 * deviation / std::sqrt(trials))
            << facts.name;
        // The sample sd of 1500 values scatters by 1/sqrt(3000) = 1.8 %.
        EXPECT_NEAR(of_sample(counts).deviation / deviation, 1.0, 0.12) << facts.name;
        const auto x = static_cast<std::uint64_t>(expected_fill(of, 400) * 4096);
        EXPECT_NEAR(of_sample(found).deviation / estimate_items(of, x).standard_error, 1.0, 0.13)
            << facts.name;
    }
}

TEST(Estimate, OverlapAndItsErrorAreThoseOfSimulatedFilters) {
    std::mt19937_64 random(99);
    const shape of{layout_kind::classic, 9600, 7};
    std::vector<double> both;
    overlap last{};
    for (int trial = 0; trial < 800; ++trial) {
        std::vector<char> shared(of.bit_count, 0);
        for (int key = 0; key < 500; ++key) add_random_key(shared, of, random);
        std::vector<char> left = shared;
        std::vector<char> right = shared;
        for (int key = 0; key < 500; ++key) add_random_key(left, of, random);
        for (int key = 0; key < 500; ++key) add_random_key(right, of, random);
        std::vector<char> all = left;
        for (std::size_t i = 0; i < all.size(); ++i) all[i] |= right[i];
        last = estimate_overlap(of, ones(left), ones(right), ones(all));
        both.push_back(last.both);
    }
    const moments seen = of_sample(both);
    EXPECT_NEAR(seen.mean, 500, 6.5 * seen.deviation / std::sqrt(800.0) + 0.5);
    EXPECT_NEAR(seen.deviation / last.standard_error, 1.0, 0.2);
    EXPECT_FALSE(last.below_noise);
    EXPECT_NEAR(last.jaccard, 1.0 / 3.0, 0.05);
}

TEST(Estimate, DisjointFiltersAreBelowNoise) {
    const shape of{layout_kind::classic, 9'585'059, 7};
    const auto at = [&](double n) {
        return static_cast<std::uint64_t>(std::llround(expected_fill(of, n) * 9'585'059));
    };
    const overlap none = estimate_overlap(of, at(5e5), at(5e5), at(999'900));
    EXPECT_TRUE(none.below_noise);
    EXPECT_NEAR(none.both, 100, 2);
    const overlap some = estimate_overlap(of, at(1e6), at(1e6), at(1.5e6));
    EXPECT_FALSE(some.below_noise);
    EXPECT_NEAR(some.both, 5e5, 2);
    EXPECT_GE(estimate_overlap(of, 100, 100, 200).both, 0.0);
}

TEST(Estimate, FullFiltersSayThatTheyAreFull) {
    const cardinality full = estimate_items({layout_kind::classic, 64, 3}, 64);
    EXPECT_TRUE(full.saturated);
    EXPECT_TRUE(std::isinf(full.items));
    EXPECT_TRUE(estimate_overlap({layout_kind::classic, 64, 3}, 60, 60, 64).saturated);
    EXPECT_EQ(estimate_items({layout_kind::classic, 64, 3}, 0).items, 0.0);
    EXPECT_DOUBLE_EQ(rate_of_fill({64}, {3}, 32), 0.125);
}

TEST(Estimate, RefusesImpossibleCounts) {
    const shape of{layout_kind::classic, 64, 3};
    EXPECT_THROW((void)estimate_items(of, 65), bad_argument);
    EXPECT_THROW((void)estimate_overlap(of, 10, 10, 9), bad_argument);
    EXPECT_THROW((void)estimate_overlap(of, 10, 10, 21), bad_argument);
    EXPECT_THROW((void)expected_fill(of, -1.0), bad_argument);
    EXPECT_THROW((void)ones_deviation(of, std::nan("")), bad_argument);
    EXPECT_THROW((void)rate_of_fill({64}, {3}, 65), bad_argument);
}
