// Pipes and files in memory for the tests of what reads and writes descriptors.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::cli {

/// A descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int fd) : fd_(fd) {
        if (fd < 0) throw std::runtime_error("no descriptor for a test");
    }
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    descriptor& operator=(descriptor&&) = delete;
    ~descriptor() { close(); }

    void close() {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

struct pipe_ends {
    descriptor read;
    descriptor write;
};

inline pipe_ends make_pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe for a test");
    return {descriptor(ends[0]), descriptor(ends[1])};
}

inline void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::write(fd, text.data(), text.size());
        if (sent < 0) throw std::runtime_error("a test could not write");
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

/// A file in memory that holds `text`, positioned at its start.
inline descriptor memory_file(std::string_view text = {}) {
    descriptor file(::memfd_create("bloomery-test", 0));
    write_all(file.get(), text);
    if (::lseek(file.get(), 0, SEEK_SET) != 0) throw std::runtime_error("a test could not seek");
    return file;
}

/// All that a file holds, from its start.
inline std::string contents(int fd) {
    std::string text(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const ssize_t got =
            ::pread(fd, text.data() + have, text.size() - have, static_cast<off_t>(have));
        if (got <= 0) throw std::runtime_error("a test could not read");
        have += static_cast<std::size_t>(got);
    }
    return text;
}

/// All that can be read from a descriptor until its end.
inline std::string drain(int fd) {
    std::string text;
    std::array<char, 4096> piece{};
    ssize_t got = 0;
    while ((got = ::read(fd, piece.data(), piece.size())) > 0) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return text;
}

} // namespace bloomery::cli
