#include "posix_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace bloomery::inline v0::format {

namespace fs = std::filesystem;

void fail(const std::string& sentence, int code) {
    throw io_error(sentence, std::error_code(code, std::generic_category()));
}

descriptor::~descriptor() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

namespace {

struct stat status_of(const descriptor& file, const fs::path& path) {
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) {
        fail("cannot examine " + path.string());
    }
    return status;
}

bool flocked(const descriptor& file, int operation, const fs::path& path) {
    while (::flock(file.get(), operation) != 0) {
        if (errno == EWOULDBLOCK) {
            return false;
        }
        if (errno != EINTR) {
            fail("cannot lock " + path.string());
        }
    }
    return true;
}

} // namespace

descriptor open_beyond_standard(const fs::path& path, int flags, mode_t mode) {
    descriptor file(::open(path.c_str(), flags | O_CLOEXEC, mode)); // NOLINT: open is variadic
    if (file.get() < 0 || file.get() > STDERR_FILENO) {
        return file;
    }
    return descriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)); // NOLINT: the same
}

descriptor open_regular(const fs::path& path, bool for_writing) {
    // Non-blocking: otherwise opening a pipe without a writer would block for ever before we could
    // refuse it.
    const int how = (for_writing ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY;
    descriptor file = open_beyond_standard(path, how);
    if (file.get() < 0 && errno == EISDIR) {
        throw bad_data(path.string() + ": not a regular file, so it cannot hold a filter");
    }
    if (file.get() < 0) {
        fail(std::string("cannot open ") + path.string() + (for_writing ? " for writing" : ""));
    }
    const mode_t mode = status_of(file, path).st_mode;
    if (S_ISFIFO(mode) || S_ISSOCK(mode)) {
        throw bad_data(path.string() + ": this is a pipe; to read a filter from a pipe, use "
                                       "standard input (-)");
    }
    if (!S_ISREG(mode)) {
        throw bad_data(path.string() + ": not a regular file, so it cannot hold a filter");
    }
    return file;
}

std::uint64_t length_of(const descriptor& file, const fs::path& path) {
    return static_cast<std::uint64_t>(status_of(file, path).st_size);
}

std::size_t read_at(const descriptor& file, std::uint64_t offset, std::span<std::byte> into,
                    const fs::path& path) {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got = ::pread(file.get(), into.data() + done, into.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            fail("cannot read " + path.string());
        }
        if (got == 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

namespace {

template <class Write>
void write_pieces(std::span<const std::byte> bytes, const fs::path& path, Write write) {
    while (!bytes.empty()) {
        const ssize_t written = write(bytes);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail("cannot write " + path.string());
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

} // namespace

void write_all(int fd, std::span<const std::byte> bytes, const fs::path& path) {
    write_pieces(bytes, path, [fd](auto rest) { return ::write(fd, rest.data(), rest.size()); });
}

void write_at(int fd, std::uint64_t offset, std::span<const std::byte> bytes,
              const fs::path& path) {
    const std::size_t size = bytes.size();
    write_pieces(bytes, path, [&](auto rest) {
        return ::pwrite(fd, rest.data(), rest.size(),
                        static_cast<off_t>(offset + (size - rest.size())));
    });
}

descriptor open_folder_of(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    return open_beyond_standard(folder, O_RDONLY | O_DIRECTORY);
}

bool flush_folder(const descriptor& folder) noexcept {
    return folder.get() < 0 || ::fsync(folder.get()) == 0 || errno == EINVAL || errno == EROFS;
}

bool is_locked(const descriptor& file, const fs::path& path) {
    if (!flocked(file, LOCK_SH | LOCK_NB, path)) {
        return true;
    }
    flocked(file, LOCK_UN, path);
    return false;
}

descriptor open_locked(const fs::path& path, bool for_writing, bool wait) {
    for (;;) {
        descriptor file = open_regular(path, for_writing);
        // A process that checks for a writer holds the lock for a moment.
        const int how = wait ? LOCK_EX : LOCK_EX | LOCK_NB;
        bool have = flocked(file, how, path);
        for (int tries = 0; !have && tries < 5; ++tries) {
            ::usleep(1000);
            have = flocked(file, how, path);
        }
        if (!have) {
            fail("another process is writing to " + path.string() + "; try again later",
                 EWOULDBLOCK);
        }
        struct stat now{};
        const struct stat held = status_of(file, path);
        if (::stat(path.c_str(), &now) == 0 && now.st_ino == held.st_ino &&
            now.st_dev == held.st_dev) {
            return file;
        }
    }
}

fs::path resolve(const fs::path& path) {
    std::error_code failure;
    fs::path target = path;
    for (int links = 0; fs::is_symlink(target, failure); ++links) {
        if (links == 40) {
            fail("cannot follow the link " + path.string(), ELOOP);
        }
        target = target.parent_path() / fs::read_symlink(target, failure);
        if (failure) {
            throw io_error("cannot follow the link " + path.string(), failure);
        }
    }
    return target;
}

bool is_there(const fs::path& path) {
    struct stat ignored{};
    return ::lstat(path.c_str(), &ignored) == 0;
}

} // namespace bloomery::inline v0::format
