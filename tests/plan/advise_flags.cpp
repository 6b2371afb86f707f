// What is said in addition to, or instead of, a recommendation.
#include <bloomery/plan/advise.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace bloomery;
using namespace bloomery::plan;
using namespace bloomery::literals;

namespace {

constexpr items million{1'000'000};

bool has(const std::vector<std::string>& texts, const std::string& part) {
    for (const std::string& text : texts) {
        if (text.find(part) != std::string::npos) return true;
    }
    return false;
}

} // namespace

TEST(AdviseFlags, KeyedHashForUntrustedKeys) {
    const advice given = advise({.n = million, .untrusted_keys = true});
    EXPECT_TRUE(has(given.warnings, "keyed hash"));
    EXPECT_TRUE(has(given.warnings, "1 % to 11 %")); // what an attacker makes of it
    EXPECT_TRUE(given.make.keyed);
    EXPECT_FALSE(has(advise({.n = million}).warnings, "keyed hash"));
    EXPECT_FALSE(advise({.n = million}).make.keyed);
    const situation integers{.n = million, .integer_range = 1'000'000, .untrusted_keys = true};
    EXPECT_TRUE(advise(integers).warnings.empty()); // a bitmap has no hash
}

TEST(AdviseFlags, SetForRatesBelowOneInABillion) {
    EXPECT_TRUE(has(advise({.n = million, .p = rate{9e-10}}).warnings, "128-bit fingerprints"));
    EXPECT_TRUE(advise({.n = million, .p = rate{1e-9}}).warnings.empty());
}

TEST(AdviseFlags, BlockedWhenLargerThanTheLastLevelCache) {
    const situation small_cache{.n = million, .p = rate{1e-8}, .last_level_cache = 1_MiB};
    EXPECT_TRUE(has(advise(small_cache).warnings, "instead of several"));
    const situation split{.n = million, .last_level_cache = 1_MiB};
    EXPECT_TRUE(has(advise(split).warnings, "this blocked layout touches one line"));
    EXPECT_TRUE(advise({.n = million, .last_level_cache = 2_MiB}).warnings.empty());
}

TEST(AdviseFlags, ALowerBoundAloneIsSaid) {
    const situation removing{.n_low = million, .needs_removal = true};
    EXPECT_TRUE(has(advise(removing).warnings, "it is sized for 1,000,000"));
    EXPECT_TRUE(advise({.n_low = million}).warnings.empty()); // it grows
}

TEST(AdviseFlags, CompressedBitmapForSparseIntegers) {
    EXPECT_TRUE(has(advise({.n = million, .integer_range = 1'000'000'000}).warnings, "Roaring"));
}

TEST(AdviseFlags, NoFilterWhenMostQueriesFindTheirKey) {
    const advice given = advise({.n = million, .positive_fraction = 0.6});
    EXPECT_EQ(given.recommended.what, kind::none);
    EXPECT_TRUE(has(given.reasons, "It would answer 39.6 % of the queries by itself"));
    EXPECT_EQ(given.headline.rfind("Don't use a Bloom filter here: 60 % of the queries", 0), 0U);
    EXPECT_EQ(given.runner_up.what, kind::split_8x64);
    EXPECT_FALSE(given.filter);
    EXPECT_EQ(advise({.n = million, .positive_fraction = 0.5}).recommended.what, kind::split_8x64);
}

TEST(AdviseFlags, CostsDecideWhereTheyAreKnown) {
    // (1-0.9) * 0.99 * 100 = 9.9 ns saved, 10 ns spent.
    const situation dear{
        .n = million, .positive_fraction = 0.9, .probe_cost_ns = 10.0, .backend_cost_ns = 100.0};
    const advice no = advise(dear);
    EXPECT_EQ(no.recommended.what, kind::none);
    EXPECT_NE(no.headline.find("saves 9.9 ns"), std::string::npos);
    EXPECT_NE(no.headline.find("costs 10 ns"), std::string::npos);

    situation cheap = dear;
    cheap.probe_cost_ns = 9.0;
    const advice yes = advise(cheap);
    EXPECT_EQ(yes.recommended.what, kind::split_8x64);
    EXPECT_TRUE(has(yes.reasons, "It pays: each query saves 0.9"));
    EXPECT_TRUE(has(yes.warnings, "More than half of the queries (90 %)"));
}

TEST(AdviseFlags, FewPositivesDoNotPayEitherWhenTheBackendIsCheap) {
    const advice given = advise(
        {.n = million, .positive_fraction = 0.1, .probe_cost_ns = 10.0, .backend_cost_ns = 10.0});
    EXPECT_EQ(given.recommended.what, kind::none);
}

TEST(AdviseFlags, ExactStructuresAreNotCalledOff) {
    const situation few{.n = items{100}, .positive_fraction = 0.9};
    EXPECT_EQ(advise(few).recommended.what, kind::hash_set);
}

TEST(AdviseFlags, BreakEvenWithoutTheShareOfPositives) {
    const advice given = advise({.n = million, .probe_cost_ns = 10.0, .backend_cost_ns = 1000.0});
    EXPECT_TRUE(has(given.reasons, "It pays while fewer than 99 %"));
}

TEST(AdviseFlags, SavingIsTheBreakEvenFormula) {
    EXPECT_DOUBLE_EQ(saving_per_query(0.25, 0.01, 5.0, 100.0), 0.75 * 0.99 * 100.0 - 5.0);
    EXPECT_LT(saving_per_query(1.0, 0.01, 5.0, 1e9), 0.0);
}

TEST(AdviseFlags, EverythingSaidIsASentence) {
    const situation all{.n = million,
                        .p = rate{1e-10},
                        .integer_range = 1'000'000'000'000,
                        .untrusted_keys = true,
                        .positive_fraction = 0.7,
                        .probe_cost_ns = 1.0,
                        .backend_cost_ns = 1e6,
                        .last_level_cache = 1_MiB};
    const advice given = advise(all);
    std::vector<std::string> texts = given.reasons;
    texts.insert(texts.end(), given.warnings.begin(), given.warnings.end());
    texts.push_back(given.headline);
    texts.push_back(given.recommended.sentence);
    texts.push_back(given.runner_up.sentence);
    EXPECT_EQ(given.warnings.size(), 5U);
    for (const std::string& text : texts) {
        ASSERT_FALSE(text.empty());
        EXPECT_EQ(text.back(), '.') << text;
        EXPECT_TRUE(text.front() >= 'A' && text.front() <= 'Z') << text;
    }
}
