// What ordinary traffic does not explain, and that ordinary traffic raises nothing.
#include "../../src/guard/rate_watch.hpp"
#include "scene.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace bloomery::testing {
namespace {

/// Told of each alarm; options that hold no rebuild against it.
struct listener {
    guard_options options(guard_options of = {}) {
        of.policy = when_overfull::alarm;
        of.on_alarm = [this](const guard_alarm& one) {
            ++told[static_cast<std::size_t>(one.kind)];
            sentence = one.sentence;
        };
        return of;
    }
    std::array<int, alarm_kinds> told{};
    std::string sentence;
};

TEST(GuardAlarm, IsNotRaisedByOrdinaryTraffic) {
    listener ear;
    watched_source source;
    fill(source, 0, 5000);
    plain_guard here(watched_cache{}, source, ear.options());
    for (std::uint64_t i = 5000; i < 6000; ++i) {
        here.put(key_of(i), value_of(i));
    }
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        (void)here.get(stranger_of(i));
    }
    here.checkpoint();
    here.rebuild();
    here.checkpoint();
    EXPECT_EQ(ear.told, (std::array<int, alarm_kinds>{})) << ear.sentence;
    EXPECT_EQ(here.numbers().alarms, (std::array<std::uint64_t, alarm_kinds>{}));
}

TEST(GuardAlarm, IsRaisedForKeysThatAreKnownToPass) {
    listener ear;
    watched_source source;
    fill(source, 0, 2000);
    guard_options options = ear.options();
    options.keyed = false; // whoever knows the hash knows which keys pass
    plain_guard here(watched_cache{}, source, options);
    const std::uint64_t capacity = here.numbers().item_capacity;
    filter equal(items{capacity}, rate{0.01});
    for (std::uint64_t i = 0; i < 2000; ++i) {
        equal.insert(key_of(i));
    }
    std::uint64_t passed = 0;
    for (std::uint64_t i = 0; passed < 200; ++i) {
        if (equal.may_contain(stranger_of(i))) {
            EXPECT_FALSE(here.get(stranger_of(i)));
            ++passed;
        }
    }
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.false_positives, 200U);
    EXPECT_GE(raised(now, alarm_kind::crafted_keys), 1U);
    EXPECT_NE(ear.sentence.find("absent keys passed the filter"), std::string::npos)
        << ear.sentence;
}

TEST(GuardAlarm, IsRaisedForErasedKeysThatTheListHasForgotten) {
    listener ear;
    watched_source source;
    fill(source, 0, 5000);
    guard_options options = ear.options();
    options.most_exceptions = 1024;
    plain_guard here(watched_cache{}, source, options);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_FALSE(here.get(key_of(i)));
    }
    EXPECT_GE(raised(here.numbers(), alarm_kind::crafted_keys), 1U);
}

TEST(GuardAlarm, BeginsARebuildIfThatIsThePolicy) {
    watched_source source;
    fill(source, 0, 5000);
    guard_options options;
    options.most_exceptions = 1024;
    plain_guard here(watched_cache{}, source, options);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_FALSE(here.get(key_of(i)));
    }
    await_rebuilds(here, 2);
    const std::uint64_t before = here.numbers().refused;
    for (std::uint64_t i = 1000; i < 2000; ++i) {
        EXPECT_FALSE(here.get(key_of(i)));
    }
    EXPECT_GT(here.numbers().refused, before) << "the new filter does not have them";
}

TEST(GuardAlarm, IsRaisedForKeysThatAreChosenToFillTheFilter) {
    listener ear;
    watched_source source;
    guard_options options = ear.options();
    options.keyed = false;
    options.least_items = 2000;
    plain_guard here(watched_cache{}, source, options);
    filter equal(items{2000}, rate{0.01});
    std::uint64_t bits = 0;
    std::uint64_t put = 0;
    for (std::uint64_t i = 0; put < 1500; ++i) {
        filter tried = equal;
        tried.insert(key_of(i));
        const std::uint64_t now = tried.stats().bits_set;
        if (now - bits >= tried.spec().shape.hash_count) { // it sets new bits only
            here.put(key_of(i), "");
            equal = tried;
            bits = now;
            ++put;
        }
        if (i > 20'000) {
            break;
        }
    }
    ASSERT_GT(put, 1000U);
    here.checkpoint();
    EXPECT_EQ(raised(here.numbers(), alarm_kind::crafted_fill), 1U);
    EXPECT_NE(ear.sentence.find("someone chooses keys to fill it"), std::string::npos)
        << ear.sentence;
}

TEST(GuardAlarm, IsNotRaisedForKeysThatCameDuringARebuild) {
    listener ear;
    watched_source source;
    fill(source, 0, 1200);
    source->batch = 1;
    guard_options options = ear.options();
    door stop;
    int batches = 0;
    options.on_step = [&](guard_step what) {
        if (what == guard_step::scanning && ++batches == 1200 + 600) {
            stop.pass();
        }
    };
    plain_guard here(watched_cache{}, source, options);
    std::thread builder([&] { here.rebuild(); });
    stop.await();
    for (std::uint64_t i = 2000; i < 2300; ++i) {
        here.put(key_of(i), value_of(i));
    }
    stop.open();
    builder.join();
    here.checkpoint();
    EXPECT_EQ(raised(here.numbers(), alarm_kind::crafted_fill), 0U) << ear.sentence;
    EXPECT_NEAR(static_cast<double>(here.numbers().estimated_items), 1500, 20);
}

TEST(GuardAlarm, IsRaisedForAKeyThatWasWrittenPastTheGuardAndItIsTakenIn) {
    listener ear;
    watched_source source;
    fill(source, 0, 10);
    guard_options options = ear.options();
    options.audit_every = 1;
    plain_guard here(watched_cache{}, source, options);
    source->data.put("past the guard", "1");
    EXPECT_EQ(here.get("past the guard"), "1");
    guard_numbers now = here.numbers();
    EXPECT_EQ(raised(now, alarm_kind::stale), 1U);
    EXPECT_NE(ear.sentence.find("catch_up"), std::string::npos) << ear.sentence;
    EXPECT_EQ(here.get("past the guard"), "1");
    EXPECT_FALSE(here.get("none"));
    now = here.numbers();
    EXPECT_EQ(raised(now, alarm_kind::stale), 1U) << "it was repaired";
    EXPECT_EQ(now.source_hits + now.cache_hits, 2U);
    EXPECT_EQ(now.refused, 1U);
}

TEST(GuardAlarm, IsNotRaisedForAKeyThatWasPutDuringItsAudit) {
    listener ear;
    watched_source source;
    fill(source, 0, 10);
    guard_options options = ear.options();
    options.audit_every = 1;
    plain_guard here(watched_cache{}, source, options);
    std::atomic<bool> first = true;
    source->before = [&](source_call what, std::string_view) {
        if (what == source_call::get && first.exchange(false)) {
            here.put("new", "1"); // the filter was asked before
        }
    };
    EXPECT_EQ(here.get("new"), "1");
    EXPECT_EQ(raised(here.numbers(), alarm_kind::stale), 0U);
}

TEST(GuardAlarm, FindsNothingInCountsThatAreOlderThanTheWindow) {
    detail::rate_watch watch;
    watch.begin(1000, 100);
    EXPECT_FALSE(watch.is_due(99)) << "a thread was late with its counts";
    const auto found = watch.look(990, 99, 0.01, 0.01);
    EXPECT_FALSE(found.beyond_chance);
    EXPECT_FALSE(found.beyond_plan);
}

TEST(GuardAlarm, JudgesByWhatChanceExplains) {
    detail::rate_watch watch;
    EXPECT_FALSE(watch.is_due(63));
    EXPECT_TRUE(watch.is_due(64));
    EXPECT_FALSE(watch.look(6400, 64, 0.01, 0.01).beyond_chance) << "as many as expected";
    EXPECT_FALSE(watch.is_due(127)) << "the next look when there are twice as many";
    const auto found = watch.look(6400, 200, 0.01, 0.01);
    EXPECT_TRUE(found.beyond_chance);
    EXPECT_FALSE(found.beyond_plan) << "200 of 6600 is not surely more than 2 %";
    EXPECT_EQ(found.errors, 200U);
    EXPECT_EQ(found.absences, 6600U);
    EXPECT_FALSE(watch.is_due(263)) << "a new window";
    EXPECT_TRUE(watch.look(6400, 300, 0.01, 0.01).beyond_plan);
}

} // namespace
} // namespace bloomery::testing
