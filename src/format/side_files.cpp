#include <bloomery/detail/format/side_files.hpp>

#include "posix_file.hpp"
#include "replacement.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bloomery::inline v0::format {

namespace {

descriptor open_private(const std::string& path) {
    descriptor file = open_beyond_standard(path, O_RDWR | O_CREAT, 0600);
    if (file.get() < 0 || ::fchmod(file.get(), 0600) != 0) {
        fail("cannot write " + path);
    }
    return file;
}

} // namespace

void make_private(const std::string& path) { static_cast<void>(open_private(path)); }

void replace_contents(const std::string& path, std::span<const std::byte> bytes) {
    replace_file(path, if_exists::replace,
                 [&](const replacement& into) { write_all(into.fd(), bytes, path); });
}

void flush_folder_of(const std::string& file) {
    if (!flush_folder(open_folder_of(file))) {
        fail("cannot flush the folder of " + file);
    }
}

file_lock::file_lock(const std::string& path) {
    descriptor file = open_private(path);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
        fd_ = file.release();
    }
}

file_lock::~file_lock() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

} // namespace bloomery::inline v0::format
