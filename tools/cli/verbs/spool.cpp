#include "verbs/spool.hpp"

#include <bloomery/error.hpp>

#include "wording.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace bloomery::cli {

namespace {

struct spooled_line {
    std::uint64_t number;
    std::uint64_t length;
};

/// A file without a name; where the file system has none, one that loses its name at once.
int open_nameless(const std::string& folder) {
    const int fd = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600); // NOLINT: variadic
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
    std::string name = folder + "/bloomery-XXXXXX";
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) ::unlink(name.c_str());
    return named;
}

} // namespace

spool::spool() {
    const char* const said = std::getenv("TMPDIR"); // NOLINT: no other thread changes it
    folder_ = said == nullptr || *said == '\0' ? "/tmp" : said;
    const int fd = open_nameless(folder_);
    if (fd >= 0) file_.reset(::fdopen(fd, "w+"));
    if (file_ == nullptr) fail("make");
    std::setvbuf(file_.get(), nullptr, _IOFBF, std::size_t{1} << 20U);
}

void spool::fail(const char* what) const {
    throw io_error(std::string("cannot ") + what + " a temporary file in " + in_quotes(folder_),
                   std::error_code(errno, std::generic_category()),
                   "TMPDIR can name another folder");
}

void spool::write(std::uint64_t number, std::string_view line) {
    const spooled_line head{number, line.size()};
    if (std::fwrite(&head, sizeof head, 1, file_.get()) != 1 ||
        std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) {
        fail("write to");
    }
}

void spool::for_each(const std::function<void(std::uint64_t, std::string_view)>& visit) {
    if (std::fflush(file_.get()) != 0) fail("write to");
    std::rewind(file_.get());
    spooled_line head{};
    std::string line;
    while (std::fread(&head, sizeof head, 1, file_.get()) == 1) {
        line.resize(head.length);
        if (std::fread(line.data(), 1, line.size(), file_.get()) != line.size()) fail("read");
        visit(head.number, line);
    }
    if (std::ferror(file_.get()) != 0) fail("read");
}

} // namespace bloomery::cli
