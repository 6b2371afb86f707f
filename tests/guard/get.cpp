// One key: which stores are queried for it, and which are not.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

TEST(GuardGet, NeverTakesASurelyAbsentKeyToTheStores) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 1000);
    plain_guard here(cache, source);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        EXPECT_FALSE(here.get(stranger_of(i)));
    }
    const guard_numbers now = here.numbers();
    EXPECT_GT(now.refused, 9500U);
    EXPECT_EQ(source->keys_asked, now.false_positives);
    EXPECT_EQ(cache->asked, now.false_positives);
    EXPECT_EQ(now.refused + now.false_positives, 10'000U);
}

TEST(GuardGet, AsksTheCacheThenTheSourceAndFillsTheCache) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 100);
    plain_guard here(cache, source);
    std::vector<std::string> order;
    cache->before = [&](cache_call what) {
        order.emplace_back(what == cache_call::get ? "cache" : "fill");
    };
    source->before = [&](source_call, std::string_view) { order.emplace_back("source"); };
    EXPECT_EQ(here.get(key_of(7)), value_of(7));
    EXPECT_EQ(order, (std::vector<std::string>{"cache", "source", "fill"}));
    EXPECT_EQ(here.get(key_of(7)), value_of(7));
    EXPECT_EQ(order.size(), 4U);
    EXPECT_EQ(source->keys_asked, 1U);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.source_hits, 1U);
    EXPECT_EQ(now.cache_hits, 1U);
}

TEST(GuardGet, TakesTheValueOfTheCacheWithoutTheSource) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    cache.remember(key_of(1), "from elsewhere");
    EXPECT_EQ(here.get(key_of(1)), "from elsewhere");
    EXPECT_EQ(source->keys_asked, 0U);
}

TEST(GuardGet, TakesAnAbsenceOfTheCacheWithoutTheSource) {
    watched_source source;
    watched_cache cache({}, true);
    fill(source, 0, 64);
    plain_guard here(cache, source, leaky());
    std::uint64_t from = 0;
    const std::string absent = next_false_positive(here, from);
    // Another guard, with no list of exceptions yet, has the same cache.
    here.rebuild();
    plain_guard other(cache, source, leaky());
    const std::uint64_t before = source->keys_asked;
    for (std::uint64_t i = 0; i < from; ++i) {
        EXPECT_FALSE(other.get(stranger_of(i)));
    }
    const guard_numbers now = other.numbers();
    EXPECT_EQ(source->keys_asked - before, now.false_positives);
    EXPECT_EQ(now.refused + now.false_positives + now.cache_absences, from);
    EXPECT_EQ(cache->data.get(absent).is, store::cached::knowledge::absence);
}

TEST(GuardGet, FindsEveryKeyOfAnyBytes) {
    watched_source source;
    const std::vector<std::string> odd{
        "",         std::string(1, '\0'),      std::string("a\0b", 3),
        "\xff\xfe", std::string(100'000, 'x'), "%20\n"};
    for (const std::string& key : odd) {
        source->data.put(key, key);
    }
    plain_guard here(watched_cache{}, source);
    for (const std::string& key : odd) {
        EXPECT_EQ(here.get(key), key);
        EXPECT_EQ(here.get(key), key) << "from the cache";
    }
    EXPECT_FALSE(here.get(std::string("a\0c", 3)));
}

TEST(GuardGet, GoesWithoutACache) {
    watched_source source;
    fill(source, 0, 10);
    guard<filter, store::no_cache, watched_source> here({}, source);
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
    EXPECT_EQ(source->keys_asked, 2U);
}

TEST(GuardGet, CountsEveryKeyOnce) {
    watched_source source;
    watched_cache cache({}, true);
    fill(source, 0, 100);
    plain_guard here(cache, source, leaky());
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t i = 0; i < 200; ++i) {
            (void)here.get(key_of(i));
        }
    }
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.asked, 600U);
    EXPECT_EQ(answered(now), 600U);
    EXPECT_EQ(now.source_hits, 100U);
    EXPECT_EQ(now.cache_hits, 200U);
    EXPECT_EQ(now.source_hits + now.false_positives, source->keys_asked);
    EXPECT_EQ(now.excepted, 2 * now.false_positives);
    EXPECT_DOUBLE_EQ(now.measured_rate, static_cast<double>(now.false_positives) /
                                            static_cast<double>(now.false_positives + now.refused));
}

TEST(GuardGet, TellsTheTimeOfEachPlace) {
    watched_source source;
    fill(source, 0, 10);
    plain_guard here(watched_cache{}, source);
    (void)here.get(key_of(1));
    for (std::uint64_t i = 0; i < 1024; ++i) {
        (void)here.get(stranger_of(i));
    }
    const guard_numbers now = here.numbers();
    EXPECT_GE(now.filter_time.calls, 4U) << "one call in 256";
    EXPECT_EQ(now.source_time.calls, now.source_hits + now.false_positives);
    EXPECT_GE(now.cache_time.calls, now.source_time.calls);
    EXPECT_GT(now.source_time.total.count(), 0);
}

} // namespace
} // namespace bloomery::testing
