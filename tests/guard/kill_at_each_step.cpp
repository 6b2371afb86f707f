// A process that is killed at any step of a warm-up or a rebuild leaves a filter that denies
// nothing.
//
// The child works on a real SQLite database and on a mapped file, puts keys all the while, and
// kills itself at one step. The next process opens what is left.
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/sqlite.hpp>
#include <bloomery/guard/store.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

using guarded = guard<filter, store::no_cache, store::sqlite>;

store::sqlite items_in(const testing::temporary_folder& folder) {
    return store::sqlite((folder / "shop.db").string(), {"items", "id", "text"});
}

/// Which step, and how often it is let pass before.
struct death {
    guard_step step;
    int times;
    bool at_warm_up; ///< or at the rebuild that follows
};

/// Never returns.
[[noreturn]] void live_and_die(const testing::temporary_folder& folder, const death& how) {
    std::atomic<bool> armed = how.at_warm_up;
    std::atomic<int> left = how.times;
    guard_options options;
    options.file = folder / "filter";
    options.on_step = [&](guard_step step) {
        if (armed && step == how.step && --left < 0) {
            ::kill(::getpid(), SIGKILL);
        }
    };
    store::sqlite source = items_in(folder);
    guarded under_test(store::no_cache{}, source, options);
    std::atomic<bool> done = false;
    std::thread writer([&] {
        for (int i = 0; !done; ++i) {
            std::string key("new-");
            under_test.put(key.append(std::to_string(i)), "late");
        }
    });
    armed = true;
    under_test.rebuild();
    under_test.checkpoint();
    done = true;
    writer.join();
    ::_exit(1); // the step never came
}

void expect_no_denial(const testing::temporary_folder& folder, const std::string& what) {
    store::sqlite source = items_in(folder);
    guard_options options;
    options.file = folder / "filter";
    guarded again(store::no_cache{}, source, options);
    std::vector<std::string> all;
    source.scan([&](store::keys keys) { all.insert(all.end(), keys.begin(), keys.end()); });
    ASSERT_GE(all.size(), 10'000U) << what;
    std::size_t denied = 0;
    for (const std::string& key : all) {
        denied += again.get(key) ? 0U : 1U;
    }
    EXPECT_EQ(denied, 0U) << what;
    EXPECT_EQ(again.numbers().refused, 0U) << what;
}

void die_at(const death& how) {
    const testing::temporary_folder folder;
    {
        std::vector<std::string> names;
        std::vector<store::entry> rows;
        for (int i = 0; i < 10'000; ++i) {
            names.push_back("item-" + std::to_string(i));
        }
        for (const std::string& name : names) {
            rows.push_back({name, "text"});
        }
        items_in(folder).load(rows);
    }
    const std::string what = "step " + std::to_string(static_cast<int>(how.step)) +
                             (how.at_warm_up ? " of the warm-up" : " of a rebuild");
    const pid_t child = ::fork();
    if (child == 0) {
        live_and_die(folder, how);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << what << ": not reached";
    expect_no_denial(folder, what);
    expect_no_denial(folder, what + ", opened again");
}

TEST(KillAtEachStep, OfTheWarmUpLeavesNothingDenied) {
    for (std::size_t step = 0; step < guard_steps; ++step) {
        die_at({static_cast<guard_step>(step), 0, true});
    }
}

TEST(KillAtEachStep, OfARebuildLeavesNothingDenied) {
    for (std::size_t step = 0; step < guard_steps; ++step) {
        die_at({static_cast<guard_step>(step), 0, false});
    }
}

TEST(KillAtEachStep, InTheMiddleOfAScanLeavesNothingDenied) {
    die_at({guard_step::scanning, 1, true});
    die_at({guard_step::scanning, 1, false});
}

} // namespace
} // namespace bloomery
