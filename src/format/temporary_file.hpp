// The temporary file that a filter is written to before it is renamed.
#pragma once

#include "posix_file.hpp"

#include <signal.h> // NOLINT: pthread_sigmask is POSIX's
#include <sys/types.h>

#include <filesystem>

namespace bloomery::inline v0::format {

/// Blocks signals in the calling thread, so that none arrives between the creation or removal of a
/// name and the update of the list for remove_temporaries.
class signals_held {
public:
    signals_held() noexcept {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    signals_held(const signals_held&) = delete;
    signals_held& operator=(const signals_held&) = delete;
    ~signals_held() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_;
};

/// A new, locked file next to another one, named TARGET.bloomery-N, which is removed unless it is
/// released. The lock shows that its writer is alive: an unlocked file of that name was left by a
/// killed process, and the next writer of the same target removes it.
class temporary_file {
public:
    /// Throws io_error if the folder is not writable.
    temporary_file(const std::filesystem::path& target, mode_t mode);
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file();

    [[nodiscard]] int fd() const noexcept { return file_.get(); }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Removes it from the list for remove_temporaries. Call this before the name is released:
    /// another process may reuse it at once.
    void unlist() noexcept;
    /// The file was renamed and must not be removed.
    void release() noexcept { path_.clear(); }

private:
    std::filesystem::path path_;
    descriptor file_;
    int slot_ = -1; ///< in the list that remove_temporaries goes through
};

} // namespace bloomery::inline v0::format
