// POSIX files: open, read and lock, with clear error messages.
#pragma once

#include <bloomery/detail/format/naming.hpp>
#include <bloomery/error.hpp>

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace bloomery::inline v0::format {

[[noreturn]] void fail(const std::string& sentence, int code = errno);

/// A file descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int fd = -1) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor();
    [[nodiscard]] int get() const noexcept { return fd_; }
    /// Hands it over to the caller, who closes it.
    [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }

private:
    int fd_;
};

/// Opens a file, never as descriptor 0, 1 or 2: in a process that has these closed, a warning meant
/// for standard error would be written into a filter. -1, with errno, if the system refuses.
[[nodiscard]] descriptor open_beyond_standard(const std::filesystem::path& path, int flags,
                                              mode_t mode = 0);

/// Opens a regular file. Throws io_error, and bad_data for anything else: a pipe is not seekable.
descriptor open_regular(const std::filesystem::path& path, bool for_writing = false);

/// The length of an open file. Throws io_error.
std::uint64_t length_of(const descriptor& file, const std::filesystem::path& path);

/// Reads at an offset, without a mapping: if the file shrinks meanwhile, this is a short read
/// instead of a SIGBUS. Returns the number of bytes read. Throws io_error.
std::size_t read_at(const descriptor& file, std::uint64_t offset, std::span<std::byte> into,
                    const std::filesystem::path& path);

/// Writes everything, at the descriptor's position or at `offset`. Throws io_error.
void write_all(int fd, std::span<const std::byte> bytes, const std::filesystem::path& path);
void write_at(int fd, std::uint64_t offset, std::span<const std::byte> bytes,
              const std::filesystem::path& path);

/// The folder of a file, to be flushed later; empty if it cannot be opened.
descriptor open_folder_of(const std::filesystem::path& file);
/// Makes the names in a folder durable; false, with errno, if that fails. Returns true on file
/// systems that cannot flush a folder.
[[nodiscard]] bool flush_folder(const descriptor& folder) noexcept;

/// Whether a writer currently holds the lock. Throws io_error.
bool is_locked(const descriptor& file, const std::filesystem::path& path);

/// Opens the file and takes the writers' lock. The previous holder may have replaced the file while
/// we waited: the lock then belongs to a file that no longer has this name, and we retry with the
/// new one. Without waiting, a lock that is held gives an io_error with
/// std::errc::operation_would_block.
descriptor open_locked(const std::filesystem::path& path, bool for_writing, bool wait = true);

/// The target of a symbolic link, whether it exists or not, so that the link stays a link when its
/// file is replaced.
std::filesystem::path resolve(const std::filesystem::path& path);

/// Whether the name exists, even as a dangling link. False if the folder cannot be read; writing
/// there will then fail with the reason.
bool is_there(const std::filesystem::path& path);

} // namespace bloomery::inline v0::format
