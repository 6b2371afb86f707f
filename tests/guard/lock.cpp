// The lock that costs readers almost nothing: one writer or many readers, and no writer is starved.
#include "../../src/guard/read_mostly_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using detail::read_mostly_lock;

TEST(ReadMostlyLock, LetsReadersSeeWholeWritesOnly) {
    read_mostly_lock lock;
    std::uint64_t one = 0; // equal, but for a moment inside a write
    std::uint64_t two = 0;
    std::atomic<bool> done = false;
    std::vector<std::thread> all;
    for (int t = 0; t < 3; ++t) {
        all.emplace_back([&] {
            while (!done) {
                const read_mostly_lock::reading here(lock);
                ASSERT_EQ(one, two);
            }
        });
    }
    std::vector<std::thread> writers;
    for (int t = 0; t < 2; ++t) {
        writers.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) {
                const read_mostly_lock::alone here(lock);
                ++one;
                ++two;
            }
        });
    }
    for (std::thread& each : writers) {
        each.join(); // it ends though readers never stop to come
    }
    done = true;
    for (std::thread& each : all) {
        each.join();
    }
    EXPECT_EQ(one, 4000U);
    EXPECT_EQ(two, 4000U);
}

TEST(ReadMostlyLock, HasManyReadersAtOnce) {
    const read_mostly_lock lock;
    std::atomic<int> inside = 0;
    std::vector<std::thread> all;
    for (int t = 0; t < 40; ++t) { // more than there are slots
        all.emplace_back([&] {
            const read_mostly_lock::reading here(lock);
            ++inside;
            while (inside < 40) {
                std::this_thread::yield();
            }
        });
    }
    for (std::thread& each : all) {
        each.join();
    }
    EXPECT_EQ(inside, 40);
}

} // namespace
} // namespace bloomery::testing
