// The three policies of a spectral filter, each compared with plain arrays of counters.
#include <bloomery/filter/spectral.hpp>

#include "key_counts.hpp"
#include "random.hpp"
#include "saved_state.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace bloomery {
namespace {

/// The first array of a filter, from its saved words.
template <class Filter>
std::vector<std::uint64_t> counters_of(const Filter& made) {
    const saved_words saved = made.saved();
    auto all =
        testing::counters_in(saved.arrays[0], made.spec().parameters[1], made.counter_count());
    for (std::uint64_t i = 0; i < saved.record[0]; ++i) {
        all.at(saved.record[2 + 2 * i]) = saved.record[3 + 2 * i];
    }
    return all;
}

TEST(SpectralMinimumSelection, EqualsAPlainArray) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        testing::random_source random(seed);
        for (const std::uint32_t width : {4U, 8U, 16U}) {
            auto made = testing::crowded<spectral_filter>(seed, width);
            testing::plain_counters plain(made);
            std::map<std::uint64_t, std::uint64_t> truth;
            testing::live(made, truth, random, 150, [&](std::uint64_t key, std::int64_t by) {
                plain.add(made.digest(key), by);
                ASSERT_EQ(counters_of(made), plain.values);
            });
            for (std::uint64_t key = 0; key < 50; ++key) {
                ASSERT_EQ(made.count(key), plain.count(made.digest(key)));
                ASSERT_GE(made.count(key), truth[key]);
            }
            for (const auto& [key, in] : truth) made.erase(key, in);
            ASSERT_EQ(made, testing::crowded<spectral_filter>(seed, width)) << "nothing is left";
        }
    }
}

TEST(SpectralMinimalIncrease, EqualsAPlainArray) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        testing::random_source random(seed);
        auto made = testing::crowded<minimal_increase_filter>(seed, 8);
        testing::plain_counters plain(made);
        std::map<std::uint64_t, std::uint64_t> truth;
        testing::live(made, truth, random, 150, [&](std::uint64_t key, std::int64_t by) {
            const digest128 hashed = made.digest(key);
            const std::uint64_t raised = plain.count(hashed) + static_cast<std::uint64_t>(by);
            for (const std::uint64_t at : plain.places(hashed)) {
                plain.values[at] = std::max(plain.values[at], raised);
            }
            ASSERT_EQ(counters_of(made), plain.values);
        });
        for (const auto& [key, in] : truth) ASSERT_GE(made.count(key), in);
    }
}

RC_GTEST_PROP(SpectralMinimalIncrease, IsNeverAboveMinimumSelection,
              (std::uint16_t m, std::uint8_t k, const std::vector<std::uint8_t>& keys)) {
    const bits counters{m % 200U + 1U};
    const hashes probes{k % 64U + 1U};
    spectral_filter all(counters, probes);
    minimal_increase_filter few(counters, probes);
    std::map<std::uint8_t, std::uint64_t> truth;
    for (const std::uint8_t key : keys) {
        all.insert(key);
        few.insert(key);
        ++truth[key];
    }
    for (std::uint64_t key = 0; key < 300; ++key) {
        RC_ASSERT(few.count(key) <= all.count(key));
    }
    for (const auto& [key, in] : truth) {
        RC_ASSERT(few.count(key) >= in);
    }
}

TEST(SpectralRecurringMinimum, NeverDeniesAKeyAndIsBoundedAbove) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        testing::random_source random(seed);
        auto made = testing::crowded<recurring_minimum_filter>(seed, 8);
        spectral_filter first(bits{made.counter_count()}, hashes{made.hash_count()}, {8},
                              made.hash());
        std::map<std::uint64_t, std::uint64_t> truth;
        testing::live(made, truth, random, 200, [&](std::uint64_t key, std::int64_t by) {
            by > 0 ? static_cast<void>(first.insert(key, static_cast<std::uint64_t>(by)))
                   : static_cast<void>(first.erase(key, static_cast<std::uint64_t>(-by)));
            for (std::uint64_t asked = 0; asked < 25; ++asked) {
                ASSERT_GE(made.upper_bound(asked), truth[asked]);
                ASSERT_EQ(made.upper_bound(asked), first.count(asked));
                ASSERT_LE(made.count(asked), made.upper_bound(asked));
                ASSERT_EQ(made.may_contain(asked), made.upper_bound(asked) != 0);
                ASSERT_EQ(made.count(asked) == 0, !made.may_contain(asked));
            }
        });
    }
}

} // namespace
} // namespace bloomery
