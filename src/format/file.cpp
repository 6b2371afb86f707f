#include <bloomery/error.hpp>
#include <bloomery/format/file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace bloomery {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& sentence, int code = errno) {
    throw io_error(sentence, std::error_code(code, std::generic_category()));
}

/// A file descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int fd) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

struct stat status_of(const descriptor& file, const fs::path& path) {
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) {
        fail("cannot look at " + path.string());
    }
    return status;
}

descriptor open_regular(const fs::path& path) {
    descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) {
        fail("cannot open " + path.string());
    }
    if (!S_ISREG(status_of(file, path).st_mode)) {
        throw bad_data(path.string() + ": this is not a regular file, so it holds no filter");
    }
    return file;
}

/// A file seen as bytes. Mapped, so that loading never holds the file's bytes twice.
class file_bytes {
public:
    file_bytes(const descriptor& file, const fs::path& path)
        : size_(static_cast<std::size_t>(status_of(file, path).st_size)) {
        if (size_ == 0) {
            return;
        }
        data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
        if (data_ == MAP_FAILED) {
            fail("cannot map " + path.string());
        }
    }
    file_bytes(const file_bytes&) = delete;
    file_bytes& operator=(const file_bytes&) = delete;
    ~file_bytes() {
        if (size_ != 0) {
            ::munmap(data_, size_);
        }
    }
    [[nodiscard]] byte_view view() const noexcept {
        return {static_cast<const std::byte*>(data_), size_};
    }

private:
    std::size_t size_;
    void* data_ = nullptr;
};

/// Runs a reader and puts the file's name before whatever it complains of.
template <class Read>
auto naming(const fs::path& path, Read read) {
    try {
        return read();
    } catch (const bad_data& e) {
        throw bad_data(path.string() + ": " + e.what());
    } catch (const unsupported& e) {
        throw unsupported(path.string() + ": " + e.what());
    } catch (const bad_argument& e) {
        throw bad_argument(path.string() + ": " + e.what());
    } catch (const memory_refused& e) {
        throw memory_refused(path.string() + ": " + e.what());
    }
}

any_filter load_from(const descriptor& file, const fs::path& path,
                     const format::decode_options& options) {
    const file_bytes content(file, path);
    return naming(path, [&] { return format::decode_native(content.view(), options); });
}

void write_all(int fd, byte_view bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail("cannot write " + path.string());
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

/// Whether something has that name, be it a link that leads nowhere. A folder that cannot be looked
/// into shows nothing; writing there fails, with the reason.
bool is_there(const fs::path& path) {
    struct stat ignored{};
    return ::lstat(path.c_str(), &ignored) == 0;
}

/// A new file beside the target that becomes it, or vanishes.
class replacement {
public:
    explicit replacement(fs::path target) : target_(std::move(target)) {
        const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
        // Opened now, so that nothing can go wrong once the file is in its place.
        folder_ = descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        // Private until it has the mode of the file that it replaces. A new file gets what the
        // umask leaves, applied by the kernel: no thread sees the umask changed meanwhile, as
        // mkstemp needs.
        const mode_t mode = is_there(target_) ? 0600 : 0666;
        std::random_device random;
        for (;;) {
            const fs::path name = target_.string() + "." + std::to_string(random());
            const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            const int reason = errno;
            if (fd >= 0) {
                file_ = descriptor(fd);
                temporary_ = name;
                return;
            }
            if (reason != EEXIST) {
                fail("cannot write into the folder of " + target_.string(), reason);
            }
        }
    }
    replacement(const replacement&) = delete;
    replacement& operator=(const replacement&) = delete;
    ~replacement() {
        if (!temporary_.empty()) {
            ::unlink(temporary_.c_str());
        }
    }

    [[nodiscard]] int fd() const noexcept { return file_.get(); }

    /// Makes it the target, durably.
    void commit(if_exists policy) {
        struct stat old{};
        if (policy == if_exists::replace && ::stat(target_.c_str(), &old) == 0) {
            dress_as(old);
        }
        if (::fsync(fd()) != 0) {
            fail("cannot write " + target_.string());
        }
        if (policy == if_exists::replace) {
            if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
                fail("cannot write " + target_.string());
            }
        } else {
            settle_without_replacing();
        }
        temporary_.clear();
        // Some file systems cannot do this for a folder; then the rename is as durable as they are.
        if (folder_.get() >= 0) {
            static_cast<void>(::fsync(folder_.get()));
        }
    }

private:
    // The owner may change only if we are root; whoever else replaces a file becomes its owner.
    void dress_as(const struct stat& old) const {
        if (::fchmod(fd(), old.st_mode & 07777) != 0) {
            fail("cannot write " + target_.string());
        }
        static_cast<void>(::fchown(fd(), old.st_uid, old.st_gid) == 0);
    }

    // Refuses also what appeared in the meantime. Where the file system cannot, a link can.
    void settle_without_replacing() const {
        if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(),
                        RENAME_NOREPLACE) == 0) {
            return;
        }
        const bool can_not = errno == EINVAL || errno == ENOSYS;
        if (!can_not || ::link(temporary_.c_str(), target_.c_str()) != 0) {
            fail("cannot write " + target_.string());
        }
        ::unlink(temporary_.c_str());
    }

    fs::path target_;
    fs::path temporary_;
    descriptor folder_{-1};
    descriptor file_{-1};
};

/// Opens the file and locks it. Another update may have replaced it while we waited: the lock then
/// guards a file that nobody sees any more, and we try again with the new one.
descriptor lock(const fs::path& path) {
    for (;;) {
        descriptor file = open_regular(path);
        while (::flock(file.get(), LOCK_EX) != 0) {
            if (errno != EINTR) {
                fail("cannot lock " + path.string());
            }
        }
        struct stat now{};
        const struct stat held = status_of(file, path);
        if (::stat(path.c_str(), &now) == 0 && now.st_ino == held.st_ino &&
            now.st_dev == held.st_dev) {
            return file;
        }
    }
}

/// Where a symbolic link leads, be it there or not, so that the link stays a link when its file is
/// replaced.
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

} // namespace

void save(const any_filter& source, const fs::path& path, if_exists policy,
          std::string_view comment) {
    if (policy == if_exists::refuse && is_there(path)) {
        fail(path.string() + " is already there", EEXIST);
    }
    const fs::path target = resolve(path);
    replacement fresh(target);
    format::encode_native(
        source, [&](byte_view part) { write_all(fresh.fd(), part, path); }, comment);
    fresh.commit(policy);
}

any_filter load(const fs::path& path, const format::decode_options& options) {
    return load_from(open_regular(path), path, options);
}

format::native_header load_header(const fs::path& path, const format::limits& most) {
    const descriptor file = open_regular(path);
    const file_bytes content(file, path);
    return naming(path, [&] {
        format::native_header header = format::decode_native_header(content.view(), most);
        format::require_whole(header, content.view().size());
        return header;
    });
}

void update(const fs::path& path, const std::function<void(any_filter&)>& change,
            const format::decode_options& options) {
    const fs::path target = resolve(path);
    const descriptor file = lock(target);
    const file_bytes content(file, path);
    const std::string comment =
        naming(path, [&] { return format::decode_native_header(content.view()); }).comment;
    any_filter loaded = load_from(file, path, options);
    change(loaded);
    save(loaded, target, if_exists::replace, comment);
}

} // namespace bloomery
