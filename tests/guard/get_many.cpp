// Many keys at once: one round trip to each store, in the caller's order.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using answers = std::vector<std::optional<std::string>>;

std::vector<std::string_view> views(const std::vector<std::string>& keys) {
    return {keys.begin(), keys.end()};
}

TEST(GuardGetMany, AnswersInOrderWithOneTripToEachStore) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 1000);
    plain_guard here(cache, source);
    cache.remember(key_of(3), "cached");
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < 100; ++i) {
        keys.push_back(key_of(i));
        keys.push_back(stranger_of(i));
    }
    const answers found = here.get_many(views(keys));
    ASSERT_EQ(found.size(), keys.size());
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(found[2 * i], i == 3 ? "cached" : value_of(i));
        EXPECT_FALSE(found[2 * i + 1]);
    }
    EXPECT_EQ(cache->trips, 1U);
    EXPECT_EQ(cache->fills, 1U);
    EXPECT_EQ(source->trips, 1U);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.asked, 200U);
    EXPECT_EQ(now.source_hits, 99U);
    EXPECT_EQ(now.cache_hits, 1U);
    EXPECT_EQ(source->keys_asked, now.source_hits + now.false_positives);
    EXPECT_TRUE(cache.has(key_of(99)));
}

TEST(GuardGetMany, AsksNobodyForAbsentKeysNorForNone) {
    watched_source source;
    watched_cache cache;
    plain_guard here(cache, source); // of an empty source: no key passes
    EXPECT_TRUE(here.get_many({}).empty());
    const std::vector<std::string> keys{"a", "b"};
    EXPECT_EQ(here.get_many(views(keys)), answers(2));
    EXPECT_EQ(cache->calls, 0U);
    EXPECT_EQ(source->trips, 0U);
    EXPECT_EQ(here.numbers().asked, 2U);
}

TEST(GuardGetMany, AsksOnceForAKeyThatComesTwice) {
    watched_source source;
    fill(source, 0, 10);
    plain_guard here(watched_cache{}, source);
    const std::vector<std::string> keys{key_of(1), key_of(2), key_of(1), key_of(1)};
    EXPECT_EQ(here.get_many(views(keys)),
              (answers{value_of(1), value_of(2), value_of(1), value_of(1)}));
    EXPECT_EQ(source->keys_asked, 2U);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.joined, 2U);
    EXPECT_EQ(now.asked, 4U);
}

TEST(GuardGetMany, ListsAbsentKeysSoThatTheSecondTimeCostsNothing) {
    watched_source source;
    fill(source, 0, 500);
    plain_guard here(watched_cache{}, source, leaky());
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < 500; ++i) {
        keys.push_back(stranger_of(i));
    }
    EXPECT_EQ(here.get_many(views(keys)), answers(500));
    const std::uint64_t errors = here.numbers().false_positives;
    ASSERT_GT(errors, 10U);
    EXPECT_EQ(source->keys_asked, errors);
    EXPECT_EQ(here.get_many(views(keys)), answers(500));
    EXPECT_EQ(source->keys_asked, errors);
    EXPECT_EQ(here.numbers().excepted, errors);
}

TEST(GuardGetMany, CountsEveryKeyAlsoWhenTheSourceIsDown) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    cache.remember(key_of(5), value_of(5));
    source->before = [](source_call, std::string_view) {
        throw store::unavailable("nobody listens");
    };
    const std::vector<std::string> keys{key_of(1), key_of(5), stranger_of(1), key_of(1), key_of(2)};
    EXPECT_THROW((void)here.get_many(views(keys)), store::unavailable);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.asked, 5U);
    EXPECT_EQ(now.cache_hits, 1U);
    EXPECT_EQ(now.failed, 5U - now.cache_hits - now.refused);
    source->before = {};
    EXPECT_EQ(here.get_many(views(keys)),
              (answers{value_of(1), value_of(5), std::nullopt, value_of(1), value_of(2)}));
}

TEST(GuardGetMany, FailsWithTheTripThatItJoined) {
    watched_source source;
    fill(source, 0, 10);
    plain_guard here(watched_cache{}, source);
    door stop;
    source->before = [&](source_call what, std::string_view) {
        if (what == source_call::get) {
            stop.pass();
            throw store::unavailable("nobody listens");
        }
    };
    std::thread first([&] { EXPECT_THROW((void)here.get(key_of(1)), store::unavailable); });
    stop.await();
    const std::vector<std::string> keys{key_of(1), key_of(2), key_of(1)};
    std::thread second([&] { EXPECT_THROW((void)here.get_many(views(keys)), store::unavailable); });
    wait_until("the second has landed its own", in_time,
               [&] { return here.numbers().source_hits == 1; });
    stop.open();
    first.join();
    second.join();
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.asked, 4U);
    EXPECT_EQ(now.failed, 3U);
}

TEST(GuardGetMany, RefusesASourceThatAnswersForAnotherNumberOfKeys) {
    struct short_source : watched_source {
        answers get_many(store::keys all) {
            answers found = watched_source::get_many(all);
            found.pop_back();
            return found;
        }
    };
    short_source source;
    fill(source, 0, 10);
    guard<filter, watched_cache, short_source> here(watched_cache{}, source);
    const std::vector<std::string> keys{key_of(1), key_of(2)};
    EXPECT_NE(refusal<store::store_error>([&] {
                  (void)here.get_many(views(keys));
              }).find("a different number of answers"),
              std::string::npos);
    EXPECT_EQ(here.get(key_of(1)), value_of(1)) << "nobody waits for a trip that has failed";
}

TEST(GuardGetMany, GoesToTheSourceForEverythingWithoutAFilter) {
    watched_source source;
    fill(source, 0, 10);
    door stop;
    guard_options options;
    options.start = warm_up::background;
    source->before = [&](source_call what, std::string_view) {
        if (what == source_call::scan) {
            stop.pass();
        }
    };
    plain_guard here(watched_cache{}, source, options);
    stop.await();
    const std::vector<std::string> keys{key_of(1), stranger_of(1)};
    EXPECT_EQ(here.get_many(views(keys)), (answers{value_of(1), std::nullopt}));
    EXPECT_EQ(source->keys_asked, 2U);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.unfiltered_absences, 1U);
    EXPECT_EQ(now.exceptions, 0U) << "no filter errs";
    stop.open();
}

} // namespace
} // namespace bloomery::testing
