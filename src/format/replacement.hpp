// Replaces a file atomically.
#pragma once

#include <bloomery/format/file.hpp>

#include "posix_file.hpp"
#include "temporary_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <functional>

namespace bloomery::inline v0::format {

/// A new file next to the target that either replaces it or is removed.
class replacement {
public:
    /// Throws io_error if the folder is not writable.
    explicit replacement(std::filesystem::path target);
    replacement(const replacement&) = delete;
    replacement& operator=(const replacement&) = delete;

    [[nodiscard]] int fd() const noexcept { return file_.fd(); }

    /// Replaces the target, durably. Throws io_error; the target is then unchanged, unless the
    /// message says that only its durability across a power failure is in doubt.
    void commit(if_exists policy);

private:
    void copy_mode_and_owner(const struct stat& old) const;
    void settle_without_replacing() const;

    std::filesystem::path target_;
    descriptor folder_; // opened first, so that nothing can fail after the rename
    temporary_file file_;
};

/// Creates or replaces a file, whose writers wait meanwhile. Throws io_error
/// (std::errc::file_exists if it exists and must not be replaced), bad_argument if it is not a
/// regular file, and what `write` throws.
void replace_file(const std::filesystem::path& path, if_exists policy,
                  const std::function<void(const replacement&)>& write);

} // namespace bloomery::inline v0::format
