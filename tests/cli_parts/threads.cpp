// Reading ahead and writing behind change when things happen, never what.
#include <bloomery/error.hpp>

#include "output.hpp"
#include "random.hpp"
#include "read_ahead.hpp"
#include "records.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace bloomery::cli {
namespace {

/// A file in memory with that content, read from its start.
class memory_file {
public:
    explicit memory_file(const std::string& content) : fd_(::memfd_create("test", 0)) {
        EXPECT_EQ(::write(fd_, content.data(), content.size()),
                  static_cast<ssize_t>(content.size()));
        ::lseek(fd_, 0, SEEK_SET);
    }
    memory_file(const memory_file&) = delete;
    memory_file& operator=(const memory_file&) = delete;
    ~memory_file() { ::close(fd_); }
    [[nodiscard]] int fd() const { return fd_; }
    [[nodiscard]] std::string content() const {
        std::string all(static_cast<std::size_t>(::lseek(fd_, 0, SEEK_END)), '\0');
        EXPECT_EQ(::pread(fd_, all.data(), all.size(), 0), static_cast<ssize_t>(all.size()));
        return all;
    }

private:
    int fd_;
};

std::string many_lines(std::size_t count, std::size_t longest) {
    bloomery::testing::random_source random(7);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += std::string(random.below(longest), static_cast<char>('a' + i % 26)) + "\n";
    }
    return text;
}

template <class Source>
std::vector<std::string> all_of(Source& source) {
    std::vector<std::string> records;
    for (auto batch = source.next_batch(); !batch.empty(); batch = source.next_batch()) {
        records.insert(records.end(), batch.begin(), batch.end());
    }
    return records;
}

TEST(ReadAhead, GivesTheRecordsOfTheReader) {
    for (const std::string& text : {std::string(), std::string("\n"), std::string("no end"),
                                    many_lines(100'000, 40), many_lines(20, 300'000) + "tail"}) {
        const memory_file file(text);
        record_reader plain(file.fd(), "test", '\n');
        const auto expected = all_of(plain);
        ::lseek(file.fd(), 0, SEEK_SET);
        record_reader reader(file.fd(), "test", '\n');
        read_ahead ahead(reader, '\n');
        EXPECT_TRUE(all_of(ahead) == expected) << text.size();
        EXPECT_EQ(ahead.next_batch().size(), 0U) << "the end stays the end";
    }
}

TEST(ReadAhead, KeepsRecordsOneDelimiterApart) {
    const memory_file file(many_lines(50'000, 30));
    record_reader reader(file.fd(), "test", '\n');
    read_ahead ahead(reader, '\n');
    for (auto batch = ahead.next_batch(); !batch.empty(); batch = ahead.next_batch()) {
        for (std::size_t i = 1; i < batch.size(); ++i) {
            const char* const end = batch[i - 1].data() + batch[i - 1].size();
            ASSERT_EQ(batch[i].data(), end + 1);
            ASSERT_EQ(*end, '\n');
        }
    }
}

TEST(ReadAhead, MayBeAbandonedAnywhere) {
    const memory_file file(many_lines(300'000, 30));
    for (int taken = 0; taken < 4; ++taken) {
        ::lseek(file.fd(), 0, SEEK_SET);
        record_reader reader(file.fd(), "test", '\n');
        read_ahead ahead(reader, '\n');
        for (int i = 0; i < taken; ++i) {
            static_cast<void>(ahead.next_batch());
        }
    }
}

TEST(ReadAhead, ThrowsWhatTheReaderThrows) {
    const int folder = ::open("/", O_RDONLY | O_DIRECTORY);
    record_reader reader(folder, "the folder", '\n');
    read_ahead ahead(reader, '\n');
    EXPECT_THROW(static_cast<void>(ahead.next_batch()), io_error);
    ::close(folder);
}

TEST(WriteBehind, WritesEverythingInOrder) {
    const memory_file file("");
    std::string expected;
    {
        output out(file.fd(), "test", 1000, output::mode::behind);
        bloomery::testing::random_source random(3);
        for (int i = 0; i < 5000; ++i) {
            const std::string part(random.below(i % 100 == 0 ? 5000 : 60),
                                   static_cast<char>('a' + i % 26));
            out.write_record(part, '\n');
            expected += part + "\n";
        }
        out.close();
    }
    EXPECT_TRUE(file.content() == expected);
}

TEST(WriteBehind, FlushesWhenItIsDestroyed) {
    const memory_file file("");
    {
        output(file.fd(), "test", 1000, output::mode::behind).write("left");
    }
    EXPECT_EQ(file.content(), "left");
}

TEST(WriteBehind, ReportsAFullDiskByCloseAtTheLatest) {
    const int full = ::open("/dev/full", O_WRONLY);
    output out(full, "the disk", 1000, output::mode::behind);
    out.write("x");
    EXPECT_THROW(out.close(), io_error);
    output more(full, "the disk", 1000, output::mode::behind);
    EXPECT_THROW(
        {
            for (int i = 0; i < 100; ++i) {
                more.write(std::string(900, 'x'));
            }
        },
        io_error);
    EXPECT_NO_THROW(more.write("dropped"));
    ::close(full);
}

TEST(WriteBehind, TellsThatNobodyReadsAnyMore) {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    output out(ends[1], "the pipe", 1000, output::mode::behind);
    out.write("x");
    EXPECT_THROW(out.close(), broken_pipe);
    ::close(ends[1]);
}

} // namespace
} // namespace bloomery::cli
