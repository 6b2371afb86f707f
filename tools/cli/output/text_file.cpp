// A small file that is written whole, or not at all.
#include <bloomery/error.hpp>

#include "interruption.hpp"
#include "output/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace bloomery::cli {

namespace {

[[noreturn]] void cannot_write(const std::string& path, int reason) {
    throw io_error("cannot write " + path, std::error_code(reason, std::generic_category()));
}

/// Writes to a descriptor and closes it, with every failure reported.
void write_and_close(int fd, const std::string& path, std::string_view text) {
    try {
        output to(fd, path);
        to.write(text);
        to.close();
    } catch (...) {
        ::close(fd);
        throw;
    }
    if (::close(fd) != 0 && errno != EINTR) cannot_write(path, errno);
}

/// A new file under this name, which goes again if it does not become whole.
void write_new(const std::string& path, const std::string& called, std::string_view text) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        if (errno != EEXIST) cannot_write(called, errno);
        throw io_error(called + " already exists", std::make_error_code(std::errc::file_exists),
                       "use --force to overwrite it");
    }
    try {
        write_and_close(fd, called, text);
    } catch (...) {
        ::unlink(path.c_str());
        throw;
    }
}

/// What is not a regular file, such as a device or a pipe, is written to and stays.
bool is_special(const std::string& path) {
    struct stat there{};
    return ::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
}

void replace(const std::string& path, std::string_view text) {
    std::error_code absent;
    const std::string found = std::filesystem::canonical(path, absent); // what a link leads to
    const std::string& target = absent ? path : found;
    const std::string beside = target + "." + std::to_string(::getpid()) + ".tmp";
    write_new(beside, path, text);
    if (std::rename(beside.c_str(), target.c_str()) != 0) {
        const int reason = errno;
        ::unlink(beside.c_str());
        cannot_write(path, reason);
    }
}

} // namespace

void write_text_file(const std::string& path, std::string_view text, bool force) {
    if (path == "-") {
        output to(STDOUT_FILENO, "standard output");
        to.write(text);
        return to.close();
    }
    if (is_special(path)) {
        const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0) cannot_write(path, errno);
        return write_and_close(fd, path, text);
    }
    { // a signal waits until what is half written is whole, or gone
        const interruption wait;
        force ? replace(path, text) : write_new(path, path, text);
    }
    interruption::end_if_noted();
}

} // namespace bloomery::cli
