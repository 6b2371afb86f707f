// The rate of Redisson's probes, against the scheme itself, and the sizes of split filters.
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using namespace bloomery;
using namespace bloomery::plan;
using namespace bloomery::literals;

namespace {

/// What a long simulation found: random digests, several filters of n keys, absent keys asked.
struct simulation {
    std::uint64_t n, m;
    std::uint32_t k;
    std::uint64_t filters, queries, hits; ///< queries and hits of all filters together
};

// By redisson_scheme with std::mt19937_64 as the hash.
constexpr simulation simulations[]{
    {1, 17, 4, 10'000, 10'000'000, 67'636},
    {1, 107, 5, 20'000, 200'000'000, 6759},
    {10, 109, 7, 20'000, 20'000'000, 168'309},
    {10, 391, 7, 10'000, 200'000'000, 10'760},
    {100, 997, 7, 10'000, 100'000'000, 971'888},
    {1000, 9587, 7, 3000, 300'000'000, 3'390'162},
    {1000, 14'389, 10, 1000, 300'000'000, 434'620},
    {1000, 20'611, 15, 400, 400'000'000, 39'047},
    {1000, 28'759, 20, 100, 2'000'000'000, 14'139},
    {10'000, 328'007, 19, 60, 600'000'000, 691},
    {100'000, 481'001, 3, 40, 12'000'000, 1'198'158},
    {100'000, 720'011, 5, 40, 40'000'000, 1'347'942},
    {100'000, 479'009, 7, 40, 12'000'000, 1'941'266},
    {100'000, 958'507, 7, 40, 40'000'000, 452'038},
    {100'000, 1'917'017, 7, 10, 100'000'000, 36'598},
    {100'000, 1'438'003, 10, 10, 100'000'000, 143'621},
    {100'000, 1'501'609, 11, 20, 200'000'000, 200'716},
    {100'000, 3'271'379, 19, 8, 800'000'000, 787},
    {100'000, 2'875'001, 20, 8, 800'000'000, 3677},
    {1'000'000, 9'585'071, 7, 4, 40'000'000, 451'685},
    {1'000'000, 20'000'003, 14, 4, 400'000'000, 53'748},
};

/// How far the hits may be from `rate`: by chance of the queries, and of the filters' fill.
double tolerance(const simulation& of, double rate) {
    const shape s{layout_kind::classic, of.m, of.k};
    const auto n = static_cast<double>(of.n);
    const double fill = expected_fill(s, n);
    const double of_filters = rate * of.k * ones_deviation(s, n) /
                              (fill * static_cast<double>(of.m)) /
                              std::sqrt(static_cast<double>(of.filters));
    const double of_queries = std::sqrt(rate / static_cast<double>(of.queries));
    return 6 * std::hypot(of_filters, of_queries);
}

std::vector<std::uint64_t> filled(std::mt19937_64& digests, std::uint64_t n, std::uint64_t m,
                                  std::uint32_t k) {
    std::vector<std::uint64_t> words(m / 64 + 1);
    for (std::uint64_t i = 0; i < n; ++i) {
        const digest128 key{digests(), digests()};
        auto walk = layout::redisson_scheme::walk(key);
        for (std::uint32_t j = 0; j < k; ++j) {
            const std::uint64_t at = walk.next() % m;
            words[at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }
    return words;
}

std::uint64_t claimed(std::mt19937_64& digests, const std::vector<std::uint64_t>& words,
                      std::uint64_t m, std::uint32_t k, std::uint64_t queries) {
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < queries; ++i) {
        const digest128 key{digests(), digests()};
        auto walk = layout::redisson_scheme::walk(key);
        bool all = true;
        for (std::uint32_t j = 0; j < k && all; ++j) {
            const std::uint64_t at = walk.next() % m;
            all = (words[at / 64] >> (at % 64) & 1) != 0;
        }
        hits += all ? 1U : 0U;
    }
    return hits;
}

double rate_of(const split_shape& of, std::uint64_t n) {
    return redisson_rate({n}, {of.shard_bits}, {of.hash_count});
}

} // namespace

TEST(RedissonRate, IsThatOfLongSimulations) {
    for (const simulation& of : simulations) {
        const double rate = redisson_rate({of.n}, {of.m}, {of.k});
        const double found = static_cast<double>(of.hits) / static_cast<double>(of.queries);
        // Of small filters it promises not to be too low, and to be close.
        const double slack = 3.0 * static_cast<double>(of.n) /
                             (static_cast<double>(of.m) * static_cast<double>(of.m));
        EXPECT_LE(found, rate + tolerance(of, rate)) << of.n << " keys, k = " << of.k;
        EXPECT_GE(found, rate * (1 - of.k * of.k / static_cast<double>(of.m)) - slack -
                             tolerance(of, rate))
            << of.n << " keys, k = " << of.k;
    }
}

TEST(RedissonRate, IsThatOfTheSchemeItself) {
    std::mt19937_64 digests(1);
    for (const simulation& of : {simulation{20'000, 191'707, 7, 10, 400'000, 0},
                                 simulation{20'000, 287'603, 10, 10, 1'000'000, 0}}) {
        std::uint64_t hits = 0;
        for (std::uint64_t i = 0; i < of.filters; ++i) {
            const auto words = filled(digests, of.n, of.m, of.k);
            hits += claimed(digests, words, of.m, of.k, of.queries / of.filters);
        }
        const double rate = redisson_rate({of.n}, {of.m}, {of.k});
        const double found = static_cast<double>(hits) / static_cast<double>(of.queries);
        EXPECT_NEAR(found, rate, tolerance(of, rate)) << of.k;
        EXPECT_GT(found, classic_rate({of.n}, {of.m}, {of.k}) + tolerance(of, rate)) << of.k;
    }
}

TEST(RedissonRate, IsWorseThanIndependentProbesFromFourOn) {
    EXPECT_NEAR(redisson_rate({1'000'000}, {9'585'071}, {7}) /
                    classic_rate({1'000'000}, {9'585'071}, {7}),
                1.1244, 0.0005);
    for (const std::uint32_t k : {1U, 2U, 3U}) {
        // One odd probe at most: nothing can coincide.
        EXPECT_NEAR(redisson_rate({1'000'000}, {5'000'011}, {k}),
                    classic_rate({1'000'000}, {5'000'011}, {k}), 1e-5)
            << k;
    }
    for (std::uint32_t k = 4; k <= max_split_hashes; ++k) {
        EXPECT_GT(redisson_rate({1'000'000}, {20'000'003}, {k}),
                  classic_rate({1'000'000}, {20'000'003}, {k}))
            << k;
    }
}

TEST(RedissonRate, GrowsWithTheKeysAndFallsWithTheBits) {
    for (const std::uint32_t k : {1U, 2U, 5U, 7U, 10U, 15U, 20U}) {
        double last = 0;
        for (std::uint64_t n = 1; n < 3'000'000; n += n / 3 + 1) {
            const double now = redisson_rate({n}, {1'000'003}, {k});
            EXPECT_GT(now, last) << k << " " << n;
            EXPECT_LE(now, 1.0) << k << " " << n;
            last = std::min(now, 0.999'999);
        }
        last = 1.0;
        for (std::uint64_t m = 50'000; m < 100'000'000; m += m / 5) {
            const double now = redisson_rate({10'000}, {m}, {k});
            EXPECT_LT(now, last) << k << " " << m;
            last = now;
        }
    }
    EXPECT_EQ(redisson_rate({0}, {1009}, {7}), 0.0);
    EXPECT_EQ(redisson_rate({~std::uint64_t{0}}, {1009}, {7}), 1.0);
}

TEST(RedissonRate, OfNoFilterIsRefused) {
    EXPECT_THROW((void)redisson_rate({10}, {0}, {7}), bad_argument);
    EXPECT_THROW((void)redisson_rate({10}, {1009}, {0}), bad_argument);
    EXPECT_THROW((void)redisson_rate({10}, {1009}, {21}), bad_argument);
    EXPECT_THROW((void)split_rate({0, 1009, 7}, {10}), bad_argument);
    EXPECT_THROW((void)split_rate({3, 0, 7}, {10}), bad_argument);
    EXPECT_THROW((void)split_rate({3, 1009, 21}, {10}), bad_argument);
    EXPECT_THROW((void)split_rate_of_ones({3, 1009, 7}, [](auto) { return 1010U; }), bad_argument);
}

TEST(SplitRate, IsTheMeanOverTheLoadsOfShards) {
    EXPECT_EQ(split_rate({1, 9587, 7}, {1000}), redisson_rate({1000}, {9587}, {7}));
    EXPECT_EQ(split_rate({12, 9587, 7}, {0}), 0.0);
    EXPECT_EQ(split_rate({12, 9587, 7}, {~std::uint64_t{0}}), 1.0);
    EXPECT_NEAR(split_rate({12, 9587, 7}, {700'000}), 1.0, 1e-12);
    // All loads one by one, with weights by their logarithms.
    for (const split_shape& of : {split_shape{4, 9587, 7}, split_shape{50, 1'001'029, 10}}) {
        const auto n = of.shard_bits / 15 * of.shard_count;
        const double p = 1.0 / static_cast<double>(of.shard_count);
        const auto keys = static_cast<double>(n);
        double mean = 0;
        const double load = keys * p;
        const auto spread = static_cast<std::uint64_t>(12 * std::sqrt(load));
        const auto middle = static_cast<std::uint64_t>(load);
        for (std::uint64_t i = middle - spread; i < middle + spread; ++i) {
            const auto x = static_cast<double>(i);
            const double weight = std::lgamma(keys + 1) - std::lgamma(x + 1) -
                                  std::lgamma(keys - x + 1) + x * std::log(p) +
                                  (keys - x) * std::log1p(-p);
            if (weight > -40) mean += std::exp(weight) * rate_of(of, i);
        }
        EXPECT_NEAR(split_rate(of, {n}), mean, 1e-6 * mean);
    }
}

TEST(SplitRate, OfTheOnesIsThatOfTheKeysThatSetThem) {
    const split_shape of{40, 98'573, 7};
    const shape one{layout_kind::classic, of.shard_bits, of.hash_count};
    const auto ones_after = [&](double n) {
        return static_cast<std::uint64_t>(std::llround(98'573 * expected_fill(one, n)));
    };
    const double now = split_rate_of_ones(
        of, [&](std::uint64_t shard) { return ones_after(shard % 2 == 0 ? 10'000 : 5000); });
    EXPECT_NEAR(now, (rate_of(of, 10'000) + rate_of(of, 5000)) / 2, 1e-3 * now);
    EXPECT_EQ(split_rate_of_ones(of, [](auto) { return 0U; }), 0.0);
    EXPECT_EQ(split_rate_of_ones(of, [](auto) { return 98'573U; }), 1.0);
}

TEST(SplitFor, KeepsTheRateInEveryShard) {
    for (const bytes largest : {1_KiB, 64_KiB, 8_MiB, 512_MiB}) {
        for (const double p : {0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6}) {
            for (const std::uint64_t n : {1ULL, 2ULL, 3ULL, 17ULL, 100ULL, 1000ULL, 30'000ULL,
                                          1'000'000ULL, 100'000'000ULL, 10'000'000'000ULL}) {
                SCOPED_TRACE(::testing::Message() << n << " keys, " << p << ", " << largest.value);
                const split_shape made = split_for({n}, {p}, largest);
                ASSERT_GE(made.shard_count, 1U);
                ASSERT_GE(made.hash_count, 1U);
                ASSERT_LE(made.hash_count, max_split_hashes);
                EXPECT_EQ(std::gcd(made.shard_bits, 210U), 1U);
                EXPECT_LE(made.shard_bits + 1, largest.value * 8);
                EXPECT_LE(made.shard_bits, max_redisson_bits);
                const double shards = static_cast<double>(made.shard_count);
                const double mean = static_cast<double>(n) / shards;
                const double most = mean + 6 * std::sqrt(mean * (1 - 1 / shards));
                EXPECT_LE(rate_of(made, std::min(n, static_cast<std::uint64_t>(most))), p);
                EXPECT_LE(split_rate(made, {n}), p);
            }
        }
    }
}

TEST(SplitFor, TakesFewShardsAndFewBits) {
    const split_shape one = split_for({1'000'000}, {0.01});
    EXPECT_EQ(one.shard_count, 1U);
    EXPECT_NEAR(static_cast<double>(one.shard_bits), 9.844e6, 1000.0);
    for (std::uint32_t k = 1; k <= max_split_hashes; ++k) {
        EXPECT_GT(redisson_rate({1'000'000}, {one.shard_bits - 12}, {k}), 0.01)
            << "the next number without small factors is at most 10 away";
    }
    const split_shape many = split_for({100'000'000}, {0.01});
    EXPECT_EQ(many.shard_count, 15U);
    EXPECT_LE(static_cast<double>(many.shard_count * many.shard_bits), 9.87e8);
    EXPECT_EQ(split_for({100'000'000}, {0.01}, 512_MiB).shard_count, 1U);
}

TEST(SplitFor, GrowsWithTheKeys) {
    std::uint64_t last = 0;
    for (std::uint64_t n = 1; n < 1'000'000'000; n += n / 2 + 1) {
        const std::uint64_t shards = split_for({n}, {1e-3}).shard_count;
        EXPECT_GE(shards, last) << n;
        last = shards;
    }
}

TEST(SplitFor, RefusesWhatCannotBe) {
    EXPECT_THROW((void)split_for({0}, {0.01}), bad_argument);
    EXPECT_THROW((void)split_for({100}, {0.0}), bad_argument);
    EXPECT_THROW((void)split_for({100}, {1.0}), bad_argument);
    EXPECT_THROW((void)split_for({100}, {0.01}, {0}), bad_argument);
    EXPECT_THROW((void)split_for({100}, {0.01}, {(std::uint64_t{512} << 20U) + 1}), bad_argument);
    EXPECT_THROW((void)split_for({1000}, {0.01}, {2}), bad_argument);
    EXPECT_THROW((void)split_for({1000}, {1e-9}, {1}), bad_argument);
    EXPECT_THROW((void)split_for({1000}, {1e-6}, {16}), bad_argument);
    EXPECT_THROW((void)split_for({~std::uint64_t{0}}, {0.01}, 512_MiB), bad_argument);
}
