// The width that counts need, and the rate that they keep.
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/plan/family.hpp>

#include "multiset.hpp"
#include "rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace bloomery {
namespace {

constexpr std::uint64_t distinct = 100'000;
constexpr std::uint64_t counters = 721'000;
constexpr std::uint64_t length = 1'000'000;

double bits_per_counter(std::uint64_t byte_count) {
    return 8 * static_cast<double>(byte_count) / static_cast<double>(counters);
}

std::uint64_t largest_of(const dynamic_count_filter& made) {
    for (const fact& known : made.facts()) {
        if (known.name == "largest counter") return std::stoull(known.value);
    }
    return 0;
}

TEST(DynamicCountWidth, OfAnEvenStream) {
    const auto stream = testing::drawn_stream(distinct, length, 0, 1);
    dynamic_count_filter made(bits{counters}, hashes{5}, {1, 4});
    made.insert_many(stream);
    const std::uint64_t largest = largest_of(made);
    EXPECT_GE(largest, 64U);
    EXPECT_LE(largest, 100U);
    EXPECT_EQ(made.overflow_bits(), 3U);
    EXPECT_EQ(made.rebuild_count(), 3U);
    EXPECT_NEAR(bits_per_counter(made.byte_count()), 7, 0.001);
}

TEST(DynamicCountWidth, OfASkewedStream) {
    const auto stream = testing::drawn_stream(distinct, length, 1, 2);
    dynamic_count_filter made(bits{counters}, hashes{5}, {1, 4});
    spectral_filter four(bits{counters}, hashes{5}, {4});
    spectral_filter eight(bits{counters}, hashes{5}, {8});
    made.insert_many(stream);
    four.insert_many(stream);
    eight.insert_many(stream);
    const auto truth = testing::occurrences(stream, distinct);
    for (std::uint64_t key = 0; key < distinct; ++key) {
        ASSERT_GE(made.count(key), truth[key]);
        ASSERT_EQ(made.count(key), four.count(key));
        ASSERT_EQ(made.count(key), eight.count(key));
    }
    const double large = std::stod(four.facts().at(3).value) / counters;
    EXPECT_NEAR(static_cast<double>(largest_of(made)), 83'000, 2'000);
    EXPECT_EQ(made.overflow_bits(), 13U);
    EXPECT_EQ(made.rebuild_count(), 13U);
    EXPECT_NEAR(bits_per_counter(made.byte_count()), 17, 0.001);
    EXPECT_NEAR(large, 0.042, 0.004);
    // The few large ones cost little in a map: it is smaller, and the wider counters are smallest.
    EXPECT_LT(bits_per_counter(four.byte_count()), 16);
    EXPECT_LT(bits_per_counter(eight.byte_count()), 9);
    // The other way: all but one key goes, then that one.
    for (std::uint64_t key = distinct; key-- > 0;) {
        for (std::uint64_t left = truth[key]; left > 0; --left) made.erase(key);
    }
    EXPECT_EQ(made.overflow_bits(), 0U);
    EXPECT_EQ(made.stats().bits_set, 0U);
    EXPECT_LE(made.rebuild_count(), 2U * 13) << "once for each bit, up and down";
}

TEST(DynamicCountWidth, IsWhatThePlanSays) {
    for (const std::uint64_t mean : {1U, 3U, 10U, 100U}) {
        dynamic_count_filter made(items{5000}, rate{0.01}, {static_cast<double>(mean)});
        made.insert("hot", 5000);
        const auto plan =
            plan::dynamic_count_plan(items{5000}, rate{0.01}, 5000 * mean, largest_of(made));
        EXPECT_EQ(made.fixed_bits(), plan.fixed_bits);
        EXPECT_EQ(made.overflow_bits(), plan.overflow_bits);
        EXPECT_EQ(made.byte_count(), plan.byte_count);
    }
}

TEST(DynamicCountRate, IsThatOfABloomFilter) {
    const std::uint64_t n = 100'000;
    for (const double p : {0.01, 0.001}) {
        dynamic_count_filter made(items{n}, rate{p});
        for (std::uint64_t key = 0; key < n; ++key) made.insert(key);
        testing::expect_rate(made, n, p, 1'000'000);
        EXPECT_EQ(made.overflow_bits(), 0U);
        EXPECT_NEAR(testing::bits_per_key(made, n), 4 * (p == 0.01 ? 9.593 : 14.378), 0.1);
    }
}

TEST(DynamicCountRate, SurvivesTurnovers) {
    const std::uint64_t live = 100'000;
    dynamic_count_filter made(items{live}, rate{0.01});
    testing::expect_churn(made, live, 20, 1'000'000);
    EXPECT_EQ(made.overflow_bits(), 0U);
}

} // namespace
} // namespace bloomery
