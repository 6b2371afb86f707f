#include "writers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace bloomery_python {

namespace {

std::vector<file_id>& files() {
    static std::vector<file_id> all;
    return all;
}

bool find(const char* path, file_id& file) noexcept {
    struct stat status{};
    if (::stat(path, &status) != 0) {
        return false;
    }
    file = {status.st_dev, status.st_ino};
    return true;
}

/// Whether some process writes to a file. It has to be asked: nobody tells when it ends.
bool is_written_to(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); // NOLINT: variadic
    if (file < 0) {
        return false; // the call that follows says why
    }
    const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return locked;
}

} // namespace

writer_entry::writer_entry(const char* path) {
    if (find(path, file_)) {
        files().push_back(file_);
    }
}

writer_entry::~writer_entry() {
    if (const auto found = std::ranges::find(files(), file_); found != files().end()) {
        files().erase(found);
    }
}

bool require_no_own_writer(const char* path, const char* advice) noexcept {
    file_id file;
    if (files().empty() || !find(path, file) || std::ranges::find(files(), file) == files().end()) {
        return true;
    }
    const owned name = own(PyUnicode_DecodeFSDefault(path));
    const owned sentence = own(
        PyUnicode_FromFormat("this process has the file open with mode 'r+' itself: %s", advice));
    if (name != nullptr && sentence != nullptr) {
        if (const owned arguments =
                own(Py_BuildValue("(iOO)", EWOULDBLOCK, sentence.get(), name.get()))) {
            PyErr_SetObject(PyExc_OSError, arguments.get());
        }
    }
    return false;
}

bool wait_for_writers(const char* path) noexcept {
    for (;;) {
        if (PyErr_CheckSignals() != 0 ||
            !require_no_own_writer(path, "close that filter before you save over its file")) {
            return false;
        }
        PyThreadState* const state = PyEval_SaveThread();
        const bool locked = is_written_to(path);
        if (locked) {
            ::usleep(20'000);
        }
        PyEval_RestoreThread(state);
        if (!locked) {
            return true;
        }
    }
}

} // namespace bloomery_python
