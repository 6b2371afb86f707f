// Files: the old one or the new one, never neither; and updates that take turns.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace bloomery {
namespace {

namespace fs = std::filesystem;

class File : public ::testing::Test {
protected:
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    static filter holding(int key) {
        filter f(bits{10'007}, hashes{5});
        f.insert(key);
        return f;
    }

    testing::temporary_folder own;
    fs::path folder = own.path();
    fs::path path = folder / "a.bloom";
};

TEST_F(File, ComesBackAsItWasSaved) {
    save(holding(1), path, if_exists::refuse, {"mine"});
    EXPECT_EQ(load<filter>(path), holding(1));
    EXPECT_EQ(load(path).stats().bits_set, 5U);
    EXPECT_EQ(load_header(path).comment, "mine");
    EXPECT_EQ(files(), 1U) << "no temporary is left";
}

TEST_F(File, IsNotOverwrittenUnlessAsked) {
    save(holding(1), path);
    try {
        save(holding(2), path, if_exists::refuse);
        FAIL();
    } catch (const io_error& e) {
        EXPECT_EQ(e.code(), std::errc::file_exists);
    }
    EXPECT_EQ(load<filter>(path), holding(1));
    save(holding(2), path, if_exists::replace);
    EXPECT_EQ(load<filter>(path), holding(2));
}

TEST_F(File, KeepsItsPermissionsAndItsLinks) {
    save(holding(1), path);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    const fs::path link = folder / "link.bloom";
    fs::create_symlink(path, link);
    save(holding(2), link);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(load<filter>(path), holding(2));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(File, BehindALinkThatLeadsNowhereIsMadeThere) {
    const fs::path link = folder / "link.bloom";
    fs::create_symlink(path, link);
    EXPECT_THROW(save(holding(1), link, if_exists::refuse), io_error);
    save(holding(1), link, if_exists::replace);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(load<filter>(path), holding(1));
    EXPECT_THROW(save(holding(1), folder / "loop" / "x"), io_error);
    fs::create_symlink(folder / "loop", folder / "loop");
    EXPECT_THROW(save(holding(1), folder / "loop"), io_error);
}

TEST_F(File, TakesTheNameOfNothingElse) {
    fs::create_directory(folder / "folder");
    EXPECT_THROW(save(holding(1), folder / "folder"), bad_argument);
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THROW(save(holding(1), folder / "pipe"), bad_argument);
    EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
    EXPECT_THROW(load(folder / "pipe"), bad_data) << "without waiting for somebody to write";
}

TEST_F(File, ThatIsNoneIsNamedInTheError) {
    EXPECT_THROW(load(path), io_error);
    EXPECT_THROW(load(folder), bad_data);
    std::ofstream(path) << "hello";
    try {
        static_cast<void>(load(path));
        FAIL();
    } catch (const bad_data& e) {
        EXPECT_NE(std::string(e.what()).find(path.string()), std::string::npos);
    }
    std::ofstream(path, std::ios::trunc).close();
    EXPECT_THROW(load(path), bad_data);
    EXPECT_THROW(save(holding(1), folder / "missing" / "a.bloom"), io_error);
}

TEST_F(File, StaysAsItWasWhenAnUpdateThrows) {
    save(holding(1), path);
    EXPECT_THROW(update(path,
                        [](any_filter& f) {
                            f.clear();
                            throw bad_argument("changed my mind");
                        }),
                 bad_argument);
    EXPECT_EQ(load<filter>(path), holding(1));
    EXPECT_EQ(files(), 1U);
}

TEST_F(File, ThatIsCutIsNotDescribed) {
    save(holding(1), path);
    fs::resize_file(path, fs::file_size(path) - 1);
    EXPECT_THROW(load_header(path), bad_data);
}

TEST_F(File, KeepsItsCommentThroughAnUpdate) {
    save(holding(1), path, if_exists::refuse, {"mine"});
    update(path, [](any_filter& f) { f.clear(); });
    EXPECT_EQ(load_header(path).comment, "mine");
}

TEST_F(File, LosesNothingToEightUpdatesAtOnce) {
    save(filter(bits{10'007}, hashes{5}), path);
    for (std::uint64_t child = 0; child < 8; ++child) {
        if (::fork() == 0) {
            for (std::uint64_t i = 0; i < 5; ++i) {
                const std::uint64_t key = child * 5 + i;
                update(path, [&](any_filter& f) { f.insert_many(std::span(&key, 1)); });
            }
            ::_exit(0);
        }
    }
    for (int child = 0; child < 8; ++child) {
        int status = 1;
        ::wait(&status);
        EXPECT_EQ(status, 0);
    }
    const auto f = load<filter>(path);
    for (std::uint64_t key = 0; key < 40; ++key) {
        EXPECT_TRUE(f.may_contain(key)) << key;
    }
    EXPECT_EQ(files(), 1U);
}

/// Runs a part of a test in a process of its own; it ends with 0 if all went well.
template <class Work>
int status_of_child(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(work() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

// A program may have been started without them. What it writes there must not go into a filter.
TEST_F(File, IsNeverAStandardStream) {
    save(holding(1), path);
    const auto write_everywhere = [] {
        for (const int stream : {0, 1, 2}) {
            if (::write(stream, "noise", 5) >= 0) {
                return false;
            }
        }
        return true;
    };
    EXPECT_EQ(status_of_child([&] {
                  ::close(0);
                  ::close(1);
                  ::close(2);
                  bool apart = true;
                  save(unwritten{load_header(path),
                                 [&](std::uint64_t, std::span<std::uint64_t> into) {
                                     apart = apart && write_everywhere();
                                     std::ranges::fill(into, 0);
                                 }},
                       folder / "b.bloom");
                  update(path, [&](any_filter& f) {
                      apart = apart && write_everywhere();
                      f.insert(2);
                  });
                  any_filter mapped = map(path, map_mode::read_write);
                  mapped.insert(3);
                  return apart && write_everywhere();
              }),
              0);
    const any_filter found = load(path);
    EXPECT_TRUE(found.may_contain(1) && found.may_contain(2));
}

TEST_F(File, HasItsTemporaryRemovedForASignalHandler) {
    save(holding(1), path);
    EXPECT_EQ(status_of_child([&] {
                  save(unwritten{load_header(path),
                                 [&](std::uint64_t, std::span<std::uint64_t>) {
                                     const bool there = files() == 2;
                                     remove_temporaries();
                                     ::_exit(there && files() == 1 ? 0 : 1); // as a signal would
                                 }},
                       path);
                  return false;
              }),
              0);
    EXPECT_EQ(files(), 1U);
}

TEST_F(File, RemovesWhatAKilledProcessLeft) {
    save(holding(1), path);
    const auto die_while_saving = [&] {
        save(unwritten{load_header(path),
                       [&](std::uint64_t, std::span<std::uint64_t>) { ::_exit(0); }},
             path);
        return false;
    };
    ASSERT_EQ(status_of_child(die_while_saving), 0);
    EXPECT_EQ(files(), 2U);
    save(holding(2), path);
    EXPECT_EQ(files(), 1U);
    EXPECT_TRUE(load(path).may_contain(2));
}

// Two that write the same file at once have a temporary file each.
TEST_F(File, LeavesTheTemporaryOfALivingWriterAlone) {
    save(holding(1), folder / "other.bloom");
    const unwritten outer{load_header(folder / "other.bloom"),
                          [&](std::uint64_t, std::span<std::uint64_t> into) {
                              save(holding(2), path);
                              std::ranges::fill(into, 0);
                          }};
    save(outer, path);
    EXPECT_FALSE(load(path).may_contain(2));
    EXPECT_EQ(files(), 2U);
}

} // namespace
} // namespace bloomery
