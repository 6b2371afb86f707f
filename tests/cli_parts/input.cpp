// Inputs by name: files that can be read are opened, and for others the error says why.
#include "input/input.hpp"

#include <bloomery/error.hpp>

#include "descriptors.hpp"
#include "input/records.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>
#include <system_error>
#include <utility>

namespace bloomery::cli {
namespace {

std::string path_of(const descriptor& file) {
    return "/proc/self/fd/" + std::to_string(file.get());
}

void expect_refusal(const std::string& path, std::errc reason) {
    try {
        static_cast<void>(input::open(path));
        ADD_FAILURE() << path << " was opened";
    } catch (const io_error& problem) {
        EXPECT_EQ(problem.code(), reason);
        EXPECT_NE(std::string(problem.what()).find('"' + path + '"'), std::string::npos);
    }
}

// Puts a descriptor in the place of standard input for one test.
class replaced_stdin {
public:
    explicit replaced_stdin(int fd) : saved_(::dup(STDIN_FILENO)) { ::dup2(fd, STDIN_FILENO); }
    replaced_stdin(const replaced_stdin&) = delete;
    replaced_stdin& operator=(const replaced_stdin&) = delete;
    ~replaced_stdin() { ::dup2(saved_.get(), STDIN_FILENO); }

private:
    descriptor saved_;
};

TEST(Input, RefusesWhatIsMissingAndWhatIsADirectory) {
    expect_refusal("/no/such/file", std::errc::no_such_file_or_directory);
    expect_refusal("", std::errc::no_such_file_or_directory);
    expect_refusal("/", std::errc::is_a_directory);
}

TEST(Input, KnowsTheSizeOfAFile) {
    const descriptor file = memory_file("one\ntwo\n");
    const input opened = input::open(path_of(file));
    EXPECT_EQ(opened.size(), 8U);
    EXPECT_TRUE(opened.is_seekable());
    EXPECT_EQ(opened.name(), '"' + path_of(file) + '"');
    record_reader reader(opened.fd(), opened.name(), '\n');
    EXPECT_EQ(reader.next_batch().size(), 2U);
}

TEST(Input, TakesADashForStandardInput) {
    auto [in, out] = make_pipe();
    write_all(out.get(), "piped\n");
    const replaced_stdin replaced(in.get());
    {
        const input opened = input::open("-");
        EXPECT_EQ(opened.name(), "standard input");
        EXPECT_EQ(opened.size(), std::nullopt);
        EXPECT_FALSE(opened.is_seekable());
        record_reader reader(opened.fd(), opened.name(), '\n');
        EXPECT_EQ(reader.next_batch()[0], "piped");
    }
    EXPECT_GE(::fcntl(STDIN_FILENO, F_GETFD), 0) << "standard input was closed";
}

TEST(Input, CountsOnlyWhatIsLeftOfStandardInput) {
    const descriptor file = memory_file("one\ntwo\n");
    ASSERT_EQ(::lseek(file.get(), 4, SEEK_SET), 4);
    const replaced_stdin replaced(file.get());
    EXPECT_EQ(input::open("-").size(), 4U);
}

TEST(Input, ClosesItsFileOnceHoweverItIsMoved) {
    const descriptor file = memory_file("x");
    int fd = -1;
    {
        input first = input::open(path_of(file));
        fd = first.fd();
        input second = std::move(first);
        EXPECT_EQ(second.fd(), fd);
        input third = input::open(path_of(file));
        third = std::move(second);
        EXPECT_EQ(third.fd(), fd);
        EXPECT_GE(::fcntl(fd, F_GETFD), 0);
    }
    EXPECT_EQ(::fcntl(fd, F_GETFD), -1);
}

} // namespace
} // namespace bloomery::cli
