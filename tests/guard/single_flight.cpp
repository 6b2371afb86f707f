// Many threads request one key at the same time: one of them goes to the source.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

constexpr int crowd = 16;

/// A source before which the first get stands still.
struct GuardSingleFlight : ::testing::Test {
    GuardSingleFlight() {
        fill(source, 0, 500);
        source->before = [this](source_call what, std::string_view) {
            if (what == source_call::get) {
                stop.pass();
                if (fails) {
                    throw store::unavailable("nobody listens");
                }
            }
        };
    }
    /// All ask while the first is on its way; then it goes on.
    void ask_together(const std::function<void()>& ask) {
        std::atomic<int> begun = 0;
        std::vector<std::thread> all;
        all.emplace_back(ask);
        stop.await();
        for (int i = 1; i < crowd; ++i) {
            all.emplace_back([&] {
                ++begun;
                ask();
            });
        }
        wait_until("all have begun", in_time, [&] { return begun == crowd - 1; });
        stop.open();
        for (std::thread& one : all) {
            one.join();
        }
    }

    watched_source source;
    std::atomic<bool> fails = false;
    door stop;
};

TEST_F(GuardSingleFlight, ReachesTheSourceOnce) {
    plain_guard here(watched_cache{}, source);
    ask_together([&] { EXPECT_EQ(here.get(key_of(1)), value_of(1)); });
    EXPECT_EQ(source->trips, 1U);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.source_hits, 1U);
    EXPECT_EQ(now.joined + now.cache_hits, crowd - 1U);
    EXPECT_EQ(now.asked, static_cast<std::uint64_t>(crowd));
}

TEST_F(GuardSingleFlight, ReachesTheSourceOnceForAnAbsentKeyToo) {
    guard<filter, store::no_cache, watched_source> here({}, source, leaky());
    here.put("gone", "1");
    source->data.erase("gone"); // the filter claims it, and it is not listed
    ask_together([&] { EXPECT_FALSE(here.get("gone")); });
    EXPECT_EQ(source->trips, 1U);
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.false_positives, 1U);
    EXPECT_EQ(now.joined + now.excepted, crowd - 1U);
}

TEST_F(GuardSingleFlight, HandsAFailureToAllWhoWait) {
    guard<filter, store::no_cache, watched_source> here({}, source);
    fails = true;
    std::atomic<int> told = 0;
    ask_together([&] {
        try {
            (void)here.get(key_of(1));
        } catch (const store::unavailable&) {
            ++told;
        }
    });
    EXPECT_EQ(told, crowd);
    EXPECT_EQ(here.numbers().failed, static_cast<std::uint64_t>(crowd));
    fails = false;
    EXPECT_EQ(here.get(key_of(1)), value_of(1)) << "a failure is not remembered";
}

TEST_F(GuardSingleFlight, IsJoinedByABatch) {
    guard<filter, store::no_cache, watched_source> here({}, source);
    std::thread first([&] { EXPECT_EQ(here.get(key_of(1)), value_of(1)); });
    stop.await();
    std::thread batch([&] {
        const std::string one = key_of(1);
        const std::string two = key_of(2);
        const std::vector<std::string_view> keys{one, two};
        EXPECT_EQ(here.get_many(keys),
                  (std::vector<std::optional<std::string>>{value_of(1), value_of(2)}));
    });
    wait_until("the batch has its own", in_time, [&] { return here.numbers().source_hits == 1; });
    stop.open();
    first.join();
    batch.join();
    EXPECT_EQ(source->keys_asked, 2U);
    EXPECT_EQ(here.numbers().joined, 1U);
}

TEST_F(GuardSingleFlight, IsNotJoinedAfterAPutHasReturned) {
    plain_guard here(watched_cache{}, source);
    std::optional<std::string> old;
    source->before = {};
    source->after = [this](source_call what, std::string_view) {
        if (what == source_call::get) {
            stop.pass();
        }
    };
    std::thread first([&] { old = here.get(key_of(1)); });
    stop.await();
    here.put(key_of(1), "new");
    EXPECT_EQ(here.get(key_of(1)), "new") << "it must not wait for the older trip either";
    stop.open();
    first.join();
    EXPECT_EQ(old, value_of(1));
    EXPECT_EQ(here.get(key_of(1)), "new");
}

TEST_F(GuardSingleFlight, IsNotJoinedAfterAnEraseHasReturned) {
    plain_guard here(watched_cache{}, source);
    source->before = {};
    source->after = [this](source_call what, std::string_view) {
        if (what == source_call::get) {
            stop.pass();
        }
    };
    std::thread first([&] { EXPECT_EQ(here.get(key_of(1)), value_of(1)); });
    stop.await();
    EXPECT_TRUE(here.erase(key_of(1)));
    EXPECT_FALSE(here.get(key_of(1)));
    stop.open();
    first.join();
    EXPECT_FALSE(here.get(key_of(1)));
}

TEST_F(GuardSingleFlight, KeepsBatchesThatWaitForEachOtherFromStandingStill) {
    source->before = {};
    guard<filter, store::no_cache, watched_source> here({}, source);
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < 64; ++i) {
        keys.push_back(key_of(i));
    }
    const std::vector<std::string_view> up(keys.begin(), keys.end());
    const std::vector<std::string_view> down(keys.rbegin(), keys.rend());
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t) {
        all.emplace_back([&, t] {
            for (int round = 0; round < 50; ++round) {
                EXPECT_EQ(here.get_many(t % 2 == 0 ? up : down).size(), keys.size());
            }
        });
    }
    for (std::thread& one : all) {
        one.join();
    }
    EXPECT_EQ(here.numbers().asked, 4U * 50 * 64);
}

} // namespace
} // namespace bloomery::testing
