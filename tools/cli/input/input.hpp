// Where the command reads from: a named file, or standard input for `-`; unpacked if compressed.
#pragma once

#include "input/unpacking.hpp"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// Reads once from a descriptor, even a non-blocking one. Returns the number of bytes read; 0 at
/// the end. Throws `io_error` that names it, and `interrupted`.
[[nodiscard]] std::size_t read_some(int fd, const std::string& name, std::span<char> into);

/// Whether compressed bytes are unpacked, or read as they are.
enum class packing { undone, kept };

/// An open descriptor to read from. Owns it, except standard input. Movable; one thread at a time.
class input {
public:
    /// Opens `path`, or takes standard input for `-`. Throws `io_error` that names the input when
    /// it is missing, not readable or a directory.
    [[nodiscard]] static input open(std::string_view path, packing how = packing::kept);

    [[nodiscard]] int fd() const noexcept { return made_->fd; }

    /// Reads on, decompressing gzip and Zstandard. Returns the number of bytes read;
    /// 0 at the end. Waits for no more than one byte. Throws `io_error` that names the
    /// input, `interrupted`, and for what is compressed as unpacker_for and unpacker::read.
    [[nodiscard]] std::size_t read(std::span<char> into) const;

    /// Goes back to where it was opened, if it is seekable. Throws `io_error`.
    void go_back() const;

    /// How an error should call it: the path in quotes, or `standard input`.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// How many bytes a regular file had left to read when it was opened: all of them, unless it is
    /// standard input that another program has read from. Nothing for a pipe or a device, nor for
    /// what has another size when it is unpacked.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept {
        return is_packed() ? std::nullopt : file_bytes_;
    }
    /// The same of the file itself.
    [[nodiscard]] std::optional<std::uint64_t> file_bytes() const noexcept { return file_bytes_; }

    /// Whether it can be read a second time from the start.
    [[nodiscard]] bool is_seekable() const noexcept { return seekable_; }

private:
    input(int fd, bool owned, std::string name);
    void learn(packing how);
    [[nodiscard]] bool is_packed() const noexcept;
    void look_at_start() const;
    [[nodiscard]] std::size_t read_file(std::span<char> into) const;

    /// The descriptor, and what reading changes.
    struct progress_made {
        progress_made(int of, bool mine) noexcept : fd(of), owned(mine) {}
        progress_made(const progress_made&) = delete;
        progress_made& operator=(const progress_made&) = delete;
        ~progress_made();

        int fd;
        bool owned;
        bool looked_at_start = false;
        std::vector<char> start; ///< read, to see whether it is compressed, and not yet given out
        std::unique_ptr<unpacker> unpacking;
    };

    bool seekable_ = false;
    off_t position_ = 0; ///< where it was opened
    std::string name_;
    std::optional<std::uint64_t> file_bytes_;
    std::unique_ptr<progress_made> made_;
};

} // namespace bloomery::cli
