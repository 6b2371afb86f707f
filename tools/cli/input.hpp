// Where the command reads from: a named file, or standard input for `-`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// An open descriptor to read from. Owns it, except standard input. Movable; one thread at a time.
class input {
public:
    /// Opens `path`, or takes standard input for `-`. Throws `io_error` that names the input when
    /// it is missing, not readable or a directory.
    [[nodiscard]] static input open(std::string_view path);

    input(input&& other) noexcept;
    input& operator=(input&& other) noexcept;
    input(const input&) = delete;
    input& operator=(const input&) = delete;
    ~input();

    [[nodiscard]] int fd() const noexcept { return fd_; }

    /// How an error should call it: the path in quotes, or `standard input`.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// How many bytes a regular file had left to read when it was opened: all of them, unless it is
    /// standard input that another program has read from. Nothing for a pipe or a device.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }

    /// Whether it can be read a second time from the start.
    [[nodiscard]] bool is_seekable() const noexcept { return seekable_; }

private:
    input(int fd, bool owned, std::string name);
    void learn();

    int fd_;
    bool owned_;
    bool seekable_ = false;
    std::string name_;
    std::optional<std::uint64_t> size_;
};

} // namespace bloomery::cli
