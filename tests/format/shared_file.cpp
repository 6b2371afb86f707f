// One writer and any number of readers: processes, threads, and forks.
#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>

#include "in_place.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using testing::numbers;
using testing::planned;

class SharedFile : public testing::InPlace {};

TEST_F(SharedFile, BelongsToTheProcessThatOpenedIt) {
    save(planned(layout_kind::classic), path);
    in_a_process_that_dies([&] {
        std::optional<any_filter> f = writer();
        f->insert(1);
        in_a_process_that_dies([&] {
            EXPECT_THROW(f->insert(1), unsupported) << "also where its parent may";
            EXPECT_THROW(f->insert(2), unsupported);
            EXPECT_THROW(f->sync(), unsupported);
            EXPECT_TRUE(f->may_contain(1));
            f.reset();
            ::_exit(HasFailure() ? 1 : 0);
        });
        for (std::uint64_t i = 0; i < 1000; ++i) {
            f->insert(i);
        }
        ::_exit(HasFailure() ? 1 : 0);
    });
    EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
    EXPECT_TRUE(map(path).may_contain(999));
}

TEST_F(SharedFile, IsSeenByReadersAtOnce) {
    save(planned(layout_kind::split_8x64), path);
    const any_filter reader = map(path);
    const any_filter another = map(path);
    any_filter f = writer();
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        f.insert(i);
        ASSERT_TRUE(reader.may_contain(i)) << i;
    }
    EXPECT_EQ(another.stats().bits_set, f.stats().bits_set);
}

TEST_F(SharedFile, HasOneWriterAtATime) {
    save(planned(layout_kind::classic), path);
    {
        const any_filter f = writer();
        try {
            static_cast<void>(map(path, map_mode::read_write, {.locked = if_locked::refuse}));
            FAIL();
        } catch (const io_error& e) {
            EXPECT_EQ(e.code(), std::errc::operation_would_block);
            EXPECT_NE(std::string(e.what()).find("another process is writing"), std::string::npos)
                << e.what();
        }
        EXPECT_NO_THROW(static_cast<void>(map(path)));
    }
    EXPECT_NO_THROW(
        static_cast<void>(map(path, map_mode::read_write, {.locked = if_locked::refuse})));
}

TEST_F(SharedFile, WaitsForTheWriterBeforeItAndForTheFileItLeft) {
    save(planned(layout_kind::classic), path);
    std::thread later;
    std::atomic<bool> waiting = false;
    std::atomic<bool> done = false;
    {
        any_filter f = writer();
        f.insert(1);
        later = std::thread([&] {
            waiting = true;
            any_filter next = writer();
            done = true;
            next.insert(2);
        });
        while (!waiting) {
            std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_FALSE(done);
    }
    later.join();
    const any_filter f = load(path);
    EXPECT_TRUE(f.may_contain(1) && f.may_contain(2));
    {
        any_filter holder = writer();
        later = std::thread([&] { save(planned(layout_kind::split_8x64), path); });
        holder.insert(3);
    }
    later.join();
    EXPECT_EQ(load_header(path).what.shape.layout, layout_kind::split_8x64);
}

TEST_F(SharedFile, IsNotRefusedWhileItsWriterLives) {
    save(planned(layout_kind::classic), path);
    any_filter f = writer();
    f.insert(1);
    const format::decode_options careful{.policy = after_crash::refuse};
    EXPECT_TRUE(load(path, careful).may_contain(1));
    EXPECT_TRUE(map(path, map_mode::read_only, {careful}).may_contain(1));
}

TEST_F(SharedFile, MayBeReadWhileItIsWritten) {
    save(planned(layout_kind::classic), path);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        any_filter f = writer();
        for (std::uint64_t i = 0;; ++i) {
            f.insert(i);
            if (i % 100 == 0) {
                f.sync();
            }
        }
    }
    std::uint64_t ones = 0;
    for (int round = 0; round < 200; ++round) {
        EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
        const std::uint64_t now = load(path).stats().bits_set;
        EXPECT_GE(now, ones);
        ones = now;
        EXPECT_NO_THROW(static_cast<void>(map(path).words()));
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_GT(ones, 1000U);
}

TEST_F(SharedFile, MayBeAskedByManyThreads) {
    filter f = planned(layout_kind::classic);
    const auto keys = numbers(0, 20'000);
    f.insert_many(keys);
    save(f, path);
    const any_filter shared = map(path);
    std::vector<std::thread> threads;
    std::vector<std::size_t> found(4);
    for (std::size_t t = 0; t < found.size(); ++t) {
        threads.emplace_back([&, t] {
            bitmap maybe;
            shared.may_contain_many(keys, maybe);
            found[t] = shared.stats().bits_set > 0 ? maybe.count() : 0;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(std::ranges::count(found, keys.size()), 4);
}

} // namespace
} // namespace bloomery
