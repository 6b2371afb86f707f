// The list of keys that were proven absent though the filter claims them.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

TEST(GuardExceptions, CostTheSourceOnceOnly) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 500);
    plain_guard here(cache, source, leaky());
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t i = 0; i < 1000; ++i) {
            EXPECT_FALSE(here.get(stranger_of(i)));
        }
    }
    const guard_numbers now = here.numbers();
    ASSERT_GT(now.false_positives, 100U);
    EXPECT_EQ(source->keys_asked, now.false_positives);
    EXPECT_EQ(cache->asked, now.false_positives) << "listed keys do not reach the cache either";
    EXPECT_EQ(now.exceptions, now.false_positives);
    EXPECT_EQ(now.excepted, 2 * now.false_positives);
}

TEST(GuardExceptions, AreFoundAgainOnceTheyArePut) {
    watched_source source;
    fill(source, 0, 500);
    plain_guard here(watched_cache{}, source, leaky());
    std::uint64_t from = 0;
    for (int i = 0; i < 50; ++i) {
        const std::string key = next_false_positive(here, from);
        here.put(key, "now");
        EXPECT_EQ(here.get(key), "now");
    }
}

TEST(GuardExceptions, MakeRoomForNewOnesWhenTheListIsFull) {
    watched_source source;
    guard_options options;
    options.most_exceptions = 2048;
    options.least_items = 10'000;
    fill(source, 0, 5000);
    plain_guard here(watched_cache{}, source, options);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        ASSERT_TRUE(here.erase(key_of(i)));
    }
    EXPECT_LE(here.numbers().exceptions, options.most_exceptions);
    EXPECT_FALSE(here.get(key_of(4999)));
    EXPECT_EQ(source->keys_asked, 0U) << "the newest is on the list";
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_FALSE(here.get(key_of(i)));
    }
    EXPECT_GT(source->keys_asked, 0U) << "the oldest are not";
    EXPECT_LE(here.numbers().exceptions, options.most_exceptions);
}

TEST(GuardExceptions, OutliveARebuildAndAreStruckOffByItIfTheSourceHasThem) {
    watched_source source;
    fill(source, 0, 500);
    plain_guard here(watched_cache{}, source, leaky());
    std::uint64_t from = 0;
    const std::string still_absent = next_false_positive(here, from);
    const std::string comes = next_false_positive(here, from);
    source->data.put(comes, "past the guard");
    here.rebuild();
    EXPECT_EQ(here.get(comes), "past the guard");
    EXPECT_FALSE(here.get(still_absent));
}

TEST(GuardExceptions, AreStruckOffByCatchUp) {
    watched_source source;
    fill(source, 0, 500);
    plain_guard here(watched_cache{}, source, leaky());
    std::uint64_t from = 0;
    const std::string comes = next_false_positive(here, from);
    source->data.put(comes, "past the guard");
    EXPECT_FALSE(here.get(comes)) << "nobody told";
    here.catch_up();
    EXPECT_EQ(here.get(comes), "past the guard");
    EXPECT_EQ(here.numbers().caught_up, 1U);
    EXPECT_EQ(source->scans, 1U) << "the first, and no other";
}

TEST(GuardExceptions, AreNotMadeOfWhatTheCacheSays) {
    watched_source source;
    watched_cache cache({}, true);
    fill(source, 0, 10);
    plain_guard here(cache, source);
    const std::string key = key_of(1);
    const store::entry lie{key, std::nullopt};
    cache->data.put({&lie, 1});
    EXPECT_FALSE(here.get(key)) << "the cache may be as old as its entries live";
    EXPECT_EQ(here.numbers().exceptions, 0U);
    const std::string_view view = key;
    cache->data.erase({&view, 1});
    EXPECT_EQ(here.get(key), value_of(1));
}

} // namespace
} // namespace bloomery::testing
