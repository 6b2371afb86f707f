// Files as the system has them: opened, read, locked, with sentences when it refuses.
#pragma once

#include <bloomery/error.hpp>

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace bloomery::format {

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

private:
    int fd_;
};

/// Opens a file, never as descriptor 0, 1 or 2: in a process that has these closed, a warning meant
/// for standard error would be written into a filter. -1, with errno, if the system refuses.
[[nodiscard]] descriptor open_beyond_standard(const std::filesystem::path& path, int flags,
                                              mode_t mode = 0);

/// Opens a regular file. Throws io_error, and bad_data for anything else: no pipe has a middle.
descriptor open_regular(const std::filesystem::path& path, bool for_writing = false);

/// The length of an open file. Throws io_error.
std::uint64_t length_of(const descriptor& file, const std::filesystem::path& path);

/// Reads at a place, without a mapping: a file that shrinks meanwhile is a short answer here, and
/// would be a SIGBUS there. Returns how many bytes there were. Throws io_error.
std::size_t read_at(const descriptor& file, std::uint64_t offset, std::span<std::byte> into,
                    const std::filesystem::path& path);

/// Writes all of it, at the descriptor's place or at `offset`. Throws io_error.
void write_all(int fd, std::span<const std::byte> bytes, const std::filesystem::path& path);
void write_at(int fd, std::uint64_t offset, std::span<const std::byte> bytes,
              const std::filesystem::path& path);

/// The folder of a file, to be flushed later; none if it cannot be opened.
descriptor open_folder_of(const std::filesystem::path& file);
/// Makes the names in a folder durable; false, with errno, if that fails. Some file systems cannot
/// do this for a folder; then names are as durable as they are, and it is true.
[[nodiscard]] bool flush_folder(const descriptor& folder) noexcept;

/// Whether a writer holds the lock just now. Throws io_error.
bool is_locked(const descriptor& file, const std::filesystem::path& path);

/// Opens the file and takes the lock of writers. Whoever had it may have replaced the file while we
/// waited: the lock then guards a file that nobody sees any more, and we try again with the new
/// one. Without waiting, a lock that is taken is an io_error with std::errc::operation_would_block.
descriptor open_locked(const std::filesystem::path& path, bool for_writing, bool wait = true);

/// Where a symbolic link leads, be it there or not, so that the link stays a link when its file is
/// replaced.
std::filesystem::path resolve(const std::filesystem::path& path);

/// Whether something has that name, be it a link that leads nowhere. A folder that cannot be looked
/// into shows nothing; writing there fails, with the reason.
bool is_there(const std::filesystem::path& path);

/// Runs a reader and puts the file's name before whatever it complains of.
template <class Read>
auto naming(const std::filesystem::path& path, Read read) {
    const auto named = [&](const error& e) { return path.string() + ": " + e.what(); };
    try {
        return read();
    } catch (const unsealed& e) {
        throw unsealed(named(e));
    } catch (const bad_data& e) {
        throw bad_data(named(e));
    } catch (const unsupported& e) {
        throw unsupported(named(e));
    } catch (const bad_argument& e) {
        throw bad_argument(named(e));
    } catch (const memory_refused& e) {
        throw memory_refused(named(e));
    }
}

} // namespace bloomery::format
