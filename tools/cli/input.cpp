#include "input.hpp"

#include <bloomery/error.hpp>

#include "quoted.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace bloomery::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, int reason) {
    throw io_error("cannot read " + name + ", name a readable file or - for standard input",
                   std::error_code(reason, std::generic_category()));
}

} // namespace

input::input(int fd, bool owned, std::string name)
    : fd_(fd), owned_(owned), name_(std::move(name)) {}

input::input(input&& other) noexcept
    : fd_(other.fd_), owned_(std::exchange(other.owned_, false)), seekable_(other.seekable_),
      name_(std::move(other.name_)), size_(other.size_) {}

input& input::operator=(input&& other) noexcept {
    // By swapping: what this one held is closed when `other` goes.
    std::swap(fd_, other.fd_);
    std::swap(owned_, other.owned_);
    std::swap(seekable_, other.seekable_);
    std::swap(name_, other.name_);
    std::swap(size_, other.size_);
    return *this;
}

input::~input() {
    if (owned_) ::close(fd_);
}

input input::open(std::string_view path) {
    if (path == "-") {
        input result(STDIN_FILENO, false, "standard input");
        result.learn();
        return result;
    }
    const std::string zero_terminated(path);
    int fd = -1;
    do {
        fd = ::open(zero_terminated.c_str(), O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR); // opening a named pipe waits, and a wait can be interrupted
    if (fd < 0) refuse(in_quotes(path), errno);
    input result(fd, true, in_quotes(path));
    result.learn();
    return result;
}

void input::learn() {
    struct stat facts{};
    if (::fstat(fd_, &facts) != 0) refuse(name_, errno);
    // A directory opens without complaint and fails at the first read; say so at once.
    if (S_ISDIR(facts.st_mode)) refuse(name_, EISDIR);
    const off_t position = ::lseek(fd_, 0, SEEK_CUR);
    seekable_ = position >= 0;
    if (S_ISREG(facts.st_mode)) {
        const off_t left = facts.st_size - (seekable_ ? position : 0);
        size_ = left > 0 ? static_cast<std::uint64_t>(left) : 0;
    }
}

} // namespace bloomery::cli
