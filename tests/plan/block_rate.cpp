// Blocks that are not equally full.
#include <bloomery/plan/rates.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

double one_bit_per_word(std::uint64_t keys, std::uint32_t word_bits, std::uint32_t words) {
    return std::pow(1 - std::pow(1 - 1.0 / word_bits, static_cast<double>(keys)), words);
}

// The mixture written out with factorials, for few keys.
double by_binomial(const shape& of, std::uint64_t n) {
    const layout_facts& facts = facts_of(of.layout);
    const double share = 1.0 / static_cast<double>(of.block_count());
    double sum = 0.0;
    for (std::uint64_t i = 0; i <= n; ++i) {
        const auto keys = static_cast<double>(i);
        const auto rest = static_cast<double>(n - i);
        const double log_choose = std::lgamma(static_cast<double>(n) + 1.0) -
                                  std::lgamma(keys + 1.0) - std::lgamma(rest + 1.0);
        const double f = facts.words != 0 ? one_bit_per_word(i, facts.word_bits, facts.words)
                                          : classic_rate({i}, {facts.block_bits}, {of.hash_count});
        sum += std::exp(log_choose + keys * std::log(share) + rest * std::log1p(-share)) * f;
    }
    return sum;
}

} // namespace

TEST(BlockRate, IsTheBinomialMixtureForFewBlocks) {
    for (const std::uint64_t blocks : {2U, 3U, 7U, 63U, 200U}) {
        for (const std::uint64_t n : {1U, 5U, 40U, 300U}) {
            for (const layout_facts& facts : all_layouts) {
                if (facts.block_bits == 1) continue;
                const std::uint32_t k = facts.fixed_hashes != 0 ? facts.fixed_hashes : 6;
                const shape of{facts.kind, blocks * facts.block_bits, k};
                const double expected = by_binomial(of, n);
                EXPECT_NEAR(expected_rate(of, items{n}), expected, 1e-10 * expected)
                    << facts.name << ' ' << blocks << ' ' << n;
            }
        }
    }
}

TEST(BlockRate, OneBlockIsOneSmallFilter) {
    const double block = expected_rate({layout_kind::blocked_512, 512, 6}, items{51});
    EXPECT_NEAR(block, classic_rate({51}, {512}, {6}), 1e-12);
    EXPECT_NEAR(expected_rate({layout_kind::split_8x64, 512, 8}, items{51}),
                one_bit_per_word(51, 64, 8), 1e-15);
}

TEST(BlockRate, TendsToThePoissonMixture) {
    for (const layout_facts& facts : all_layouts) {
        if (facts.block_bits == 1) continue;
        const std::uint32_t k = facts.fixed_hashes != 0 ? facts.fixed_hashes : 7;
        const shape of{facts.kind, 12'000'000'000U / facts.block_bits * facts.block_bits, k};
        const double limit = limit_rate(facts.kind, {k}, 12.0);
        EXPECT_NEAR(expected_rate(of, items{1'000'000'000}) / limit, 1.0, 1e-5) << facts.name;
    }
}

TEST(BlockRate, TellsFewBlocksFromMany) {
    // Three blocks share their keys more evenly than Poisson says: 5 % lower.
    const shape of{layout_kind::split_8x64, 1536, 8};
    EXPECT_LT(expected_rate(of, items{154}),
              0.97 * limit_rate(layout_kind::split_8x64, {8}, 3 * 512 / 154.0));
}

TEST(BlockRate, FullFiltersSayYes) {
    for (const layout_facts& facts : all_layouts) {
        const std::uint32_t k = facts.fixed_hashes != 0 ? facts.fixed_hashes : 1;
        const shape of{facts.kind, std::uint64_t{512} * 4, k};
        EXPECT_EQ(expected_rate(of, items{1'000'000'000'000'000}), 1.0) << facts.name;
        EXPECT_EQ(expected_rate(of, items{0}), 0.0) << facts.name;
    }
}

TEST(BlockRate, IsWhatSimulatedBlocksShow) {
    std::mt19937_64 random(77);
    constexpr std::uint64_t blocks = 5;
    constexpr std::uint64_t n = 60;
    constexpr int trials = 40'000;
    int positives = 0;
    std::vector<std::uint32_t> words(blocks * 8);
    for (int trial = 0; trial < trials; ++trial) {
        std::fill(words.begin(), words.end(), 0U);
        for (std::uint64_t key = 0; key < n; ++key) {
            const std::uint64_t block = random() % blocks;
            for (std::uint64_t w = 0; w < 8; ++w) words[block * 8 + w] |= 1U << (random() % 32);
        }
        const std::uint64_t block = random() % blocks;
        bool hit = true;
        for (std::uint64_t w = 0; w < 8; ++w) {
            hit = (words[block * 8 + w] >> (random() % 32) & 1U) != 0 && hit;
        }
        positives += hit ? 1 : 0;
    }
    const double p = expected_rate({layout_kind::split_8x32, blocks * 256, 8}, items{n});
    EXPECT_NEAR(positives, trials * p, 6.5 * std::sqrt(trials * p * (1.0 - p)));
    EXPECT_GT(p, 1e-4);
}
