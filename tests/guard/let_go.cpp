// Discarding a filter at the worst possible moments.
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>

#include "scene.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

using namespace testing;
using plain_guard = guard<filter, store::no_cache, watched_source>;

constexpr std::uint64_t many = 21'000;

/// One bit of one page.
void damage(const std::filesystem::path& file) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    constexpr int at = 4096 * 3 + 100;
    bytes.seekg(at);
    const int before = bytes.get();
    bytes.seekp(at);
    bytes.put(static_cast<char>(before ^ 16));
}

std::uint64_t denied(plain_guard& by) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < many; ++i) {
        count += by.get(key_of(i)) ? 0U : 1U;
    }
    return count;
}

TEST(LetGo, WhileALayerIsMadeDeniesNothing) {
    const temporary_folder folder;
    watched_source source;
    fill(source, 0, many - 1000);
    guard_options options;
    options.file = folder / "filter";
    options.headroom = 0;
    options.only_writer = true;
    options.policy = when_overfull::alarm;
    {
        plain_guard full({}, source, options);
        for (std::uint64_t i = many - 1000; i < many; ++i) {
            full.put(key_of(i), value_of(i));
        }
    }
    damage(options.file);
    options.policy = when_overfull::grow;
    std::atomic<bool> may_rebuild = false;
    options.on_step = [&](guard_step step) {
        if (step == guard_step::begun) {
            wait_until("a rebuild may begin", in_time, [&] { return may_rebuild.load(); });
        }
    };
    plain_guard grows({}, source, options);
    ASSERT_EQ(grows.numbers().rebuilds, 0U);
    // Whoever holds the lock of the layer's file holds up its making.
    const int held = ::open((folder / "filter.1").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_EQ(::flock(held, LOCK_EX), 0);
    std::thread putter([&] { grows.put("another", "value"); });
    wait_until("the put is done", in_time, [&] { return source->data.get("another").has_value(); });
    EXPECT_EQ(denied(grows), 0U); // it meets the damage
    ::close(held);
    putter.join();
    EXPECT_EQ(denied(grows), 0U);
    may_rebuild = true;
    await_rebuilds(grows, 1);
    EXPECT_EQ(denied(grows), 0U);
    EXPECT_EQ(grows.get("another"), "value");
}

TEST(LetGo, OfAFilterWhoseNoteCannotBeRemovedStopsPutsAndDeniesNothing) {
    const temporary_folder folder;
    watched_source source;
    guard_options options;
    options.file = folder / "filter";
    options.least_items = 64;
    options.policy = when_overfull::alarm;
    guard<dleft_filter, store::no_cache, watched_source> guarded({}, source, options);
    std::filesystem::remove(folder / "filter.guard");
    std::filesystem::create_directories(folder / "filter.guard" / "in the way");
    std::atomic<std::uint64_t> lost = 0;
    std::atomic<std::uint64_t> refused = 0;
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (std::uint64_t i = 1000 * t; i < 1000 * t + 400; ++i) {
                try {
                    guarded.put(key_of(i), value_of(i));
                } catch (const io_error&) { // nothing was changed
                    ++refused;
                    lost += source->data.get(key_of(i)) ? 1U : 0U;
                    continue;
                }
                lost += guarded.get(key_of(i)) ? 0U : 1U;
            }
        });
    }
    for (std::thread& one : threads) {
        one.join();
    }
    EXPECT_EQ(lost, 0U);
    EXPECT_GT(refused, 0U);
    std::filesystem::remove_all(folder / "filter.guard");
}

TEST(GuardOfCountingFilter, FindsAKeyThatSomebodyElseMadeAndThisOnePut) {
    watched_source source;
    guard<counting_filter, store::no_cache, watched_source> guarded({}, source);
    source->data.put("theirs", "1");
    guarded.put("theirs", "2");
    EXPECT_EQ(guarded.get("theirs"), "2");
}

} // namespace
} // namespace bloomery
