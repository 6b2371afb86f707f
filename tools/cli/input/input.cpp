#include "input/input.hpp"

#include <bloomery/error.hpp>

#include "interruption.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace bloomery::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, int reason) {
    throw io_error("cannot read " + name, std::error_code(reason, std::generic_category()),
                   "name a readable file, or - for standard input");
}

} // namespace

std::size_t read_some(int fd, const std::string& name, std::span<char> into) {
    while (true) {
        const ssize_t got = ::read(fd, into.data(), into.size());
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR && !wait_if_not_ready(fd, POLLIN, errno)) {
            throw io_error("cannot read " + name, std::error_code(errno, std::generic_category()));
        }
        interruption::check();
    }
}

input::progress_made::~progress_made() {
    if (owned) ::close(fd);
}

input::input(int fd, bool owned, std::string name)
    : name_(std::move(name)), made_(std::make_unique<progress_made>(fd, owned)) {}

input input::open(std::string_view path, packing how) {
    if (path == "-") {
        input result(STDIN_FILENO, false, "standard input");
        result.learn(how);
        return result;
    }
    const std::string zero_terminated(path);
    int fd = -1;
    do {
        fd = ::open(zero_terminated.c_str(), O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR); // opening a named pipe waits, and a wait can be interrupted
    if (fd < 0) refuse(in_quotes(path), errno);
    input result(fd, true, in_quotes(path));
    result.learn(how);
    return result;
}

void input::learn(packing how) {
    struct stat facts{};
    if (::fstat(fd(), &facts) != 0) refuse(name_, errno);
    // A directory opens without complaint and fails at the first read; say so at once.
    if (S_ISDIR(facts.st_mode)) refuse(name_, EISDIR);
    const off_t position = ::lseek(fd(), 0, SEEK_CUR);
    seekable_ = position >= 0;
    position_ = seekable_ ? position : 0;
    if (S_ISREG(facts.st_mode)) {
        const off_t left = facts.st_size - position_;
        file_bytes_ = left > 0 ? static_cast<std::uint64_t>(left) : 0;
    }
    made_->looked_at_start = how == packing::kept;
    // What is in a file shows without reading on; a pipe is looked at when its bytes have come.
    if (how == packing::undone && file_bytes_ && seekable_) {
        std::array<char, packing_mark_bytes> start{};
        const ssize_t got = ::pread(fd(), start.data(), start.size(), position_);
        made_->looked_at_start = got >= 0; // a read error is reported when it is read
        if (got > 0) {
            made_->unpacking = unpacker_for({start.data(), static_cast<std::size_t>(got)}, name_);
        }
    }
}

bool input::is_packed() const noexcept { return made_ != nullptr && made_->unpacking != nullptr; }

std::size_t input::read(std::span<char> into) const {
    if (!made_->looked_at_start) look_at_start();
    if (!is_packed()) return read_file(into);
    return made_->unpacking->read([this](std::span<char> packed) { return read_file(packed); },
                                  into);
}

void input::look_at_start() const {
    constexpr std::size_t at_once = std::size_t{64} << 10U;
    std::vector<char>& start = made_->start;
    made_->looked_at_start = true;
    while (start.size() < packing_mark_bytes && may_be_packed({start.data(), start.size()})) {
        std::vector<char> more(at_once);
        const std::size_t got = read_some(fd(), name_, more);
        if (got == 0) break;
        start.insert(start.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(got));
    }
    made_->unpacking = unpacker_for({start.data(), start.size()}, name_);
}

std::size_t input::read_file(std::span<char> into) const {
    std::vector<char>& start = made_->start;
    if (start.empty()) return read_some(fd(), name_, into);
    const std::size_t count = std::min(start.size(), into.size());
    std::copy_n(start.begin(), count, into.begin());
    start.erase(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
}

void input::go_back() const {
    if (::lseek(fd(), position_, SEEK_SET) < 0) {
        throw io_error("cannot rewind " + name_, std::error_code(errno, std::generic_category()));
    }
    if (is_packed()) made_->unpacking->reset();
}

} // namespace bloomery::cli
