// A source that is down, that refuses requests, and whose writes have an unknown outcome.
#include "scene.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

void go_down(const watched_source& source) {
    source->before = [](source_call, std::string_view) {
        throw store::unavailable("nobody listens on port 5432");
    };
}

TEST(GuardSource, ThatIsDownIsNamedAndAbsentKeysAreStillAnswered) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 100);
    plain_guard here(cache, source);
    (void)here.get(key_of(2));
    go_down(source);
    const std::string why = refusal<store::unavailable>([&] { (void)here.get(key_of(1)); });
    EXPECT_NE(why.find("the source is down"), std::string::npos) << why;
    EXPECT_NE(why.find("port 5432"), std::string::npos) << why;
    EXPECT_EQ(here.get(key_of(2)), value_of(2)) << "the cache has it";
    std::uint64_t absent = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        try {
            absent += here.get(stranger_of(i)) ? 0U : 1U;
        } catch (const store::unavailable&) { // a false positive: only the source can tell
        }
    }
    const guard_numbers now = here.numbers();
    EXPECT_EQ(now.refused, absent);
    EXPECT_GT(absent, 950U);
    EXPECT_EQ(now.failed, 1 + 1000 - absent);
    EXPECT_EQ(now.source_failures, now.failed);
    EXPECT_EQ(now.asked, 1003U);
    EXPECT_EQ(now.exceptions, 0U) << "nothing was proven";
}

TEST(GuardSource, ThatIsDownDoesNotSpoilTheAnswersThatAreAudited) {
    watched_source source;
    fill(source, 0, 10);
    guard_options options;
    options.audit_every = 1;
    plain_guard here(watched_cache{}, source, options);
    go_down(source);
    EXPECT_FALSE(here.get("none")) << "the filter's word is enough";
    const std::string present = key_of(1);
    const std::vector<std::string_view> keys{present, "none"};
    EXPECT_THROW((void)here.get_many(keys), store::unavailable);
    source->before = {};
    EXPECT_EQ(here.get(present), value_of(1)) << "nobody waits for a trip that never lands";
    EXPECT_EQ(here.numbers().asked, 4U);
}

/// A put that fails after, or before, it has reached the source.
struct failing_put {
    bool done;
    std::function<void()> fail;
};

class GuardFailedPut : public ::testing::TestWithParam<int> {
protected:
    static failing_put how() {
        switch (GetParam()) {
        case 0:
            return {false, [] { throw store::store_error("the column takes no such value"); }};
        case 1:
            return {false, [] { throw store::unavailable("nobody listens"); }};
        case 2:
            return {true, [] { throw store::outcome_unknown("the connection was lost"); }};
        case 3:
            return {false, [] { throw store::outcome_unknown("the connection was lost"); }};
        case 4:
            return {true, [] { throw std::runtime_error("no sentence of ours"); }};
        default:
            return {true, [] { throw 42; }};
        }
    }

    template <class Filter>
    static void expect_no_false_negative() {
        const failing_put fails = how();
        watched_source source;
        watched_cache cache;
        fill(source, 0, 500);
        guard<Filter, watched_cache, watched_source> here(cache, source);
        (void)here.get(key_of(1));
        ASSERT_TRUE(cache.has(key_of(1)));
        auto& at = fails.done ? source->after : source->before;
        at = [&](source_call what, std::string_view) {
            if (what == source_call::put) {
                fails.fail();
            }
        };
        EXPECT_ANY_THROW(here.put("new", "1"));
        EXPECT_ANY_THROW(here.put(key_of(1), "2"));
        at = {};
        EXPECT_EQ(here.get("new"), source->data.get("new"));
        EXPECT_EQ(here.get(key_of(1)), source->data.get(key_of(1))) << "not from the cache";
        here.rebuild();
        EXPECT_EQ(here.get("new"), source->data.get("new"));
        here.put("new", "3");
        EXPECT_EQ(here.get("new"), "3");
        for (std::uint64_t i = 0; i < 500; ++i) {
            ASSERT_EQ(here.get(key_of(i)), source->data.get(key_of(i)));
        }
    }
};

TEST_P(GuardFailedPut, LeavesNoFalseNegativeInAPlainFilter) { expect_no_false_negative<filter>(); }
TEST_P(GuardFailedPut, LeavesNoFalseNegativeInACountingFilter) {
    expect_no_false_negative<counting_filter>();
}
INSTANTIATE_TEST_SUITE_P(All, GuardFailedPut, ::testing::Range(0, 6));

TEST(GuardSource, WhoseOutcomeIsUnknownMayHaveTheKeyLater) {
    watched_source source;
    plain_guard here(watched_cache{}, source);
    source->before = [](source_call what, std::string_view) {
        if (what == source_call::put) {
            throw store::outcome_unknown("the connection was lost");
        }
    };
    EXPECT_THROW(here.put("late", "1"), store::outcome_unknown);
    EXPECT_EQ(here.numbers().uncertain, 1U);
    EXPECT_FALSE(here.get("late"));
    EXPECT_FALSE(here.erase("late"));
    source->data.put("late", "1"); // what was on its way arrives
    EXPECT_EQ(here.get("late"), "1") << "its absence a moment ago proved nothing";
}

TEST(GuardSource, WhoseOutcomeIsUnknownMayHaveTheKeyAfterAScan) {
    watched_source source;
    plain_guard here(watched_cache{}, source);
    source->before = [](source_call what, std::string_view) {
        if (what == source_call::put) {
            throw store::outcome_unknown("the connection was lost");
        }
    };
    EXPECT_THROW(here.put("late", "1"), store::outcome_unknown);
    here.rebuild();
    source->data.put("late", "1");
    EXPECT_EQ(here.get("late"), "1");
}

TEST(GuardSource, ThatFailsToEraseLeavesTheKey) {
    watched_source source;
    watched_cache cache;
    fill(source, 0, 10);
    plain_guard here(cache, source);
    source->before = [](source_call what, std::string_view) {
        if (what == source_call::erase) {
            throw store::outcome_unknown("the connection was lost");
        }
    };
    EXPECT_THROW(here.erase(key_of(1)), store::outcome_unknown);
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
}

TEST(GuardSource, ThatIsDownKeepsAGuardThatWaitsFromBeingMade) {
    watched_source source;
    go_down(source);
    EXPECT_THROW(plain_guard(watched_cache{}, source), store::unavailable);
}

TEST(GuardSource, ThatIsDownAtTheStartIsScannedInTheBackgroundWhenItIsBack) {
    watched_source source;
    fill(source, 0, 100);
    const auto down = std::make_shared<std::atomic<bool>>(true);
    source->before = [down](source_call, std::string_view) {
        if (*down) {
            throw store::unavailable("nobody listens");
        }
    };
    guard_options options;
    options.start = warm_up::background;
    plain_guard here(watched_cache{}, source, options);
    wait_until("a scan has failed", in_time, [&] { return here.numbers().failed_rebuilds > 0; });
    EXPECT_FALSE(here.numbers().ready);
    EXPECT_THROW((void)here.get("none"), store::unavailable) << "no filter, no answer";
    *down = false;
    EXPECT_FALSE(here.get("none"));
    EXPECT_EQ(here.get(key_of(1)), value_of(1));
    here.put("written meanwhile", "1");
    await_rebuilds(here, 1);
    const guard_numbers now = here.numbers();
    EXPECT_TRUE(now.ready);
    EXPECT_EQ(here.get("written meanwhile"), "1");
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(here.get(key_of(i)), value_of(i));
    }
    EXPECT_FALSE(here.get("none of them"));
    EXPECT_EQ(here.numbers().unfiltered_absences, now.unfiltered_absences);
}

TEST(GuardSource, ThatFailsARebuildLeavesNoHalfMadeFile) {
    const temporary_folder folder;
    watched_source source;
    fill(source, 0, 100);
    plain_guard here(watched_cache{}, source, in_file(folder / "filter"));
    bool was_there = false;
    source->after = [&](source_call what, std::string_view) {
        if (what == source_call::scan) {
            was_there = std::filesystem::exists(folder / "filter.next");
            throw store::unavailable("the source is gone");
        }
    };
    EXPECT_THROW(here.rebuild(), store::unavailable);
    EXPECT_TRUE(was_there);
    EXPECT_FALSE(std::filesystem::exists(folder / "filter.next"));
}

TEST(GuardSource, ThatFailsARebuildLeavesTheFilterAsItWas) {
    watched_source source;
    fill(source, 0, 100);
    int batches = 0;
    guard_options options;
    options.on_step = [&](guard_step what) {
        if (what == guard_step::scanning && ++batches > 10) {
            throw store::unavailable("it went away in the middle");
        }
    };
    plain_guard other(watched_cache{}, source, options);
    ASSERT_EQ(batches, 7);
    EXPECT_THROW(other.rebuild(), store::unavailable);
    const guard_numbers now = other.numbers();
    EXPECT_EQ(now.rebuilds, 1U);
    EXPECT_EQ(now.failed_rebuilds, 1U);
    EXPECT_FALSE(now.rebuilding);
    EXPECT_TRUE(now.ready);
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(other.get(key_of(i)), value_of(i));
    }
    EXPECT_FALSE(other.get("none"));
    EXPECT_EQ(other.numbers().refused, 1U);
}

} // namespace
} // namespace bloomery::testing
