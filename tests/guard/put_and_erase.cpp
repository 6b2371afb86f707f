// Writes: their order, and what a get sees before, between and after.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

TEST(GuardPut, IsInTheFilterBeforeItIsInTheSource) {
    watched_source source;
    plain_guard here(watched_cache{}, source);
    ASSERT_FALSE(here.get("new"));
    ASSERT_EQ(source->keys_asked, 0U);
    source->before = [&](source_call what, std::string_view) {
        if (what == source_call::put) {
            EXPECT_FALSE(here.get("new")) << "it is not there yet, but it is not refused";
        }
    };
    source->after = [&](source_call what, std::string_view) {
        if (what == source_call::put) {
            EXPECT_EQ(here.get("new"), "1") << "whatever the source holds the filter knows";
        }
    };
    here.put("new", "1");
    EXPECT_EQ(source->keys_asked, 2U);
    EXPECT_EQ(here.get("new"), "1");
}

TEST(GuardPut, TakesTheOldValueOutOfTheCache) {
    watched_source source;
    watched_cache cache;
    plain_guard here(cache, source);
    here.put("a", "1");
    EXPECT_EQ(here.get("a"), "1");
    ASSERT_TRUE(cache.has("a"));
    here.put("a", "2");
    EXPECT_FALSE(cache.has("a"));
    EXPECT_EQ(here.get("a"), "2");
    EXPECT_EQ(here.get("a"), "2");
    EXPECT_TRUE(here.erase("a"));
    EXPECT_FALSE(cache.has("a"));
    EXPECT_FALSE(here.get("a"));
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.puts, 2U);
    EXPECT_EQ(now.updates, 1U);
    EXPECT_EQ(now.erases, 1U);
}

TEST(GuardPut, TakesAnAbsenceOutOfTheCacheToo) {
    watched_source source;
    watched_cache cache({}, true);
    fill(source, 0, 500);
    plain_guard here(cache, source, leaky());
    std::uint64_t from = 0;
    const std::string key = next_false_positive(here, from);
    ASSERT_EQ(cache->data.get(key).is, store::cached::knowledge::absence);
    here.put(key, "1");
    EXPECT_EQ(here.get(key), "1");
}

/// A get that has read the source stands still there while `write` runs.
template <class Write>
void expect_overtaken(const std::string& key, watched_source& source, watched_cache& cache,
                      plain_guard& here, Write write) {
    door stop;
    source->after = [&](source_call what, std::string_view) {
        if (what == source_call::get) {
            stop.pass();
        }
    };
    std::thread slow([&] { (void)here.get(key); });
    stop.await();
    write();
    const std::uint64_t fills = cache->fills;
    const std::uint64_t listed = here.numbers().exceptions;
    stop.open();
    slow.join();
    EXPECT_EQ(cache->fills, fills) << "what it found is old";
    EXPECT_EQ(here.numbers().exceptions, listed);
    EXPECT_EQ(here.get(key), source->data.get(key));
    EXPECT_EQ(here.get(key), source->data.get(key));
}

TEST(GuardPut, KeepsAnOlderGetFromFillingTheCache) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    expect_overtaken(key_of(1), source, cache, here, [&] { here.put(key_of(1), "2"); });
    EXPECT_EQ(here.get(key_of(1)), "2");
}

TEST(GuardPut, KeepsAnOlderGetFromListingItsKey) {
    watched_source source;
    watched_cache cache({}, true);
    fill(source, 0, 500);
    plain_guard here(cache, source, leaky());
    std::uint64_t from = 0;
    const std::string known = next_false_positive(here, from);
    here.put(known, "");
    here.erase(known);
    here.put(known, ""); // the filter has it, and the list does not
    source->data.erase(known);
    expect_overtaken(known, source, cache, here, [&] { here.put(known, "2"); });
    EXPECT_EQ(here.get(known), "2");
}

TEST(GuardErase, AndPutAgainKeepsAnOlderGetFromFillingTheCache) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    expect_overtaken(key_of(1), source, cache, here, [&] {
        EXPECT_TRUE(here.erase(key_of(1)));
        here.put(key_of(1), "again");
    });
    EXPECT_EQ(here.get(key_of(1)), "again");
}

TEST(GuardErase, KeepsAnOlderGetFromFillingTheCache) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    expect_overtaken(key_of(1), source, cache, here, [&] { here.erase(key_of(1)); });
    EXPECT_FALSE(here.get(key_of(1)));
}

TEST(GuardPut, WaitsForThoseWhoFillTheCacheWithTheOldValue) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    door stop;
    cache->before = [&](cache_call what) {
        if (what == cache_call::put) {
            stop.pass();
        }
    };
    std::thread reader([&] { EXPECT_EQ(here.get(key_of(1)), value_of(1)); });
    stop.await();
    std::thread writer([&] { here.put(key_of(1), "2"); });
    wait_until("the source has it", in_time, [&] { return source->data.get(key_of(1)) == "2"; });
    EXPECT_EQ(cache->erased, 0U) << "an erasure now would come before the old value";
    stop.open();
    reader.join();
    writer.join();
    EXPECT_FALSE(cache.has(key_of(1)));
    EXPECT_EQ(here.get(key_of(1)), "2");
}

TEST(GuardErase, OfAPlainFilterIsRememberedByTheList) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 100);
    plain_guard here(cache, source);
    EXPECT_TRUE(here.erase(key_of(1)));
    EXPECT_FALSE(here.get(key_of(1)));
    EXPECT_EQ(source->keys_asked, 0U);
    EXPECT_EQ(cache->asked, 0U);
    guard_numbers now = here.numbers();
    EXPECT_EQ(now.excepted, 1U);
    EXPECT_EQ(now.leftovers, 1U);
    EXPECT_EQ(now.exceptions, 1U);

    here.put(key_of(1), "again");
    EXPECT_EQ(here.get(key_of(1)), "again");
    EXPECT_EQ(here.numbers().exceptions, 0U);

    EXPECT_TRUE(here.erase(key_of(1)));
    here.rebuild();
    now = here.numbers();
    EXPECT_EQ(now.leftovers, 0U);
    EXPECT_FALSE(here.get(key_of(1)));
    EXPECT_EQ(here.numbers().refused, 1U) << "a filter made anew does not have it";
}

TEST(GuardErase, OfAnAbsentKeyChangesNothing) {
    watched_source source;
    fill(source, 0, 10);
    plain_guard here(watched_cache{}, source);
    EXPECT_FALSE(here.erase("none"));
    EXPECT_EQ(here.numbers().leftovers, 0U);
    here.put("none", "1");
    EXPECT_EQ(here.get("none"), "1");
}

TEST(GuardErase, DoesNotListAKeyThatWasPutMeanwhile) {
    watched_source source;
    fill(source, 0, 10);
    plain_guard here(watched_cache{}, source);
    door stop;
    source->after = [&](source_call what, std::string_view) {
        if (what == source_call::erase) {
            stop.pass();
        }
    };
    std::thread slow([&] { EXPECT_TRUE(here.erase(key_of(1))); });
    stop.await();
    here.put(key_of(1), "newer");
    stop.open();
    slow.join();
    EXPECT_EQ(here.get(key_of(1)), "newer");
    EXPECT_EQ(here.numbers().exceptions, 0U);
}

TEST(GuardErase, InsideALongPutDoesNotListTheKey) {
    watched_source source;
    fill(source, 0, 10);
    plain_guard here(watched_cache{}, source);
    door stop;
    source->before = [&](source_call what, std::string_view) {
        if (what == source_call::put) {
            stop.pass();
        }
    };
    std::thread slow([&] { here.put(key_of(1), "late"); });
    stop.await();
    EXPECT_TRUE(here.erase(key_of(1)));
    stop.open();
    slow.join();
    EXPECT_EQ(here.get(key_of(1)), "late");
}

} // namespace
} // namespace bloomery::testing
