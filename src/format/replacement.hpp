// A file that takes another's place all at once.
#pragma once

#include <bloomery/format/file.hpp>

#include "posix_file.hpp"
#include "temporary_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <functional>

namespace bloomery::format {

/// A new file beside the target that becomes it, or vanishes.
class replacement {
public:
    /// Throws io_error if the folder does not let us write.
    explicit replacement(std::filesystem::path target);
    replacement(const replacement&) = delete;
    replacement& operator=(const replacement&) = delete;

    [[nodiscard]] int fd() const noexcept { return file_.fd(); }

    /// Makes it the target, durably. Throws io_error; then the target is what it was, unless the
    /// sentence says that only its survival of a power failure is in doubt.
    void commit(if_exists policy);

private:
    void dress_as(const struct stat& old) const;
    void settle_without_replacing() const;

    std::filesystem::path target_;
    descriptor folder_; // opened first, so that nothing can go wrong once the file is in its place
    temporary_file file_;
};

/// Writes a file, new or in the place of another, whose writers wait meanwhile. Throws io_error,
/// with std::errc::file_exists if there is one and it must stay; bad_argument for what is no
/// regular file; what `write` throws.
void replace_file(const std::filesystem::path& path, if_exists policy,
                  const std::function<void(const replacement&)>& write);

} // namespace bloomery::format
