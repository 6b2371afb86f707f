// More keys than the filter was made for: it is rebuilt, grows, or raises an alarm.
#include "binomial.hpp"
#include "scene.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

guard_options overfull(when_overfull policy) {
    guard_options options;
    options.policy = policy;
    options.least_items = 256;
    options.rebuild_pause = 0ms;
    return options;
}

TEST(GuardGrowth, IsLeftRoomForByTheHeadroom) {
    watched_source source;
    fill(source, 0, 2000);
    guard_options options;
    options.headroom = 0.5;
    EXPECT_EQ(plain_guard(watched_cache{}, source, options).numbers().item_capacity, 3000U);
    options.least_items = 10'000;
    EXPECT_EQ(plain_guard(watched_cache{}, source, options).numbers().item_capacity, 10'000U);
}

TEST(GuardGrowth, IsToldByTheNumbers) {
    watched_source source;
    plain_guard here(watched_cache{}, source, overfull(when_overfull::alarm));
    for (std::uint64_t i = 0; i < 256; ++i) {
        here.put(key_of(i), "");
        here.put(key_of(i), "again"); // an update takes no room
    }
    guard_numbers now = here.numbers();
    EXPECT_LE(now.estimated_items, 256U); // without those on which the filter erred
    EXPECT_GE(now.estimated_items, 240U);
    EXPECT_EQ(now.item_capacity, 256U);
    EXPECT_LE(now.present_rate, now.planned_rate);
    EXPECT_EQ(raised(now, alarm_kind::overfull), 0U);
    EXPECT_GT(now.filter_bytes, 0U);
}

TEST(GuardGrowth, IsNotWhatOneKeyMakesThatComesAndGoes) {
    watched_source source;
    plain_guard here(watched_cache{}, source, overfull(when_overfull::alarm));
    for (int i = 0; i < 1000; ++i) {
        here.put(key_of(1), "");
        EXPECT_TRUE(here.erase(key_of(1)));
    }
    EXPECT_EQ(here.numbers().estimated_items, 1U);
    EXPECT_EQ(here.numbers().leftovers, 1000U);
}

TEST(GuardGrowth, IsCountedForKeysThatWereErasedAndCannotBeForgotten) {
    watched_source source;
    plain_guard here(watched_cache{}, source, overfull(when_overfull::alarm));
    for (std::uint64_t i = 0; i < 1000; ++i) {
        here.put(key_of(i), "");
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    const guard_numbers now = here.numbers();
    EXPECT_EQ(source->data.count(), 0U);
    EXPECT_EQ(now.leftovers, 1000U);
    EXPECT_GT(now.present_rate, 2 * now.planned_rate);
    EXPECT_EQ(raised(now, alarm_kind::overfull), 1U);
}

TEST(GuardGrowth, IsCountedForKeysThatTheSourceRefused) {
    watched_source source;
    plain_guard here(watched_cache{}, source, overfull(when_overfull::alarm));
    source->before = [](source_call what, std::string_view) {
        if (what == source_call::put) {
            throw store::store_error("the table is read only");
        }
    };
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_THROW(here.put(key_of(i), ""), store::store_error);
    }
    EXPECT_GT(here.numbers().present_rate, 2 * here.numbers().planned_rate);
}

TEST(GuardGrowth, OnlyTellsIfThatIsThePolicy) {
    watched_source source;
    guard_options options = overfull(when_overfull::alarm);
    std::atomic<int> told = 0;
    std::string sentence;
    options.on_alarm = [&](const guard_alarm& one) {
        EXPECT_EQ(one.kind, alarm_kind::overfull);
        sentence = one.sentence;
        ++told;
    };
    plain_guard here(watched_cache{}, source, options);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        here.put(key_of(i), value_of(i));
    }
    EXPECT_EQ(told, 1) << "once, not with every put";
    EXPECT_NE(sentence.find("but was built for 256"), std::string::npos) << sentence;
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.rebuilds, 1U);
    EXPECT_EQ(now.layers, 1U);
    EXPECT_GT(now.present_rate, 0.02);
    here.rebuild();
    EXPECT_LE(here.numbers().present_rate, 0.01);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(here.get(key_of(i)), value_of(i));
    }
}

TEST(GuardGrowth, BeginsARebuildOnceTheRateIsTwiceThePlannedOne) {
    watched_source source;
    plain_guard here(watched_cache{}, source, overfull(when_overfull::rebuild));
    std::uint64_t i = 0;
    while (here.numbers().alarms.at(0) == 0 && i < 10'000) {
        here.put(key_of(i), value_of(i));
        ++i;
    }
    EXPECT_GT(i, 256U);
    EXPECT_LT(i, 600U);
    await_rebuilds(here, 2);
    const guard_numbers now = here.numbers();
    EXPECT_GE(now.item_capacity, i);
    EXPECT_LE(now.present_rate, 0.01);
    for (std::uint64_t k = 0; k < i; ++k) {
        ASSERT_EQ(here.get(key_of(k)), value_of(k));
    }
}

TEST(GuardGrowth, BeginsNoSecondRebuildBeforeThePauseIsOver) {
    watched_source source;
    guard_options options = overfull(when_overfull::rebuild);
    options.headroom = 0;
    options.rebuild_pause = 1h;
    plain_guard here(watched_cache{}, source, options);
    for (std::uint64_t i = 0; i < 700; ++i) {
        here.put(key_of(i), value_of(i));
    }
    await_rebuilds(here, 2);
    for (std::uint64_t i = 700; i < 5000; ++i) {
        here.put(key_of(i), value_of(i));
    }
    EXPECT_FALSE(here.numbers().rebuilding);
    EXPECT_EQ(here.numbers().rebuilds, 2U);
    EXPECT_EQ(raised(here.numbers(), alarm_kind::overfull), 2U) << "it is told nevertheless";
}

TEST(GuardGrowth, InLayersKeepsTheRateBelowTwiceThePlannedOne) {
    watched_source source;
    guard_options options = overfull(when_overfull::grow);
    plain_guard here(watched_cache{}, source, options);
    const std::uint64_t most = 256 * 50;
    for (std::uint64_t i = 0; i < most; ++i) {
        here.put(key_of(i), "");
        if (i % 1000 == 0) {
            ASSERT_LT(here.numbers().present_rate, 0.02) << i;
        }
    }
    guard_numbers now = here.numbers();
    EXPECT_LT(now.present_rate, 0.02);
    EXPECT_EQ(now.layers, 6U) << "1 + 2 + 4 + 8 + 16 + 32 > 50";
    EXPECT_EQ(now.rebuilds, 1U);
    EXPECT_EQ(source->scans, 1U);
    EXPECT_EQ(raised(now, alarm_kind::overfull), 0U);
    for (std::uint64_t i = 0; i < most; ++i) {
        ASSERT_TRUE(here.get(key_of(i))) << i;
    }
    const std::uint64_t asked = 50'000;
    for (std::uint64_t i = 0; i < asked; ++i) {
        EXPECT_FALSE(here.get(stranger_of(i)));
    }
    now = here.numbers();
    EXPECT_TRUE(binomial_bounds(asked, now.present_rate).contain(now.false_positives))
        << now.false_positives << " at " << now.present_rate;
    EXPECT_LE(static_cast<double>(now.false_positives), binomial_bounds(asked, 0.02).high);
}

TEST(GuardGrowth, InLayersIsForgottenByARebuild) {
    watched_source source;
    plain_guard here(watched_cache{}, source, overfull(when_overfull::grow));
    for (std::uint64_t i = 0; i < 1000; ++i) {
        here.put(key_of(i), value_of(i));
    }
    ASSERT_GE(here.numbers().layers, 2U);
    here.rebuild();
    EXPECT_EQ(here.numbers().layers, 1U);
    EXPECT_EQ(here.numbers().item_capacity, 1250U);
}

TEST(GuardGrowth, InLayersOutlivesARestart) {
    const temporary_folder folder;
    watched_source source;
    const guard_options options = in_file(folder / "f", overfull(when_overfull::grow));
    {
        plain_guard here(watched_cache{}, source, options);
        for (std::uint64_t i = 0; i < 2000; ++i) {
            here.put(key_of(i), value_of(i));
        }
        ASSERT_EQ(here.numbers().layers, 4U);
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "f.3"));
    {
        plain_guard here(watched_cache{}, source, options);
        EXPECT_EQ(here.numbers().layers, 4U);
        EXPECT_EQ(source->scans, 1U);
        for (std::uint64_t i = 0; i < 2000; ++i) {
            ASSERT_EQ(here.get(key_of(i)), value_of(i));
        }
        here.rebuild();
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "f.1"));
    EXPECT_FALSE(std::filesystem::exists(folder / "f.3"));
}

TEST(GuardGrowth, ThatFailsDoesNotFailThePutThatWasDone) {
    const temporary_folder folder;
    watched_source source;
    plain_guard here(watched_cache{}, source, in_file(folder / "f", overfull(when_overfull::grow)));
    std::filesystem::create_directories(folder / "f.1" / "in the way");
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ASSERT_NO_THROW(here.put(key_of(i), value_of(i))) << i;
    }
    EXPECT_EQ(here.numbers().layers, 1U);
    EXPECT_EQ(raised(here.numbers(), alarm_kind::overfull), 1U) << "somebody should look";
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(here.get(key_of(i)), value_of(i));
    }
}

TEST(GuardGrowth, OfAScalableFilterIsItsOwn) {
    watched_source source;
    guard<scalable_filter, watched_cache, watched_source> here(watched_cache{}, source,
                                                               overfull(when_overfull::rebuild));
    for (std::uint64_t i = 0; i < 5000; ++i) {
        here.put(key_of(i), value_of(i));
    }
    for (std::uint64_t i = 0; i < 5000; ++i) {
        ASSERT_EQ(here.get(key_of(i)), value_of(i));
    }
    EXPECT_LT(here.numbers().present_rate, 0.02);
}

} // namespace
} // namespace bloomery::testing
