// Output: every byte arrives in order, or an error is reported.
#include "output/output.hpp"

#include <bloomery/error.hpp>

#include "descriptors.hpp"
#include "interrupter.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>

#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <system_error>
#include <thread>

namespace bloomery::cli {
namespace {

class Output : public testing::Test {
public:
    Output() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() override { static_cast<void>(std::signal(SIGPIPE, before_)); }

private:
    void (*before_)(int);
};

TEST_F(Output, ArrivesWholeForEveryBufferAndPiece) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 2000; ++round) {
        const descriptor file = memory_file();
        std::string expected;
        output out(file.get(), "a file", 1 + random() % 64);
        for (std::size_t pieces = random() % 30; pieces > 0; --pieces) {
            const std::string piece(random() % 150, static_cast<char>('a' + random() % 26));
            if (random() % 2 == 0) {
                out.write(piece);
                expected += piece;
            } else {
                out.write_record(piece, '\n');
                expected += piece + '\n';
            }
            if (random() % 10 == 0) out.flush();
        }
        out.close();
        ASSERT_EQ(contents(file.get()), expected) << "round " << round;
    }
}

TEST_F(Output, IsHeldBackUntilTheBufferIsFull) {
    const descriptor file = memory_file();
    output out(file.get(), "a file");
    out.write_record("held", '\n');
    EXPECT_EQ(contents(file.get()), "");
    out.flush();
    EXPECT_EQ(contents(file.get()), "held\n");
}

TEST_F(Output, IsPassedOnByTheDestructor) {
    const descriptor file = memory_file();
    {
        output(file.get(), "a file").write("kept");
    }
    EXPECT_EQ(contents(file.get()), "kept");
}

TEST_F(Output, LeavesTheDescriptorOpen) {
    const descriptor file = memory_file();
    output out(file.get(), "a file");
    out.close();
    out.close();
    EXPECT_GE(::fcntl(file.get(), F_GETFD), 0);
}

TEST_F(Output, GoesToATerminalLineByLine) {
    std::array<int, 2> ends{-1, -1};
    ASSERT_EQ(::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr), 0);
    const descriptor screen(ends[0]);
    const descriptor terminal(ends[1]);
    ASSERT_EQ(::fcntl(screen.get(), F_SETFL, O_NONBLOCK), 0);
    output out(terminal.get(), "a terminal");
    out.write("no line yet");
    EXPECT_EQ(drain(screen.get()), "");
    out.write(", now\n");
    EXPECT_EQ(drain(screen.get()), "no line yet, now\r\n");
    out.write_record("record", '\n');
    EXPECT_EQ(drain(screen.get()), "record\r\n");
    out.close();
}

TEST_F(Output, ReportsAFullDisk) {
    const descriptor full(::open("/dev/full", O_WRONLY));
    output out(full.get(), "\"result\"");
    out.write("lost");
    try {
        out.close();
        FAIL() << "a full disk went unnoticed";
    } catch (const io_error& problem) {
        EXPECT_EQ(problem.code(), std::errc::no_space_on_device);
        EXPECT_EQ(std::string(problem.what()).find("cannot write to \"result\""), 0U);
    }
}

TEST_F(Output, ReportsAFullDiskForOneHugeRecord) {
    const descriptor full(::open("/dev/full", O_WRONLY));
    output out(full.get(), "full");
    EXPECT_THROW(out.write_record(std::string(1'000'000, 'x'), '\n'), io_error);
}

TEST_F(Output, ForgivesAFullDiskInTheDestructor) {
    const descriptor full(::open("/dev/full", O_WRONLY));
    EXPECT_NO_THROW({ output(full.get(), "full").write("lost"); });
}

TEST_F(Output, TellsABrokenPipeFromTrouble) {
    auto [in, out] = make_pipe();
    in.close();
    output to_nobody(out.get(), "standard output");
    to_nobody.write("unheard");
    EXPECT_THROW(to_nobody.flush(), broken_pipe);
    EXPECT_NO_THROW(to_nobody.close()) << "a failure is reported once";
}

TEST_F(Output, WritesNothingMoreAfterAFailure) {
    const descriptor target(::open("/dev/full", O_WRONLY));
    const descriptor file = memory_file();
    {
        output out(target.get(), "full");
        out.write("lost");
        EXPECT_THROW(out.flush(), io_error);
        ASSERT_EQ(::dup2(file.get(), target.get()), target.get()); // the disk has room again
        out.write("a tail without its head");
    }
    EXPECT_EQ(contents(file.get()), "");
}

TEST_F(Output, SurvivesAnInterruptedWrite) {
    const interrupter signals;
    auto [in, out] = make_pipe();
    std::string got;
    std::thread reader([&got, &in, &signals] {
        signals.interrupt(); // the pipe is full by now, and the writer waits
        got = drain(in.get());
    });
    const std::string text(300'000, 'z');
    output stubborn(out.get(), "a pipe");
    EXPECT_NO_THROW(stubborn.write(text));
    EXPECT_NO_THROW(stubborn.close());
    out.close();
    reader.join();
    EXPECT_EQ(got, text);
}

TEST_F(Output, WaitsForAPipeThatDoesNotBlock) {
    auto [in, out] = make_pipe();
    ASSERT_EQ(::fcntl(out.get(), F_SETFL, O_NONBLOCK), 0);
    std::string got;
    std::thread reader([&got, &in] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        got = drain(in.get());
    });
    const std::string text(1'000'000, 'y');
    output patient(out.get(), "a pipe");
    EXPECT_NO_THROW(patient.write(text));
    EXPECT_NO_THROW(patient.close());
    out.close();
    reader.join();
    EXPECT_EQ(got, text);
}

} // namespace
} // namespace bloomery::cli
