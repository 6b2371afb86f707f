// Many threads call get while others put and erase, during rebuilds, growth and checkpoints.
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/store.hpp>

#include "random.hpp"
#include "temporary_folder.hpp"
#include "watched_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

using testing::watched_source;

std::string key(std::uint64_t number) { return "key-" + std::to_string(number); }

/// Each writer owns some keys and knows what it has written, so it can say at once if one is
/// denied; readers look for keys that are in from the beginning to the end.
template <class Filter>
void use_at_once(guard_options options) {
    constexpr std::uint64_t steady = 200;
    constexpr int turns = 150;
    watched_source source;
    for (std::uint64_t i = 0; i < steady; ++i) {
        source.put(key(i), "steady");
    }
    std::atomic<std::uint64_t> denied = 0;
    {
        guard<Filter, store::memory_cache, watched_source> shared(store::memory_cache(64), source,
                                                                  options);
        const auto read = [&](std::uint64_t seed) {
            testing::random_source chance(seed);
            std::vector<std::string> names;
            for (int i = 0; i < turns; ++i) {
                denied += shared.get(key(chance.below(steady))) ? 0U : 1U;
                (void)shared.get("absent-" + std::to_string(chance.below(1000)));
                names.assign({key(chance.below(steady)), key(chance.below(steady))});
                const std::vector<std::string_view> two(names.begin(), names.end());
                for (const auto& found : shared.get_many(two)) {
                    denied += found ? 0U : 1U;
                }
            }
        };
        const auto write = [&](std::uint64_t seed) {
            testing::random_source chance(seed);
            for (int i = 0; i < turns; ++i) {
                const std::string mine = key(1000 * seed + chance.below(60));
                shared.put(mine, "mine");
                denied += shared.get(mine) ? 0U : 1U;
                if (chance.below(3) == 0) {
                    shared.erase(mine);
                    denied += shared.get(mine) ? 1U : 0U;
                }
            }
        };
        const auto look_after = [&] {
            for (int i = 0; i < 6; ++i) {
                shared.rebuild();
                shared.start_rebuild();
                shared.checkpoint();
                shared.catch_up();
                (void)shared.numbers();
            }
        };
        std::vector<std::thread> threads;
        threads.emplace_back(read, 1);
        threads.emplace_back(read, 2);
        threads.emplace_back(write, 3);
        threads.emplace_back(write, 4);
        threads.emplace_back(look_after);
        for (std::thread& one : threads) {
            one.join();
        }
    }
    EXPECT_EQ(denied, 0U);
}

TEST(Threads, ShareAGuardWithAPlainFilter) { use_at_once<filter>({}); }

TEST(Threads, ShareAGuardWithACountingFilter) { use_at_once<counting_filter>({}); }

TEST(Threads, ShareAGuardWithAMappedFile) {
    const testing::temporary_folder folder;
    guard_options options;
    options.file = folder / "filter";
    use_at_once<filter>(options);
}

// After a restart no page of the file has been looked at yet.
TEST(Threads, AskAMappedFileWhileItIsWrittenToTheDisk) {
    constexpr std::uint64_t count = 20'000;
    const testing::temporary_folder folder;
    watched_source source;
    for (std::uint64_t i = 0; i < count; ++i) {
        source.put(key(i), "steady");
    }
    guard_options options;
    options.file = folder / "filter";
    using mapped_guard = guard<filter, store::no_cache, watched_source>;
    {
        const mapped_guard first(store::no_cache{}, source, options);
    }
    mapped_guard again(store::no_cache{}, source, options);
    ASSERT_EQ(again.numbers().rebuilds, 0U);
    std::atomic<std::uint64_t> denied = 0;
    std::thread reader([&] {
        for (std::uint64_t i = 0; i < count; ++i) {
            denied += again.get(key(i)) ? 0U : 1U;
        }
    });
    for (int i = 0; i < 10; ++i) {
        again.put("late-" + std::to_string(i), "late");
        again.checkpoint();
    }
    reader.join();
    EXPECT_EQ(denied, 0U);
}

TEST(Threads, ShareAGuardWithASavedFile) {
    const testing::temporary_folder folder;
    guard_options options;
    options.file = folder / "filter";
    use_at_once<counting_filter>(options);
}

TEST(Threads, ShareAGuardThatGrows) {
    const testing::temporary_folder folder;
    guard_options options;
    options.file = folder / "filter";
    options.policy = when_overfull::grow;
    options.headroom = 0;
    options.least_items = 16;
    use_at_once<filter>(options);
}

} // namespace
} // namespace bloomery
