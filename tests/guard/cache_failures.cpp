// A cache that is down, that comes back, and that returns garbage.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

guard_options pausing(std::chrono::milliseconds pause) {
    guard_options options;
    options.cache_pause = pause;
    return options;
}

TEST(GuardCache, ThatIsDownIsGoneRound) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 100);
    plain_guard here(cache, source, pausing(1h));
    cache->down = true;
    for (std::uint64_t i = 0; i < 50; ++i) {
        EXPECT_EQ(here.get(key_of(i)), value_of(i));
    }
    here.put(key_of(1), "new");
    EXPECT_EQ(here.get(key_of(1)), "new");
    EXPECT_TRUE(here.erase(key_of(1)));
    EXPECT_FALSE(here.get(key_of(1)));
    const std::string one = key_of(2);
    const std::string_view view = one;
    EXPECT_EQ(here.get_many({&view, 1}).at(0), value_of(2));
    EXPECT_EQ(cache->calls, 1U) << "after it failed once it is left alone";
    EXPECT_EQ(here.numbers().cache_failures, 1U);
    EXPECT_EQ(here.numbers().failed, 0U);
}

TEST(GuardCache, IsAskedAgainAfterThePause) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source, pausing(1ms));
    cache->down = true;
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
    cache->down = false;
    wait_until("the cache is used again", in_time, [&] {
        (void)here.get(key_of(1));
        return here.numbers().cache_hits > 0;
    });
}

TEST(GuardCache, ForgetsWhatWasWrittenMeanwhileBeforeItIsAskedAgain) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 100);
    plain_guard here(cache, source, pausing(1ms));
    for (std::uint64_t i = 0; i < 100; ++i) {
        (void)here.get(key_of(i));
    }
    ASSERT_TRUE(cache.has(key_of(7)));
    cache->down = true;
    for (std::uint64_t i = 0; i < 50; ++i) {
        here.put(key_of(i), "new");
    }
    for (std::uint64_t i = 50; i < 60; ++i) {
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    ASSERT_TRUE(cache.has(key_of(7))) << "the old value is still there";
    cache->down = false;
    // From the first answer on nothing old is served, however soon the cache is used again.
    wait_until("the cache is used again", in_time, [&] {
        EXPECT_EQ(here.get(key_of(7)), "new");
        return here.numbers().cache_hits > 0;
    });
    for (std::uint64_t i = 0; i < 50; ++i) {
        EXPECT_EQ(here.get(key_of(i)), "new");
    }
    for (std::uint64_t i = 50; i < 60; ++i) {
        EXPECT_FALSE(here.get(key_of(i)));
        EXPECT_FALSE(cache.has(key_of(i)));
    }
}

TEST(GuardCache, IsNotAskedWhileItsDebtsCannotBePaid) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source, pausing(0ms));
    (void)here.get(key_of(1));
    ASSERT_TRUE(cache.has(key_of(1)));
    cache->before = [](cache_call what) {
        if (what == cache_call::erase) {
            throw store::unavailable("it forgets nothing just now");
        }
    };
    here.put(key_of(1), "new");
    const std::uint64_t asked = cache->asked;
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(here.get(key_of(1)), "new");
    }
    EXPECT_EQ(cache->asked, asked);
    cache->before = {};
    EXPECT_EQ(here.get(key_of(1)), "new");
    EXPECT_GT(cache->asked, asked);
    EXPECT_EQ(here.get(key_of(1)), "new");
}

TEST(GuardCache, WithTooManyDebtsIsNotUsedBeforeItsEntriesHaveExpired) {
    watched_source source;
    watched_cache cache(1h);
    fill(source, 0, 100);
    guard_options options = pausing(0ms);
    options.most_pending_erases = 10;
    plain_guard here(cache, source, options);
    for (std::uint64_t i = 0; i < 100; ++i) {
        (void)here.get(key_of(i));
    }
    cache->down = true;
    for (std::uint64_t i = 0; i < 11; ++i) {
        here.put(key_of(i), "new");
    }
    cache->down = false;
    const std::uint64_t calls = cache->calls;
    for (std::uint64_t i = 0; i < 11; ++i) {
        EXPECT_EQ(here.get(key_of(i)), "new");
        EXPECT_EQ(here.get(key_of(i)), "new");
    }
    EXPECT_EQ(cache->calls, calls) << "an hour is not over";
}

TEST(GuardCache, WithTooManyDebtsIsUsedAgainOnceItsEntriesHaveExpired) {
    watched_source source;
    watched_cache cache(20ms);
    fill(source, 0, 100);
    guard_options options = pausing(0ms);
    options.most_pending_erases = 10;
    plain_guard here(cache, source, options);
    for (std::uint64_t i = 0; i < 100; ++i) {
        (void)here.get(key_of(i));
    }
    cache->down = true;
    for (std::uint64_t i = 0; i < 30; ++i) {
        here.put(key_of(i), "new");
    }
    cache->down = false;
    wait_until("the cache is used again", in_time, [&] {
        const std::uint64_t hits = here.numbers().cache_hits;
        EXPECT_EQ(here.get(key_of(3)), "new");
        return here.numbers().cache_hits > hits;
    });
}

TEST(GuardCache, OfEntriesThatLiveForEverIsGivenUpWithTooManyDebts) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    guard_options options = pausing(0ms);
    options.most_pending_erases = 2;
    plain_guard here(cache, source, options);
    (void)here.get(key_of(1));
    cache->down = true;
    for (std::uint64_t i = 0; i < 5; ++i) {
        here.put(key_of(i), "new");
    }
    cache->down = false;
    const std::uint64_t calls = cache->calls;
    EXPECT_EQ(here.get(key_of(1)), "new");
    EXPECT_EQ(cache->calls, calls);
}

TEST(GuardCache, OfSomebodyElseMayThrowWhatItLikes) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source, pausing(0ms));
    cache->before = [](cache_call) { throw std::runtime_error("no sentence of ours"); };
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
    here.put(key_of(1), "new");
    EXPECT_EQ(here.get(key_of(1)), "new");
    EXPECT_GE(here.numbers().cache_failures, 3U);
}

TEST(GuardCache, ThatAnswersForAnotherNumberOfKeysIsNotBelieved) {
    struct short_cache : watched_cache {
        std::vector<store::cached> get_many(store::keys all) {
            std::vector<store::cached> found = watched_cache::get_many(all);
            found.insert(found.begin(), {store::cached::knowledge::value, "of another key"});
            return found;
        }
    };
    watched_source source;
    fill(source, 0, 10);
    short_cache cache;
    guard<filter, short_cache, watched_source> here(cache, source);
    const std::vector<std::string> keys{key_of(1), key_of(2)};
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    for (int round = 0; round < 2; ++round) {
        const auto found = here.get_many(views);
        EXPECT_EQ(found.at(0), value_of(1));
        EXPECT_EQ(found.at(1), value_of(2));
    }
}

TEST(GuardCache, ThatFailsWhileItIsFilledFailsNobody) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source, pausing(0ms));
    cache->before = [](cache_call what) {
        if (what == cache_call::put) {
            throw store::unavailable("full");
        }
    };
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
    here.put(key_of(1), "new"); // it does not wait for a fill that has failed
    EXPECT_EQ(here.get(key_of(1)), "new");
}

} // namespace
} // namespace bloomery::testing
