// A filter's file that is damaged: it is rebuilt, and no key is denied.
#include "scene.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

namespace bloomery::testing {
namespace {

namespace fs = std::filesystem;

/// Flips a byte where it lies, as a failing disk does; a mapping of the file sees it.
void flip(const fs::path& file, std::uintmax_t at) {
    std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
    io.seekg(static_cast<std::streamoff>(at));
    const int was = io.get();
    io.seekp(static_cast<std::streamoff>(at));
    io.put(static_cast<char>(was ^ 0x10));
    ASSERT_TRUE(io.good());
}

struct GuardDamage : ::testing::Test {
    GuardDamage() {
        fill(source, 0, 20'000);
        source->batch = 4096;
        how.file = file;
        how.only_writer = true;
    }
    template <class Guard>
    void expect_whole(Guard& here) {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            ASSERT_EQ(here.get(key_of(i)), value_of(i)) << i;
        }
    }

    temporary_folder folder;
    fs::path file = folder / "keys.bloom";
    watched_source source;
    guard_options how;
};

TEST_F(GuardDamage, AnywhereInTheFileIsFoundWhenItIsOpened) {
    std::uint64_t scans = 0;
    for (const double place : {0.0, 0.001, 0.1, 0.5, 0.9, 0.9999}) {
        {
            plain_guard here(watched_cache{}, source, how);
        }
        scans = source->scans;
        flip(file, static_cast<std::uintmax_t>(place * static_cast<double>(fs::file_size(file))));
        plain_guard here(watched_cache{}, source, how);
        expect_whole(here);
        await_rebuilds(here, 0);
        EXPECT_LE(source->scans, scans + 1);
    }
    EXPECT_GE(source->scans, 4U);
}

TEST_F(GuardDamage, IsFoundWhenKeysAreCaughtUp) {
    how.only_writer = false;
    {
        plain_guard here(watched_cache{}, source, how);
    }
    for (std::uintmax_t page = 1; page < fs::file_size(file) / 4096; ++page) {
        flip(file, page * 4096 + 100);
    }
    source->data.put("past the guard", "1");
    plain_guard here(watched_cache{}, source, how);
    EXPECT_EQ(here.get("past the guard"), "1");
    expect_whole(here);
    await_rebuilds(here, 1);
}

TEST_F(GuardDamage, OfAFileThatIsCutIsFound) {
    {
        plain_guard here(watched_cache{}, source, how);
    }
    fs::resize_file(file, fs::file_size(file) / 2);
    plain_guard here(watched_cache{}, source, how);
    EXPECT_EQ(source->scans, 2U);
    expect_whole(here);
}

TEST_F(GuardDamage, OfAFilterThatIsLoadedIsFound) {
    using counted = guard<counting_filter, watched_cache, watched_source>;
    {
        counted here(watched_cache{}, source, how);
    }
    flip(file, fs::file_size(file) / 2);
    counted here(watched_cache{}, source, how);
    EXPECT_EQ(source->scans, 2U);
    expect_whole(here);
}

TEST_F(GuardDamage, ThatCannotBeMendedYetIsNotBelievedByTheNextGuard) {
    {
        plain_guard here(watched_cache{}, source, how);
    }
    for (std::uintmax_t page = 1; page < 4; ++page) {
        flip(file, page * 4096 + 100);
    }
    guard_options broken = how;
    broken.start = warm_up::background;
    broken.on_step = [](guard_step) { throw store::unavailable("no scan today"); };
    {
        plain_guard here(watched_cache{}, source, broken);
        expect_whole(here);
        for (std::uint64_t i = 0; i < 2000; ++i) { // while there is no filter
            here.put(stranger_of(i), "1");
        }
    }
    plain_guard here(watched_cache{}, source, how);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        ASSERT_EQ(here.get(stranger_of(i)), "1");
    }
    expect_whole(here);
}

TEST_F(GuardDamage, ThatIsFoundDuringARebuildThatFailsIsMendedByAnother) {
    {
        plain_guard here(watched_cache{}, source, how);
    }
    for (std::uintmax_t page = 1; page < 8; ++page) {
        flip(file, page * 4096 + 100);
    }
    door stop;
    bool first = true;
    how.on_step = [&](guard_step what) {
        if (what == guard_step::made && std::exchange(first, false)) {
            stop.pass();
            throw store::unavailable("it went away");
        }
    };
    plain_guard here(watched_cache{}, source, how);
    std::thread builder([&] { EXPECT_THROW(here.rebuild(), store::unavailable); });
    stop.await();
    for (std::uint64_t i = 0; here.numbers().ready; ++i) {
        ASSERT_EQ(here.get(key_of(i)), value_of(i));
    }
    stop.open();
    builder.join();
    EXPECT_FALSE(here.numbers().ready);
    EXPECT_EQ(here.get(key_of(0)), value_of(0)) << "and asks for a filter";
    await_rebuilds(here, 1);
    EXPECT_TRUE(here.numbers().ready);
    expect_whole(here);
}

} // namespace
} // namespace bloomery::testing
