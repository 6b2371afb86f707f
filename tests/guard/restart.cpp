// The filter's file: a restart does not scan, unless the file does not match the source or is
// incomplete.
#include "scene.hpp"
#include "temporary_folder.hpp"
#include "unmarked_source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

namespace bloomery::testing {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const fs::path& file) {
    struct stat found{};
    EXPECT_EQ(::stat(file.c_str(), &found), 0) << file;
    return found.st_mode & 07777U;
}

struct GuardRestart : ::testing::Test {
    GuardRestart() { fill(source, 0, 500); }

    [[nodiscard]] guard_options options(bool only_writer = false) const {
        guard_options made = in_file(file);
        made.only_writer = only_writer;
        return made;
    }
    /// Opens it once more: every key is found, and so many scans there have been.
    template <class Filter = filter>
    void expect_opened(const guard_options& how, std::uint64_t scans) {
        guard<Filter, watched_cache, watched_source> here(watched_cache{}, source, how);
        expect_whole(here);
        EXPECT_EQ(source->scans, scans);
    }
    template <class Guard>
    void expect_whole(Guard& here) {
        source->data.scan([&](store::keys keys) {
            for (const std::string_view key : keys) {
                ASSERT_TRUE(here.get(key)) << key;
            }
        });
    }

    temporary_folder folder;
    fs::path file = folder / "keys.bloom";
    watched_source source;
};

TEST_F(GuardRestart, TakesTheFileWithoutAScan) {
    {
        plain_guard here(watched_cache{}, source, options());
        here.put("new", "1");
        EXPECT_TRUE(here.erase(key_of(0)));
    }
    expect_opened(options(), 1);
    plain_guard here(watched_cache{}, source, options());
    EXPECT_FALSE(here.get("none"));
    EXPECT_EQ(here.numbers().refused, 1U);
    EXPECT_EQ(here.numbers().rebuilds, 0U);
}

TEST_F(GuardRestart, TakesTheFilesOfEveryKindOfFilter) {
    const auto twice = [&]<class Filter>(const char* name, std::uint64_t scans) {
        guard_options how = options();
        how.file = folder / name;
        {
            guard<Filter, watched_cache, watched_source> here(watched_cache{}, source, how);
            here.put(name, "1");
        }
        expect_opened<Filter>(how, scans);
        EXPECT_EQ(mode_of(how.file), 0600U);
    };
    twice.operator()<filter>("plain", 1);
    twice.operator()<counting_filter>("counting", 2);
    twice.operator()<dynamic_count_filter>("dynamic", 3);
    twice.operator()<dleft_filter>("dleft", 4);
    twice.operator()<accurate_filter>("accurate", 5);
    twice.operator()<scalable_filter>("scalable", 6);
}

TEST_F(GuardRestart, CatchesUpWithWhatWasWrittenPastIt) {
    {
        plain_guard here(watched_cache{}, source, options());
    }
    fill(source, 500, 600);
    plain_guard here(watched_cache{}, source, options());
    EXPECT_EQ(source->scans, 1U);
    EXPECT_EQ(here.numbers().caught_up, 100U);
    expect_whole(here);
}

TEST_F(GuardRestart, CatchesUpWithWhatWasWrittenPastItBeforeItWasClosed) {
    {
        plain_guard here(watched_cache{}, source, options());
        source->data.put("past the guard", "1");
        here.put("new", "1");
        here.checkpoint();
    }
    expect_opened(options(), 1);
}

TEST_F(GuardRestart, OfTheOnlyWriterDoesNotLookAtTheSource) {
    {
        plain_guard here(watched_cache{}, source, options(true));
    }
    source->before = [](source_call, std::string_view) {
        throw store::unavailable("nobody listens");
    };
    plain_guard here(watched_cache{}, source, options(true));
    EXPECT_FALSE(here.get("none"));
    source->before = {};
    expect_whole(here);
    EXPECT_EQ(source->scans, 1U);
}

TEST_F(GuardRestart, InTheBackgroundAnswersWithoutAFilterIfTheSourceIsDown) {
    {
        plain_guard here(watched_cache{}, source, options());
    }
    source->before = [](source_call, std::string_view) {
        throw store::unavailable("nobody listens");
    };
    EXPECT_THROW(plain_guard(watched_cache{}, source, options()), store::unavailable);
    guard_options how = options();
    how.start = warm_up::background;
    const plain_guard here(watched_cache{}, source, how);
    EXPECT_FALSE(here.numbers().ready);
}

TEST_F(GuardRestart, ScansForASourceOfAnotherName) {
    {
        plain_guard here(watched_cache{}, source, options(true));
    }
    store::memory other("another");
    other.put("a", "1");
    guard<filter, watched_cache, store::memory> here(watched_cache{}, other, options(true));
    EXPECT_EQ(here.numbers().rebuilds, 1U);
    EXPECT_EQ(here.get("a"), "1");
}

TEST_F(GuardRestart, ScansForAnotherRateKindOrHash) {
    guard_options how = options(true);
    {
        plain_guard here(watched_cache{}, source, how);
    }
    how.planned = rate{0.001};
    expect_opened(how, 2);
    how.planned = rate{0.01};
    expect_opened(how, 2); // better than asked for is good enough
    how.keyed = false;
    expect_opened(how, 3);
    expect_opened<counting_filter>(how, 4);
    expect_opened<counting_filter>(how, 4);
    expect_opened(how, 5);
}

TEST_F(GuardRestart, ScansWithoutANoteOrWithOneThatIsNot) {
    const fs::path note = folder / "keys.bloom.guard";
    {
        plain_guard here(watched_cache{}, source, options(true));
    }
    fs::remove(note);
    expect_opened(options(true), 2);
    fs::resize_file(note, fs::file_size(note) / 2);
    expect_opened(options(true), 3);
    std::ofstream(note) << "garbage\n";
    expect_opened(options(true), 4);
    expect_opened(options(true), 4);
}

TEST_F(GuardRestart, ScansWithoutTheFileOrALayerOfIt) {
    guard_options how = options(true);
    how.least_items = 128;
    how.policy = when_overfull::grow;
    {
        plain_guard here(watched_cache{}, source, how);
        for (std::uint64_t i = 500; i < 2000; ++i) {
            here.put(key_of(i), value_of(i));
        }
        ASSERT_GE(here.numbers().layers, 2U);
    }
    fs::remove(folder / "keys.bloom.1");
    expect_opened(how, 2);
    fs::remove(file);
    expect_opened(how, 3);
}

TEST_F(GuardRestart, RemovesWhatAnUnfinishedRebuildHasLeft) {
    std::ofstream(folder / "keys.bloom.next") << "half a filter";
    expect_opened(options(), 1);
    EXPECT_FALSE(fs::exists(folder / "keys.bloom.next"));
}

TEST_F(GuardRestart, IsReadableByTheOwnerAlone) {
    const auto check = [&]<class Filter>() {
        std::ofstream(file) << "somebody's, for everybody to read";
        fs::permissions(file, fs::perms(0644));
        guard<Filter, watched_cache, watched_source> here(watched_cache{}, source, options());
        EXPECT_EQ(mode_of(file), 0600U);
        fs::remove(file);
    };
    check.operator()<filter>();
    check.operator()<counting_filter>();
    guard_options how = options();
    how.policy = when_overfull::grow;
    how.least_items = 128;
    plain_guard here(watched_cache{}, source, how);
    for (std::uint64_t i = 500; i < 1000; ++i) {
        here.put(key_of(i), "");
    }
    EXPECT_EQ(mode_of(folder / "keys.bloom.1"), 0600U);
}

TEST_F(GuardRestart, IsRefusedWhileAnotherGuardHasTheFile) {
    plain_guard here(watched_cache{}, source, options());
    const std::string why =
        refusal<io_error>([&] { plain_guard(watched_cache{}, source, options()); });
    EXPECT_NE(why.find("is in use by another guard"), std::string::npos) << why;
    using other = guard<counting_filter, watched_cache, watched_source>;
    EXPECT_THROW(other(watched_cache{}, source, options()), io_error);
    expect_whole(here);
}

TEST_F(GuardRestart, IsRefusedInAFolderThatDoesNotExist) {
    guard_options how = options();
    how.file = folder / "none" / "keys.bloom";
    EXPECT_THROW(plain_guard(watched_cache{}, source, how), io_error);
}

TEST_F(GuardRestart, GoesByTheCountIfTheSourceHasNoMarks) {
    const auto open = [&](std::uint64_t scans) {
        guard<filter, watched_cache, unmarked_source> here(watched_cache{}, unmarked_source(source),
                                                           options());
        expect_whole(here);
        EXPECT_EQ(source->scans, scans);
    };
    open(1);
    open(1);
    source->data.put("past the guard", "1");
    open(2);
    open(2);
}

TEST_F(GuardRestart, CatchesUpByAScanIfTheSourceHasNoMarks) {
    guard<filter, watched_cache, unmarked_source> here(watched_cache{}, unmarked_source(source));
    source->data.put("past the guard", "1");
    EXPECT_FALSE(here.get("past the guard"));
    here.catch_up();
    EXPECT_EQ(here.get("past the guard"), "1");
    EXPECT_EQ(here.numbers().rebuilds, 2U);
}

TEST_F(GuardRestart, DoesNotBelieveAnOldFileAfterWritesWithoutAFilter) {
    {
        plain_guard here(watched_cache{}, source, options(true));
    }
    guard_options broken = options(true);
    broken.planned = rate{0.001}; // so the old file does not fit
    broken.start = warm_up::background;
    broken.on_step = [](guard_step) { throw store::unavailable("no scan today"); };
    {
        plain_guard here(watched_cache{}, source, broken);
        here.put("written without a filter", "1");
    }
    expect_opened(options(true), 2);
}

TEST_F(GuardRestart, OfARebuildThatIsStoppedKeepsTheOldFilter) {
    guard_options how = options(true);
    source->batch = 1;
    door stop;
    int batches = 0;
    how.on_step = [&](guard_step what) {
        if (what == guard_step::scanning && ++batches == 500 + 250) {
            stop.pass();
        }
    };
    std::thread opener;
    {
        plain_guard here(watched_cache{}, source, how);
        EXPECT_TRUE(here.start_rebuild());
        EXPECT_FALSE(here.start_rebuild()) << "one is under way";
        stop.await();
        here.put("during the rebuild", "1");
        EXPECT_TRUE(here.numbers().rebuilding);
        opener = std::thread([&] { stop.open(); });
    }
    opener.join();
    expect_opened(options(true), source->scans);
}

} // namespace
} // namespace bloomery::testing
