// How many counts of a spectral filter are wrong, by how much, and to which side.
#include <bloomery/filter/spectral.hpp>

#include "binomial.hpp"
#include "multiset.hpp"
#include "rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace bloomery {
namespace {

constexpr std::uint64_t spectral_rate_distinct = 20'000;

/// The errors of a filter against the truth, over the keys that are in.
struct errors {
    std::uint64_t asked = 0;
    std::uint64_t wrong = 0;
    std::uint64_t under = 0;
    double rms = 0;

    [[nodiscard]] double share() const {
        return static_cast<double>(wrong) / static_cast<double>(asked);
    }
    /// As many wrong as a share of p explains.
    void expect_share(double p) const {
        EXPECT_TRUE(testing::binomial_bounds(asked, p).contain(wrong))
            << 100 * share() << " % wrong, " << 100 * p << " % expected";
    }
};

template <class Filter>
errors errors_of(const Filter& made, const std::vector<std::uint64_t>& truth) {
    errors found;
    for (std::uint64_t key = 0; key < truth.size(); ++key) {
        if (truth[key] != 0) {
            const std::uint64_t said = made.count(key);
            const double off = static_cast<double>(said) - static_cast<double>(truth[key]);
            ++found.asked;
            found.wrong += said != truth[key] ? 1U : 0U;
            found.under += said < truth[key] ? 1U : 0U;
            found.rms += off * off;
        }
    }
    found.rms = std::sqrt(found.rms / static_cast<double>(found.asked));
    return found;
}

template <class Filter>
Filter with(double gamma, const std::vector<std::uint64_t>& stream) {
    Filter made(bits{static_cast<std::uint64_t>(5 * spectral_rate_distinct / gamma)}, hashes{5});
    for (const std::uint64_t key : stream) made.insert(key);
    return made;
}

// With gamma the load of a counter in distinct keys, (1 - e^-gamma)^5 of the counts of minimum
// selection are wrong. The other two columns have no formula: they were measured elsewhere, with
// other code and other keys.
TEST(SpectralErrors, OfAnEvenStream) {
    const auto stream =
        testing::drawn_stream(spectral_rate_distinct, 10 * spectral_rate_distinct, 0, 1);
    const auto truth = testing::occurrences(stream, spectral_rate_distinct);
    struct row {
        double gamma, ms, mi, rm, ms_rms, mi_rms, rm_rms;
    };
    for (const row& at : {row{0.5, 0.0094, 0.0044, 0.0053, 0, 0, 0},
                          row{0.7, 0.0323, 0.017, 0.018, 1.43, 0.33, 0.33},
                          row{1.0, 0.1009, 0.057, 0.059, 0, 0, 0}}) {
        const auto all = with<spectral_filter>(at.gamma, stream);
        const auto few = with<minimal_increase_filter>(at.gamma, stream);
        const auto twice = with<recurring_minimum_filter>(at.gamma, stream);
        const errors ms = errors_of(all, truth);
        const errors mi = errors_of(few, truth);
        const errors rm = errors_of(twice, truth);
        ms.expect_share(at.ms);
        mi.expect_share(at.mi);
        rm.expect_share(at.rm);
        EXPECT_EQ(ms.under, 0U);
        EXPECT_EQ(mi.under, 0U);
        EXPECT_LE(rm.under, spectral_rate_distinct / 250);
        for (std::uint64_t key = 0; key < 2 * spectral_rate_distinct; ++key) {
            ASSERT_LE(few.count(key), all.count(key));
            ASSERT_LE(twice.count(key), all.count(key));
            ASSERT_EQ(twice.upper_bound(key), all.count(key));
        }
        if (at.ms_rms != 0) {
            EXPECT_NEAR(ms.rms, at.ms_rms, 0.25 * at.ms_rms);
            EXPECT_NEAR(mi.rms, at.mi_rms, 0.25 * at.mi_rms);
            EXPECT_NEAR(rm.rms, at.rm_rms, 0.35 * at.rm_rms);
        }
        // What the second array costs buys more when it makes the first one larger.
        const errors richer = errors_of(with<spectral_filter>(at.gamma / 1.5, stream), truth);
        richer.expect_share(std::pow(1 - std::exp(-at.gamma / 1.5), 5));
        EXPECT_LT(richer.wrong, rm.wrong);
        EXPECT_NEAR(all.stats().expected_rate, at.ms, 0.05 * at.ms);
    }
}

TEST(SpectralErrors, OfASkewedStream) {
    const auto stream =
        testing::drawn_stream(spectral_rate_distinct, 10 * spectral_rate_distinct, 1.0, 2);
    const auto truth = testing::occurrences(stream, spectral_rate_distinct);
    const errors ms = errors_of(with<spectral_filter>(0.7, stream), truth);
    const errors mi = errors_of(with<minimal_increase_filter>(0.7, stream), truth);
    const errors rm = errors_of(with<recurring_minimum_filter>(0.7, stream), truth);
    ms.expect_share(0.019);
    mi.expect_share(0.0055);
    rm.expect_share(0.010);
    EXPECT_EQ(ms.under + mi.under, 0U);
}

TEST(SpectralErrors, AfterAThirdIsTakenOut) {
    const auto stream =
        testing::drawn_stream(spectral_rate_distinct, 10 * spectral_rate_distinct, 0, 3);
    auto ms = with<spectral_filter>(0.7, stream);
    auto rm = with<recurring_minimum_filter>(0.7, stream);
    auto truth = testing::occurrences(stream, spectral_rate_distinct);
    for (std::size_t i = 0; i < stream.size() * 3 / 10; ++i) {
        ASSERT_EQ(ms.erase(stream[i]), status::ok);
        ASSERT_EQ(rm.erase(stream[i]), status::ok);
        --truth[stream[i]];
    }
    const errors now = errors_of(ms, truth);
    now.expect_share(0.0323);
    EXPECT_EQ(now.under, 0U);
    errors_of(rm, truth).expect_share(0.018);
    for (std::uint64_t key = 0; key < spectral_rate_distinct; ++key)
        ASSERT_GE(rm.upper_bound(key), truth[key]);
}

TEST(SpectralErrors, ComeAtTheRateThatWasAskedFor) {
    const std::uint64_t n = 50'000;
    spectral_filter made(items{n}, rate{0.01});
    const auto stream = testing::even_stream(n, 3, 5);
    made.insert_many(stream);
    const errors now = errors_of(made, testing::occurrences(stream, n));
    now.expect_share(made.stats().expected_rate);
    EXPECT_EQ(now.under, 0U);
}

TEST(SpectralRate, IsThatOfABloomFilter) {
    const std::uint64_t n = 100'000;
    for (const double p : {0.01, 0.001}) {
        spectral_filter ms(items{n}, rate{p});
        minimal_increase_filter mi(items{n}, rate{p});
        for (std::uint64_t key = 0; key < n; ++key) {
            ms.insert(key);
            mi.insert(key);
        }
        testing::expect_rate(ms, n, p, 1'000'000);
        testing::expect_rate(mi, n, p, 1'000'000);
        EXPECT_NEAR(testing::bits_per_key(ms, n), 8 * (p == 0.01 ? 9.593 : 14.378), 0.1);
        recurring_minimum_filter rm(items{n}, rate{p});
        EXPECT_NEAR(static_cast<double>(rm.byte_count()),
                    (1.5 + 0.125) * static_cast<double>(ms.byte_count()), 100);
    }
}

TEST(SpectralRate, SurvivesTurnovers) {
    const std::uint64_t live = 100'000;
    spectral_filter made(items{live}, rate{0.01});
    testing::expect_churn(made, live, 20, 1'000'000);
}

} // namespace
} // namespace bloomery
