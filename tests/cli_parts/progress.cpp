// Progress: silent when it should be, otherwise infrequent, and removed at the end.
#include "output/progress.hpp"

#include "descriptors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace bloomery::cli {
namespace {

using namespace std::chrono_literals;

progress::clock::time_point current_time; // NOLINT: the clock of these tests
int times_asked = 0;                      // NOLINT: and how often it was asked

progress::clock::time_point test_clock() {
    ++times_asked;
    return current_time;
}

class Progress : public testing::Test {
protected:
    Progress() {
        current_time = {};
        times_asked = 0;
    }

    std::string drawn() const { return contents(screen.get()); }
    std::int64_t lines_drawn() const {
        const std::string all = drawn();
        return std::count(all.begin(), all.end(), '\r');
    }

    descriptor screen = memory_file(); // NOLINT: a fixture shares its members
};

TEST_F(Progress, SaysHowFarHowFastAndHowLong) {
    EXPECT_EQ(progress_line("add", {42, 24'600'000, 100, 2s}),
              "add:  42 %  12.3M records/s  ETA 0:02");
    EXPECT_EQ(progress_line("add", {1, 3600, 7322, 1s}), "add:   0 %  3.6k records/s  ETA 2:02:01");
    EXPECT_EQ(progress_line("add", {0, 1'234'567, {}, 75s}),
              "add: 1,234,567 records  16.5k records/s  1:15");
}

TEST_F(Progress, TellsBytesWhereThereAreNoRecords) {
    EXPECT_EQ(progress_line("push", {42, 25'000'000, 100, 2s, progress_unit::bytes}),
              "push:  42 %  11.9 MiB/s  ETA 0:02");
    EXPECT_EQ(progress_line("push", {0, 0, 100, 1s, progress_unit::bytes}),
              "push: 0 B  0.0 MiB/s  0:01");
}

TEST_F(Progress, HasALineForOddNumbers) {
    EXPECT_EQ(progress_line("add", {200, 10, 100, 1s}), "add: 100 %  10 records/s  ETA 0:00");
    EXPECT_EQ(progress_line("add", {5, 0, 0, 0s}), "add: 0 records  0 records/s  0:00");
    EXPECT_EQ(progress_line("add", {1, 1, UINT64_MAX, 9s}),
              "add:   0 %  0 records/s  ETA 999:00:00");
}

TEST_F(Progress, TellsNothingOfTheSpeedBeforeItIsKnown) {
    progress_state start{1'000, 4'096, 1'000'000, 1s};
    start.skipped_bytes = 1'000;
    start.skipped_records = 4'096;
    start.skipped = 1s;
    EXPECT_EQ(progress_line("uniq", start), "uniq:   0 %");
}

// A first batch that touches every page of a new filter takes as long as a hundred others.
TEST_F(Progress, ASlowStartIsNotTakenForTheSpeedOfTheRest) {
    progress bar("uniq", 1'000'000, progress_mode::always, screen.get(), &test_clock);
    current_time += 1s;
    bar.update(1'000, 100);
    EXPECT_EQ(drawn(), "\runiq:   0 %");
    current_time += 1s;
    bar.update(251'000, 25'100);
    EXPECT_NE(drawn().find("\runiq:  25 %  25.0k records/s  ETA 0:02"), std::string::npos)
        << drawn();
}

TEST_F(Progress, IsSilentWhereThereIsNoTerminal) {
    progress bar("add", 100, progress_mode::automatic, screen.get(), &test_clock);
    current_time += 10s;
    bar.update(50, 1'000'000);
    bar.finish();
    EXPECT_EQ(drawn(), "");
    EXPECT_EQ(times_asked, 0) << "switched off, and still it looks at the clock";
}

TEST_F(Progress, IsSilentForHalfASecond) {
    progress bar("add", 100, progress_mode::always, screen.get(), &test_clock);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        current_time += 500us;
        bar.update(i / 10, i * 100'000);
    }
    bar.finish();
    EXPECT_EQ(drawn(), "");
}

TEST_F(Progress, DrawsAtMostTenTimesASecond) {
    progress bar("add", 100, progress_mode::always, screen.get(), &test_clock);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        current_time += 1ms;
        bar.update(i / 100, i * 100'000);
    }
    EXPECT_LE(lines_drawn(), 96);
    EXPECT_GE(lines_drawn(), 90);
}

TEST_F(Progress, WipesItsLineAtTheEnd) {
    {
        progress bar("add", 100, progress_mode::always, screen.get(), &test_clock);
        current_time += 1s;
        bar.update(50, 1000);
        EXPECT_EQ(drawn(), "\radd:  50 %  1.0k records/s  ETA 0:01");
    }
    EXPECT_EQ(drawn(), "\radd:  50 %  1.0k records/s  ETA 0:01\r" + std::string(36, ' ') + "\r");
}

TEST_F(Progress, DrawsNothingAfterTheEnd) {
    progress bar("add", 100, progress_mode::always, screen.get(), &test_clock);
    current_time += 1s;
    bar.update(50, 1000);
    bar.finish();
    const std::string before = drawn();
    current_time += 1s;
    bar.update(60, 1'000'000);
    bar.finish();
    EXPECT_EQ(drawn(), before);
}

TEST_F(Progress, CoversALongerLineWithAShorterOne) {
    progress bar("add", {}, progress_mode::always, screen.get(), &test_clock);
    current_time += 1s;
    bar.update(0, 1500);
    const std::size_t first = drawn().size();
    current_time += 9s;
    bar.update(0, 1600);
    EXPECT_EQ(drawn().size(), 2 * first) << "the tail of the longer line stays visible";
}

TEST_F(Progress, AsksTheClockSeldomWhenRecordsAreFast) {
    progress bar("add", {}, progress_mode::always, screen.get(), &test_clock);
    for (std::uint64_t records = 0; records < 10'000'000; ++records) {
        if (records % 100'000 == 0) current_time += 1ms;
        bar.update(0, records);
    }
    EXPECT_LT(times_asked, 200);
}

TEST_F(Progress, StillMovesWhenRecordsAreSlow) {
    progress bar("add", {}, progress_mode::always, screen.get(), &test_clock);
    std::uint64_t records = 0;
    for (; records < 1'000'000; ++records) bar.update(0, records);
    for (; records < 1'200'000; ++records) {
        current_time += 1ms;
        bar.update(0, records);
    }
    EXPECT_GT(lines_drawn(), 1000);
}

TEST_F(Progress, NeverWrapsNorMovesTheCursor) {
    progress bar(std::string(200, 'n') + "\x1b[2J", {}, progress_mode::always, screen.get(),
                 &test_clock);
    current_time += 1s;
    bar.update(0, 1);
    EXPECT_EQ(drawn().size(), 80U) << "79 columns after the carriage return";
    progress named("a\nb\x1b", {}, progress_mode::always, screen.get(), &test_clock);
    current_time += 1s;
    named.update(0, 1);
    EXPECT_NE(drawn().find("\ra?b?: 1 record "), std::string::npos);
}

} // namespace
} // namespace bloomery::cli
