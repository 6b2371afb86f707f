#include "replacement.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace bloomery::inline v0::format {

namespace fs = std::filesystem;

// The new file is private until it gets the mode of the file that it replaces. If there is none,
// the kernel applies the umask: unlike with mkstemp, the umask never has to be changed, which other
// threads would see.
replacement::replacement(fs::path target)
    : target_(std::move(target)), folder_(open_folder_of(target_)),
      file_(target_, is_there(target_) ? 0600 : 0666) {}

void replacement::commit(if_exists policy) {
    struct stat old{};
    if (policy == if_exists::replace && ::stat(target_.c_str(), &old) == 0) {
        copy_mode_and_owner(old);
    }
    if (::fsync(fd()) != 0) {
        fail("cannot write " + target_.string());
    }
    {
        const signals_held wait;
        file_.unlist();
        if (policy == if_exists::replace) {
            if (::rename(file_.path().c_str(), target_.c_str()) != 0) {
                fail("cannot write " + target_.string());
            }
        } else {
            settle_without_replacing();
        }
        file_.release();
    }
    if (!flush_folder(folder_)) {
        fail(target_.string() + " is written, but may not survive a power failure");
    }
}

// Only root can keep the owner; any other user who replaces a file becomes its owner.
void replacement::copy_mode_and_owner(const struct stat& old) const {
    if (::fchmod(fd(), old.st_mode & 07777) != 0) {
        fail("cannot write " + target_.string());
    }
    static_cast<void>(::fchown(fd(), old.st_uid, old.st_gid) == 0);
}

// Also refuses a file that appeared in the meantime. If the file system does not support this, a
// hard link does it.
void replacement::settle_without_replacing() const {
    if (::renameat2(AT_FDCWD, file_.path().c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) ==
        0) {
        return;
    }
    const bool can_not = errno == EINVAL || errno == ENOSYS;
    if (!can_not || ::link(file_.path().c_str(), target_.c_str()) != 0) {
        fail("cannot write " + target_.string());
    }
    ::unlink(file_.path().c_str());
}

namespace {

/// Keeps writers out of a file that is about to be replaced. A file that we cannot read has no
/// bloomery writer, and is replaced if its folder is writable.
descriptor lock_if_there(const fs::path& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw bad_argument(path.string() + " is not a regular file and will not be replaced; "
                                           "name another");
    }
    if (!fs::is_regular_file(status)) {
        return descriptor();
    }
    try {
        return open_locked(path, false);
    } catch (const io_error& e) {
        // The last three: a network file system without such locks.
        for (const std::errc expected :
             {std::errc::permission_denied, std::errc::no_such_file_or_directory,
              std::errc::bad_file_descriptor, std::errc::no_lock_available,
              std::errc::operation_not_supported}) {
            if (e.code() == expected) {
                return descriptor();
            }
        }
        throw;
    }
}

} // namespace

void replace_file(const fs::path& path, if_exists policy,
                  const std::function<void(const replacement&)>& write) {
    if (policy == if_exists::refuse && is_there(path)) {
        fail(path.string() + " already exists", EEXIST);
    }
    const fs::path target = resolve(path);
    const descriptor held = lock_if_there(target);
    replacement fresh(target);
    write(fresh);
    fresh.commit(policy);
}

} // namespace bloomery::inline v0::format
