// Small files beside a filter's file: private, locked, replaced atomically. For a guard.
#pragma once

#include <bloomery/detail/export.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace bloomery::inline v0::format {

/// Creates the file if it does not exist; from now on, only its owner may read and write it. Throws
/// io_error.
BLOOMERY_EXPORT void make_private(const std::string& path);

/// Replaces the contents of a file, or creates it: durably, and a reader sees either the old
/// contents or the new. Throws io_error.
BLOOMERY_EXPORT void replace_contents(const std::string& path, std::span<const std::byte> bytes);

/// Makes the names in the folder of a file durable. Throws io_error.
BLOOMERY_EXPORT void flush_folder_of(const std::string& file);

/// The system's boot id; zeros if there is none.
[[nodiscard]] BLOOMERY_EXPORT std::array<std::byte, 16> current_boot();

/// An exclusive lock on a file, held for the lifetime of the object and of the process at most.
class BLOOMERY_EXPORT file_lock {
public:
    /// Creates a private file and locks it, without waiting: `is_held` says whether that worked.
    /// Throws io_error if the file cannot be created.
    explicit file_lock(const std::string& path);
    file_lock() noexcept = default;
    file_lock(file_lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    file_lock& operator=(file_lock&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~file_lock();

    [[nodiscard]] bool is_held() const noexcept { return fd_ >= 0; }

private:
    int fd_ = -1;
};

} // namespace bloomery::inline v0::format
