// Records: none lost, none changed, wherever the reads happen to split the input.
#include "input/records.hpp"

#include <bloomery/error.hpp>

#include "descriptors.hpp"
#include "interrupter.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bloomery::cli {
namespace {

using std::string_literals::operator""s;
using strings = std::vector<std::string>;

strings read_all(record_reader& reader) {
    strings all;
    while (true) {
        const auto batch = reader.next_batch();
        if (batch.empty()) return all;
        all.insert(all.end(), batch.begin(), batch.end());
    }
}

strings records_of(std::string_view text, char delimiter = '\n',
                   std::size_t buffer = record_reader::default_buffer_bytes) {
    const descriptor file = memory_file(text);
    record_reader reader(file.get(), "a file", delimiter, buffer);
    return read_all(reader);
}

strings naive_split(std::string_view text, char delimiter) {
    strings all;
    std::string current;
    for (const char c : text) {
        if (c == delimiter) {
            all.push_back(current);
            current.clear();
        } else {
            current += c;
        }
    }
    if (!current.empty()) all.push_back(current);
    return all;
}

// Records of 0 to three buffers, mostly short, with every byte in them, the delimiter included.
std::string random_text(std::mt19937_64& random, char delimiter, std::size_t buffer) {
    std::string text;
    const std::size_t records = random() % 40;
    for (std::size_t i = 0; i < records; ++i) {
        const std::size_t longest = random() % 4 == 0 ? 3 * buffer : 12;
        for (std::size_t left = random() % (longest + 1); left > 0; --left) {
            text += static_cast<char>(random() & 0xffU);
        }
        if (i + 1 < records || random() % 2 == 0) text += delimiter;
    }
    return text;
}

TEST(Records, ReadsNothingFromNothing) { EXPECT_EQ(records_of(""), strings{}); }

TEST(Records, KeepsEmptyLines) {
    EXPECT_EQ(records_of("\n"), strings{""});
    EXPECT_EQ(records_of("\n\na\n\n"), (strings{"", "", "a", ""}));
}

TEST(Records, TakesTheLastLineWithOrWithoutItsNewline) {
    EXPECT_EQ(records_of("a\nb\n"), (strings{"a", "b"}));
    EXPECT_EQ(records_of("a\nb"), (strings{"a", "b"}));
}

TEST(Records, TrimsNothing) {
    EXPECT_EQ(records_of(" a \r\n\tb\t\n\0c\0\n"s), (strings{" a \r", "\tb\t", "\0c\0"s}));
}

TEST(Records, SplitsAtAnyByte) {
    EXPECT_EQ(records_of("a\nb\0c\0"s, '\0'), (strings{"a\nb", "c"}));
    EXPECT_EQ(records_of("a\xff\xff"s
                         "b",
                         '\xff'),
              (strings{"a", "", "b"}));
}

TEST(Records, CountsTheBytesItRead) {
    for (const std::string_view text : {"", "a", "a\n", "a\nb", "a\n\n"}) {
        const descriptor file = memory_file(text);
        record_reader reader(file.get(), "a file", '\n');
        while (!reader.next_batch().empty()) {
        }
        EXPECT_EQ(reader.bytes_read(), text.size());
    }
}

TEST(Records, AgreeWithANaiveSplitterForEveryBufferAndText) {
    std::mt19937_64 random(20240611);
    for (int round = 0; round < 6000; ++round) {
        const std::size_t buffer = 1 + random() % 64;
        const char delimiter = "\n\0,x\xff"[random() % 5];
        const std::string text = random_text(random, delimiter, buffer);
        ASSERT_EQ(records_of(text, delimiter, buffer), naive_split(text, delimiter))
            << "round " << round << ", buffer " << buffer;
    }
}

TEST(Records, AgreeWithANaiveSplitterHoweverAPipeIsWritten) {
    std::mt19937_64 random(99);
    for (int round = 0; round < 300; ++round) {
        const std::string text = random_text(random, '\n', 100);
        auto [in, out] = make_pipe();
        std::thread writer([&text, seed = random(), &out] {
            std::mt19937_64 own(seed);
            std::string_view rest = text;
            while (!rest.empty()) {
                const std::string_view piece = rest.substr(0, 1 + own() % 50);
                write_all(out.get(), piece);
                rest.remove_prefix(piece.size());
                if (own() % 4 == 0) std::this_thread::yield();
            }
            out.close();
        });
        record_reader reader(in.get(), "a pipe", '\n', 64);
        const strings got = read_all(reader);
        writer.join();
        ASSERT_EQ(got, naive_split(text, '\n')) << "round " << round;
    }
}

TEST(Records, AgreeWithANaiveSplitterAcrossTheRealBuffer) {
    std::mt19937_64 random(5);
    std::string text;
    while (text.size() < 5 * record_reader::default_buffer_bytes) {
        text.append(random() % 100, static_cast<char>('a' + random() % 26)) += '\n';
        if (random() % 5000 == 0) text.append(record_reader::default_buffer_bytes, 'L');
    }
    EXPECT_EQ(records_of(text), naive_split(text, '\n'));
}

TEST(Records, KeepsALineOfTenMegabytes) {
    std::string line;
    line.resize(10'000'000, 'x');
    EXPECT_EQ(records_of("before\n" + line + "\nafter\n"), (strings{"before", line, "after"}));
}

TEST(Records, StayValidUntilTheNextCall) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text.append(std::to_string(i)) += '\n';
    const descriptor file = memory_file(text);
    record_reader reader(file.get(), "a file", '\n');
    int expected = 0;
    for (auto batch = reader.next_batch(); !batch.empty(); batch = reader.next_batch()) {
        EXPECT_LE(batch.size(), 1100U);
        for (const auto record : batch) EXPECT_EQ(record, std::to_string(expected++));
    }
    EXPECT_EQ(expected, 5000);
}

TEST(Records, AnswerASlowPipeBeforeItEnds) {
    auto [in, out] = make_pipe();
    write_all(out.get(), "first\nsec");
    record_reader reader(in.get(), "a pipe", '\n');
    const auto batch = reader.next_batch();
    ASSERT_EQ(batch.size(), 1U);
    EXPECT_EQ(batch[0], "first");
    write_all(out.get(), "ond\n");
    EXPECT_EQ(reader.next_batch()[0], "second");
}

TEST(Records, WaitForAPipeThatDoesNotBlock) {
    auto [in, out] = make_pipe();
    ASSERT_EQ(::fcntl(in.get(), F_SETFL, O_NONBLOCK), 0);
    std::thread writer([&out] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        write_all(out.get(), "late\n");
        out.close();
    });
    record_reader reader(in.get(), "a pipe", '\n');
    strings got;
    EXPECT_NO_THROW(got = read_all(reader));
    writer.join();
    EXPECT_EQ(got, strings{"late"});
}

TEST(Records, SurviveAnInterruptedRead) {
    const interrupter signals;
    auto [in, out] = make_pipe();
    std::thread writer([&out, &signals] {
        signals.interrupt();
        write_all(out.get(), "whole\n");
        out.close();
    });
    record_reader reader(in.get(), "a pipe", '\n');
    strings got;
    EXPECT_NO_THROW(got = read_all(reader));
    writer.join();
    EXPECT_EQ(got, strings{"whole"});
}

TEST(Records, NameTheInputThatCannotBeRead) {
    const descriptor directory(::open("/", O_RDONLY | O_DIRECTORY));
    record_reader reader(directory.get(), "\"keys\"", '\n');
    try {
        static_cast<void>(reader.next_batch());
        FAIL() << "a directory was read";
    } catch (const io_error& problem) {
        EXPECT_EQ(problem.code(), std::errc::is_a_directory);
        EXPECT_EQ(std::string(problem.what()).find("cannot read \"keys\""), 0U) << problem.what();
    }
    record_reader closed(-1, "nothing", '\n');
    EXPECT_THROW(static_cast<void>(closed.next_batch()), io_error);
}

TEST(Records, SelectAFieldOrAnEmptyKey) {
    EXPECT_EQ(select_field("a\tb\tc", '\t', 1), "a");
    EXPECT_EQ(select_field("a\tb\tc", '\t', 2), "b");
    EXPECT_EQ(select_field("a\tb\tc", '\t', 3), "c");
    EXPECT_EQ(select_field("a\tb\tc", '\t', 4), "");
    EXPECT_EQ(select_field("a\t\tc", '\t', 2), "");
    EXPECT_EQ(select_field("a\t", '\t', 2), "");
    EXPECT_EQ(select_field("whole", ',', 1), "whole");
    EXPECT_EQ(select_field("whole", ',', 2), "");
    EXPECT_EQ(select_field("", ',', 1), "");
    EXPECT_EQ(select_field("a,b", ',', 0), "");
    EXPECT_EQ(key_of("a,b", 1, {.field = 2, .field_separator = ','}), "b");
    EXPECT_EQ(key_of("a,b", 1, {}), "a,b");
}

TEST(Records, LoseWindowsMarksFromTheirKeyIfAsked) {
    record_format format;
    format.crlf = true;
    EXPECT_EQ(key_of("apple\r", 2, format), "apple");
    EXPECT_EQ(key_of("\xef\xbb\xbf"
                     "apple\r",
                     1, format),
              "apple");
    EXPECT_EQ(key_of("\xef\xbb\xbf"
                     "apple",
                     2, format),
              "\xef\xbb\xbf"
              "apple");
    EXPECT_EQ(key_of("a\r\r", 2, format), "a\r") << "one of them belongs to the line end";
    EXPECT_EQ(key_of("apple\r", 2, {}), "apple\r");
}

TEST(Records, AreOddIfAllOfTheFirstHaveMarks) {
    using records = std::vector<std::string_view>;
    EXPECT_EQ(oddity_of(records{}), nullptr);
    EXPECT_EQ(oddity_of(records{"a\r", "b"}), nullptr);
    EXPECT_STREQ(oddity_of(records{"a\r", "b\r"}), "end with a carriage return");
    EXPECT_STREQ(oddity_of(records{"\xef\xbb\xbf"
                                   "a",
                                   "b"}),
                 "begin with a byte order mark");
}

} // namespace
} // namespace bloomery::cli
