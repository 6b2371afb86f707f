// Working ahead and writing behind change when things happen, never what.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>

#include "input/key_source.hpp"
#include "input/records.hpp"
#include "output/output.hpp"
#include "random.hpp"

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

const any_filter& some_filter() {
    static const any_filter made = filter(bits{1000}, hashes{3});
    return made;
}

std::vector<std::string> all_of(key_source& source) {
    std::vector<std::string> records;
    while (const key_chunk* const chunk = source.next()) {
        records.insert(records.end(), chunk->records.begin(), chunk->records.end());
    }
    return records;
}

TEST(KeySource, GivesTheSameRecordsWithAndWithoutAThread) {
    const key_options options;
    for (const std::string& text : {std::string(), std::string("\n"), std::string("no end"),
                                    many_lines(100'000, 40), many_lines(20, 300'000) + "tail"}) {
        const memory_file file(text);
        std::vector<std::string> expected;
        record_reader plain(file.fd(), "test", '\n');
        for (auto batch = plain.next_batch(); !batch.empty(); batch = plain.next_batch()) {
            expected.insert(expected.end(), batch.begin(), batch.end());
        }
        for (const bool ahead : {false, true}) {
            ::lseek(file.fd(), 0, SEEK_SET);
            record_reader reader(file.fd(), "test", '\n');
            key_source source(reader, options, some_filter(), ahead);
            EXPECT_TRUE(all_of(source) == expected) << text.size() << ahead;
            EXPECT_EQ(source.next(), nullptr) << "the end stays the end";
        }
    }
}

TEST(KeySource, KeepsRecordsOneDelimiterApartAndHashesEachKey) {
    const key_options options;
    const memory_file file(many_lines(50'000, 30));
    for (const bool ahead : {false, true}) {
        ::lseek(file.fd(), 0, SEEK_SET);
        record_reader reader(file.fd(), "test", '\n');
        key_source source(reader, options, some_filter(), ahead);
        while (const key_chunk* const chunk = source.next()) {
            ASSERT_EQ(chunk->keys.digests().size(), chunk->records.size());
            for (std::size_t i = 0; i < chunk->records.size(); ++i) {
                const std::string_view record = chunk->records[i];
                ASSERT_EQ(chunk->keys.digests()[i], native_hash{}(bytes_of(record)));
                ASSERT_EQ(*(record.data() + record.size()), '\n');
                if (i > 0) {
                    const std::string_view before = chunk->records[i - 1];
                    ASSERT_EQ(record.data(), before.data() + before.size() + 1);
                }
            }
        }
    }
}

TEST(KeySource, MayBeAbandonedAnywhere) {
    const key_options options;
    const memory_file file(many_lines(300'000, 30));
    for (int taken = 0; taken < 4; ++taken) {
        ::lseek(file.fd(), 0, SEEK_SET);
        record_reader reader(file.fd(), "test", '\n');
        key_source source(reader, options, some_filter(), true);
        for (int i = 0; i < taken; ++i) {
            EXPECT_NE(source.next(), nullptr);
        }
    }
}

TEST(KeySource, ThrowsWhatTheReaderThrows) {
    const key_options options;
    for (const bool ahead : {false, true}) {
        const int folder = ::open("/", O_RDONLY | O_DIRECTORY);
        record_reader reader(folder, "the folder", '\n');
        key_source source(reader, options, some_filter(), ahead);
        EXPECT_THROW(static_cast<void>(source.next()), io_error);
        ::close(folder);
    }
}

TEST(KeySource, NumbersTheRecordThatIsNoInteger) {
    key_options options;
    options.kind = key_encoding::integer;
    std::string text;
    for (int i = 1; i < 20'000; ++i) {
        text += std::to_string(i) + "\n";
    }
    const memory_file file(text + "twenty thousand\n1\n");
    for (const bool ahead : {false, true}) {
        ::lseek(file.fd(), 0, SEEK_SET);
        record_reader reader(file.fd(), "test", '\n');
        key_source source(reader, options, some_filter(), ahead);
        try {
            all_of(source);
            FAIL();
        } catch (const bad_argument& e) {
            EXPECT_NE(std::string(e.what()).find("record 20000 "), std::string::npos) << e.what();
        }
    }
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
