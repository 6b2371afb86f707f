// One test for each decision, in the order in which they are tried.
#include <bloomery/error.hpp>
#include <bloomery/plan/advise.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <string>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

kind choice(const situation& of) { return advise(of).recommended.what; }

bool some_reason_has(const advice& given, const std::string& part) {
    for (const std::string& reason : given.reasons) {
        if (reason.find(part) != std::string::npos) return true;
    }
    return false;
}

constexpr items hundred_million{100'000'000};
constexpr items advise_rules_million{1'000'000};

} // namespace

TEST(Advise, BitmapForDenseIntegers) {
    const advice given = advise({.n = hundred_million, .integer_range = 100'000'000});
    EXPECT_EQ(given.recommended.what, kind::bitmap);
    EXPECT_NEAR(given.recommended.bytes / 1e6, 12.5, 0.01);
    EXPECT_EQ(given.recommended.expected_rate, 0.0);
    EXPECT_EQ(given.runner_up.what, kind::classic);
    EXPECT_NEAR(given.runner_up.bytes / 1e6, 120, 1);
    EXPECT_TRUE(some_reason_has(given, "11.9 MiB"));
    EXPECT_FALSE(given.filter);
}

TEST(Advise, BitmapUpToFourTimesTheBloomFilterOr64KiB) {
    EXPECT_EQ(choice({.n = advise_rules_million, .integer_range = 38'000'000}), kind::bitmap);
    EXPECT_NE(choice({.n = advise_rules_million, .integer_range = 39'000'000}), kind::bitmap);
    EXPECT_EQ(choice({.n = items{5}, .integer_range = 524'288}), kind::bitmap);
    EXPECT_EQ(choice({.n = items{5}, .integer_range = 524'296}), kind::hash_set);
}

TEST(Advise, NoBitmapWhereCountsOrForgettingAreNeeded) {
    EXPECT_EQ(choice({.n = advise_rules_million, .integer_range = 1'000'000, .needs_counts = true}),
              kind::spectral);
    EXPECT_EQ(choice({.integer_range = 1'000'000, .window = advise_rules_million}), kind::window);
}

TEST(Advise, HashSetForFewKeys) {
    EXPECT_EQ(choice({.n = items{4096}, .key_bytes = 10'000}), kind::hash_set);
    EXPECT_EQ(choice({.n = items{15'000}}), kind::hash_set); // 1.03 million bytes, below 1 MiB
    EXPECT_NE(choice({.n = items{15'300}}), kind::hash_set);
}

TEST(Advise, HashSetWhereNoErrorIsAllowed) {
    const advice given = advise({.n = hundred_million, .error_allowed = false});
    EXPECT_EQ(given.recommended.what, kind::hash_set);
    EXPECT_TRUE(some_reason_has(given, "No errors are allowed"));
}

TEST(Advise, CascadeWhenAllNegativesAreKnown) {
    const advice given = advise({.n = advise_rules_million, .known_negatives = hundred_million});
    EXPECT_EQ(given.recommended.what, kind::cascade);
    EXPECT_NEAR(given.recommended.bits_per_item, 13.8, 0.05);
    EXPECT_EQ(given.recommended.expected_rate, 0.0);
}

TEST(Advise, WindowForEndlessStreams) {
    const advice given = advise({.window = advise_rules_million, .needs_counts = true});
    EXPECT_EQ(given.recommended.what, kind::window);
    EXPECT_NEAR(given.recommended.bits_per_item, 15.9, 0.06);
    EXPECT_NEAR(given.runner_up.bits_per_item, 22.1, 0.06);
}

TEST(Advise, TheWindowDecidesTheSizeWhateverTheNumberOfKeys) {
    const advice given = advise({.n = hundred_million, .window = advise_rules_million});
    EXPECT_EQ(given.recommended.what, kind::window);
    EXPECT_EQ(given.recommended.bytes, advise({.window = advise_rules_million}).recommended.bytes);
    EXPECT_EQ(given.make.n.value, advise_rules_million.value);
    const advice few = advise({.n = hundred_million, .window = items{5}});
    EXPECT_EQ(few.recommended.what, kind::hash_set);
    EXPECT_TRUE(some_reason_has(few, "Only the last 5 keys count"));
    EXPECT_EQ(few.runner_up.what, kind::window);
}

TEST(Advise, SpectralForCountsWithThePolicyThatFits) {
    const advice insert_only = advise({.n = advise_rules_million, .needs_counts = true});
    EXPECT_EQ(insert_only.recommended.what, kind::spectral);
    EXPECT_TRUE(some_reason_has(insert_only, "the policy is minimal increase"));
    EXPECT_TRUE(insert_only.make.minimal_increase);
    EXPECT_NE(insert_only.headline.find("and minimal increase"), std::string::npos);
    const advice removing =
        advise({.n = advise_rules_million, .needs_counts = true, .needs_removal = true});
    EXPECT_EQ(removing.recommended.what, kind::spectral);
    EXPECT_TRUE(some_reason_has(removing, "the policy is minimum selection"));
    EXPECT_FALSE(removing.make.minimal_increase);
    const advice skewed = advise({.n = advise_rules_million,
                                  .needs_counts = true,
                                  .counts_skewed = true,
                                  .needs_removal = true});
    EXPECT_TRUE(some_reason_has(skewed, "a map for the few"));
}

TEST(Advise, DynamicCountWhereTheWidthShallFollow) {
    EXPECT_EQ(choice({.n = advise_rules_million, .needs_counts = true, .adaptive_width = true}),
              kind::dynamic_count);
}

TEST(Advise, RemovalByRateAndByWhatIsScarce) {
    EXPECT_EQ(choice({.n = advise_rules_million,
                      .p = rate{0.01},
                      .needs_removal = true,
                      .query_bound = true}),
              kind::accurate);
    EXPECT_EQ(choice({.n = advise_rules_million,
                      .p = rate{0.001},
                      .needs_removal = true,
                      .query_bound = true}),
              kind::dleft);
    EXPECT_EQ(choice({.n = advise_rules_million,
                      .p = rate{0.01},
                      .needs_removal = true,
                      .memory_bound = true}),
              kind::dleft);
    const advice merging = advise(
        {.n = advise_rules_million, .p = rate{0.001}, .needs_removal = true, .needs_merge = true});
    EXPECT_EQ(merging.recommended.what, kind::counting);
    EXPECT_TRUE(some_reason_has(merging, "cuckoo filter would need 13.6"));
}

TEST(Advise, ScalableWhenNoUpperBoundIsKnown) {
    const advice given = advise({.n_low = items{100'000}});
    EXPECT_EQ(given.recommended.what, kind::scalable);
    EXPECT_EQ(given.make.n.value, 100'000U);
    EXPECT_EQ(given.runner_up.what, kind::split_8x64);
    EXPECT_EQ(given.headline.rfind("Use a scalable filter, which starts with 135 KiB for ", 0), 0U)
        << given.headline;
    EXPECT_EQ(choice({.n_low = items{10}}), kind::scalable); // at least so few is not few
}

TEST(Advise, SizesForTheUpperBoundWhereOneIsKnown) {
    const advice given = advise({.n_low = items{500'000}, .n_high = advise_rules_million});
    EXPECT_EQ(given.recommended.what, kind::split_8x64);
    EXPECT_EQ(given.runner_up.what, kind::classic);
    EXPECT_LE(expected_rate(given.filter.value_or(shape{}), advise_rules_million), 0.01);
    EXPECT_TRUE(some_reason_has(given, "the largest number of keys that you expect"));
    EXPECT_TRUE(some_reason_has(given, "2.34 % at 1.2 times, 6 % at 1.5 times"));
    EXPECT_TRUE(some_reason_has(given, "16.7 % at twice"));
}

TEST(Advise, NothingGrowsThatCouldBeSizedForLess) {
    const advice given = advise({.n_low = items{1000}, .n_high = items{10'000'000}});
    EXPECT_EQ(given.recommended.what, kind::split_8x64);
    EXPECT_EQ(given.runner_up.what, kind::scalable);
    EXPECT_TRUE(some_reason_has(given, "takes less memory up to 2,047,000 keys"));
    EXPECT_NE(given.runner_up.sentence.find("grows to 55.4 MiB for 10,000,000"), std::string::npos);
}

TEST(Advise, NamesBinaryFuseForFixedSets) {
    const advice given = advise({.n = advise_rules_million, .fixed_set = true});
    EXPECT_EQ(given.recommended.what, kind::classic);
    EXPECT_EQ(given.runner_up.what, kind::binary_fuse);
    EXPECT_NEAR(given.runner_up.bits_per_item, 7.9, 0.05);
    EXPECT_TRUE(some_reason_has(given, "9 with 8-bit fingerprints, at 0.39 %"));
    EXPECT_EQ(choice({.n = items{99'999}, .fixed_set = true}), kind::split_8x64);
}

TEST(Advise, SplitBlockAsTheUsualAnswer) {
    const advice given = advise({.n = advise_rules_million});
    EXPECT_EQ(given.recommended.what, kind::split_8x64);
    EXPECT_EQ(given.filter.value_or(shape{}).layout, layout_kind::split_8x64);
    EXPECT_LE(expected_rate(given.filter.value_or(shape{}), advise_rules_million), 0.01);
    EXPECT_EQ(given.headline, "Use a split-block 8x64 filter, which takes 1.2 MiB, 10.1 bits per "
                              "key, at a false-positive rate of 1 %.");
    EXPECT_TRUE(some_reason_has(given, "costs 5.2"));
    EXPECT_TRUE(given.make.usual_layout);
}

TEST(Advise, ThePlannersLayoutAtEveryRate) {
    for (const double p : {0.5, 0.2, 0.05, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10}) {
        const advice given = advise({.n = advise_rules_million, .p = rate{p}});
        EXPECT_EQ(given.filter, choose(advise_rules_million, rate{p})) << p;
        EXPECT_EQ(given.recommended.bytes, static_cast<double>(given.filter->byte_count())) << p;
        EXPECT_TRUE(given.make.usual_layout);
    }
    EXPECT_EQ(choice({.n = items{400'000'000}, .p = rate{1e-6}}), kind::split_16x32);
    EXPECT_EQ(choice({.n = advise_rules_million, .p = rate{0.2}}), kind::blocked);
}

TEST(Advise, ClassicWhereOverheadIsRefused) {
    const advice given =
        advise({.n = advise_rules_million, .p = rate{1e-4}, .refuses_overhead = true});
    EXPECT_EQ(given.recommended.what, kind::classic);
    EXPECT_EQ(given.runner_up.what, kind::split_16x32);
    EXPECT_FALSE(given.make.usual_layout);
    EXPECT_EQ(choice({.n = advise_rules_million, .p = rate{0.01}, .refuses_overhead = true}),
              kind::split_8x64);
}

TEST(Advise, BlocksAtTheLowestRatesWhereOneLineIsWorthIt) {
    const advice given =
        advise({.n = advise_rules_million, .p = rate{1e-8}, .one_line_per_query = true});
    EXPECT_EQ(given.recommended.what, kind::split_16x32);
    EXPECT_TRUE(some_reason_has(given, "costs 72"));
    EXPECT_FALSE(given.make.usual_layout);
    EXPECT_EQ(choice({.n = advise_rules_million, .p = rate{1e-8}}), kind::classic);
}

TEST(Advise, NamesEveryKind) {
    EXPECT_EQ(name_of(kind::none), "none");
    EXPECT_EQ(name_of(kind::dynamic_count), "dynamic-count");
    EXPECT_EQ(name_of(kind::classic), "classic");
    EXPECT_EQ(name_of(kind::cuckoo), "cuckoo");
}

TEST(Advise, RefusesSituationsWithoutKeys) {
    EXPECT_THROW((void)advise({}), bad_argument);
    EXPECT_THROW((void)advise({.n = items{0}}), bad_argument);
    EXPECT_THROW((void)advise({.n = advise_rules_million, .p = rate{1.0}}), bad_argument);
    EXPECT_THROW((void)advise({.n_low = items{10}, .n_high = items{5}}), bad_argument);
    EXPECT_THROW((void)advise({.n = advise_rules_million, .integer_range = 0}), bad_argument);
    EXPECT_THROW((void)advise({.n = advise_rules_million, .positive_fraction = 1.5}), bad_argument);
    EXPECT_THROW((void)advise({.n = advise_rules_million, .probe_cost_ns = -1.0}), bad_argument);
}
