#include "temporary_file.hpp"

#include <bloomery/format/file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <string>
#include <utility>

namespace bloomery::inline v0::format {

namespace fs = std::filesystem;

namespace {

// The temporary files of this process, for signal handlers: a handler must not allocate, nor use
// memory that another thread may free, so the names are copied into a fixed table. If a process
// writes more filters at once, the next writer removes the rest.
struct listed_name {
    std::atomic<pid_t> owner = 0; // 0: free; -1: being filled
    std::array<char, PATH_MAX> path;
};
constexpr int slot_count = 16;
std::array<listed_name, slot_count> listed; // NOLINT: a handler has nothing else to reach
static_assert(std::atomic<pid_t>::is_always_lock_free);

int list(const fs::path& path) noexcept {
    const std::string& name = path.native();
    if (name.size() >= PATH_MAX) {
        return -1;
    }
    for (int i = 0; i < slot_count; ++i) {
        listed_name& slot = listed[static_cast<std::size_t>(i)];
        pid_t is_free = 0;
        if (slot.owner.compare_exchange_strong(is_free, -1)) {
            std::copy_n(name.c_str(), name.size() + 1, slot.path.data());
            slot.owner = ::getpid();
            return i;
        }
    }
    return -1;
}

enum class lock_result { taken, busy, unsupported };

lock_result try_lock(const descriptor& file) {
    int failed = 0;
    do {
        failed = ::flock(file.get(), LOCK_EX | LOCK_NB);
    } while (failed != 0 && errno == EINTR);
    if (failed == 0) {
        return lock_result::taken;
    }
    return errno == EWOULDBLOCK ? lock_result::busy : lock_result::unsupported;
}

/// Whether a name still refers to an open file.
bool leads_to(const fs::path& path, const descriptor& file) {
    struct stat named{};
    struct stat open{};
    return ::lstat(path.c_str(), &named) == 0 && ::fstat(file.get(), &open) == 0 &&
           named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

/// Removes a file left by a killed process of the same user; false if it is in use.
bool remove_if_abandoned(const fs::path& path) {
    const descriptor left =
        open_beyond_standard(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    struct stat status{};
    return left.get() >= 0 && ::fstat(left.get(), &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == ::geteuid() && try_lock(left) == lock_result::taken &&
           leads_to(path, left) && ::unlink(path.c_str()) == 0;
}

/// TARGET.bloomery-N; a name that is too long for the system is truncated.
fs::path name_beside(const fs::path& target, int number) {
    const std::string ending = ".bloomery-" + std::to_string(number);
    const std::string name = target.filename().string();
    return fs::path(target).replace_filename(name.substr(0, NAME_MAX - ending.size()) + ending);
}

} // namespace

temporary_file::temporary_file(const fs::path& target, mode_t mode) {
    constexpr int most_writers = 10'000; // of one new file at the same time
    for (int number = 1; number <= most_writers;) {
        const signals_held wait;
        fs::path name = name_beside(target, number);
        descriptor made = open_beyond_standard(name, O_RDWR | O_CREAT | O_EXCL, mode);
        if (made.get() < 0 && errno != EEXIST) {
            fail("cannot write into the folder of " + target.string());
        }
        if (made.get() < 0) {
            // Tried again at once: if it was removed, the name is free, unless another process has
            // taken it.
            number += remove_if_abandoned(name) ? 0 : 1;
            continue;
        }
        // Between these two steps it looks abandoned, and may have been removed. On a file system
        // without locks, nothing is removed.
        if (try_lock(made) == lock_result::busy || !leads_to(name, made)) {
            continue;
        }
        path_ = std::move(name);
        file_ = std::move(made);
        slot_ = list(path_);
        return;
    }
    fail("too many temporary files beside " + target.string() + "; remove those named " +
             name_beside(target, 1).filename().string() + " and so on",
         EEXIST);
}

temporary_file::~temporary_file() {
    const signals_held wait;
    unlist();
    if (!path_.empty()) {
        ::unlink(path_.c_str());
    }
}

void temporary_file::unlist() noexcept {
    if (slot_ >= 0) {
        listed[static_cast<std::size_t>(slot_)].owner = 0;
        slot_ = -1;
    }
}

} // namespace bloomery::inline v0::format

namespace bloomery::inline v0 {

void remove_temporaries() noexcept {
    const pid_t self = ::getpid();
    for (const format::listed_name& slot : format::listed) {
        if (slot.owner.load() == self) { // not what the parent process is writing
            ::unlink(slot.path.data());
        }
    }
}

} // namespace bloomery::inline v0
