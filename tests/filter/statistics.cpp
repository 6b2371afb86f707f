// What a filter says about itself.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/filter/window.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ranges>

namespace bloomery {
namespace {

filter filled(std::uint64_t n) {
    filter f{items{n}, rate{0.01}};
    for (std::uint64_t i = 0; i < n; ++i) {
        f.insert(i);
    }
    return f;
}

TEST(Statistics, OfAnEmptyFilter) {
    const filter f{items{100}, rate{0.01}};
    EXPECT_EQ(f.fill_ratio(), 0);
    EXPECT_EQ(f.estimated_items().items, 0);
    EXPECT_EQ(f.expected_rate(), 0);
    EXPECT_EQ(f.rate_at(items{0}), 0);
}

TEST(Statistics, EstimateTheItemsWithinTheirError) {
    for (const std::uint64_t n : {1000U, 100'000U}) {
        const auto estimate = filled(n).estimated_items();
        EXPECT_FALSE(estimate.saturated);
        EXPECT_NEAR(estimate.items, static_cast<double>(n), 6.5 * estimate.standard_error);
        EXPECT_LT(estimate.standard_error, 0.03 * static_cast<double>(n));
        EXPECT_GT(estimate.standard_error, 0);
    }
}

TEST(Statistics, DuplicatesDoNotCount) {
    filter f{items{1000}, rate{0.01}};
    for (int i = 0; i < 100'000; ++i) {
        f.insert(i % 10);
    }
    EXPECT_NEAR(f.estimated_items().items, 10, 1);
}

TEST(Statistics, SayThatAFullFilterIsFull) {
    filter f(bits{64}, hashes{8});
    for (int i = 0; i < 1000; ++i) {
        f.insert(i);
    }
    EXPECT_EQ(f.fill_ratio(), 1);
    EXPECT_TRUE(f.estimated_items().saturated);
    EXPECT_EQ(f.expected_rate(), 1);
}

/// As many places of that width as the memory has, but for the end of the last word.
void expect_memory_of(const any_filter& f, place_unit unit, std::uint32_t unit_bits) {
    const statistics now = f.stats();
    EXPECT_EQ(now.unit, unit) << plural_of(unit);
    EXPECT_EQ(now.unit_bits, unit_bits) << plural_of(unit);
    const std::uint64_t used = now.bit_count * now.unit_bits;
    const std::uint64_t each_word = 64 / unit_bits * unit_bits; // counters do not cross words
    EXPECT_LE(used, 8 * f.byte_count()) << plural_of(unit);
    EXPECT_GE(used / each_word + 1, f.byte_count() / 8) << plural_of(unit);
}

TEST(Statistics, NameWhatTheyCount) {
    constexpr items n{1000};
    constexpr rate p{0.01};
    expect_memory_of(filter(n, p), place_unit::bit, 1);
    expect_memory_of(scalable_filter(n, p), place_unit::bit, 1);
    expect_memory_of(counting_filter(n, p), place_unit::counter, 4);
    expect_memory_of(counting_filter(n, p, {8, counter_layout::blocked}), place_unit::counter, 8);
    expect_memory_of(spectral_filter(n, p), place_unit::counter, 8);
    expect_memory_of(dynamic_count_filter(n, p), place_unit::counter, 4);
    expect_memory_of(dleft_filter(n, p), place_unit::cell, 14);
    expect_memory_of(window_filter(n, p), place_unit::cell, 8);
    dynamic_count_filter grown(n, p);
    for (int i = 0; i < 100; ++i) {
        grown.insert("the same");
    }
    expect_memory_of(grown, place_unit::counter, 7);
    EXPECT_EQ(any_filter(accurate_filter(n, p)).stats().unit, place_unit::first_level_bit);
}

TEST(Statistics, TheRateNowIsTheFillToThePowerOfTheHashes) {
    classic_filter f(items{10'000}, rate{0.01});
    f.insert_many(std::views::iota(0, 10'000));
    EXPECT_NEAR(f.expected_rate(), std::pow(f.fill_ratio(), f.hash_count()), 1e-12);
    EXPECT_NEAR(f.expected_rate(), f.rate_at(items{10'000}), 0.1 * 0.01);
}

TEST(Measurement, AgreesWithTheExpectedRateAndChangesNothing) {
    const filter f = filled(10'000);
    const filter before = f;
    const measured_rate found = measure_rate(f, 1'000'000);
    EXPECT_TRUE(testing::binomial_bounds(found.queries, f.expected_rate()).contain(found.positives))
        << found.positives;
    EXPECT_EQ(f, before);
    EXPECT_NEAR(found.standard_error(), 1e-4, 1e-5);
    EXPECT_EQ(measure_rate(filter(bits{64}, hashes{1}), 1000).positives, 0U);
    EXPECT_NE(measure_rate(f, 100'000, 1).positives, measure_rate(f, 100'000, 2).positives);
}

TEST(Statistics, CountCollisionsOfDigests) {
    classic_filter f(bits{1 << 20},
                     hashes{64}); // 64 probes that never all meet: the digest is left
    EXPECT_DOUBLE_EQ(f.rate_at(items{10}), 10 / std::pow(2.0, 64));
    f.insert("key");
    EXPECT_GT(f.stats().expected_rate, 0.9 / std::pow(2.0, 64));
    EXPECT_GT(statistics_of(f.spec(), 64).expected_rate, 0.9 / std::pow(2.0, 64));
}

} // namespace
} // namespace bloomery
