// The file that a filter is written to before it takes its place under its name.
#pragma once

#include "posix_file.hpp"

#include <signal.h> // NOLINT: pthread_sigmask is POSIX's
#include <sys/types.h>

#include <filesystem>

namespace bloomery::format {

/// While one lives, signals wait, so that none comes between the moment when a name appears or
/// vanishes and the one when the list of remove_temporaries says so. For the calling thread.
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

/// A new, locked file beside another one, named TARGET.bloomery-N, which is removed unless it is
/// released. The lock tells the living from the dead: a file of that name which nobody has locked
/// was left by a process that was killed, and the next one to write the same target removes it.
class temporary_file {
public:
    /// Throws io_error if the folder cannot be written to.
    temporary_file(const std::filesystem::path& target, mode_t mode);
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file();

    [[nodiscard]] int fd() const noexcept { return file_.get(); }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Takes it off the list of remove_temporaries. Before the name is given up: another process
    /// may take it at once for a file of its own.
    void unlist() noexcept;
    /// It has another name now, and stays.
    void release() noexcept { path_.clear(); }

private:
    std::filesystem::path path_;
    descriptor file_;
    int slot_ = -1; ///< in the list that remove_temporaries goes through
};

} // namespace bloomery::format
