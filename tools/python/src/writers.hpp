// The files that this process has open for writing.
//
// A writer keeps others out until it is closed. To wait for one of the same process could be to
// wait for ever, so such a call is refused instead.
#pragma once

#include "python.hpp"

#include <sys/types.h>

namespace bloomery_python {

/// A file, whatever its name.
struct file_id {
    dev_t device = 0;
    ino_t number = 0;
    auto operator<=>(const file_id&) const = default;
};

/// Enters a file that a filter of this process writes to, until the end. All in a thread that holds
/// the interpreter lock.
class writer_entry {
public:
    explicit writer_entry(const char* path);
    ~writer_entry();
    writer_entry(const writer_entry&) = delete;
    writer_entry& operator=(const writer_entry&) = delete;

private:
    file_id file_;
};

/// Raises BlockingIOError and returns false if this process has the file open for writing.
bool require_no_own_writer(const char* path, const char* advice) noexcept;

/// Waits until no other process writes to the file. Returns false if an exception is set: this
/// process has it open itself, or KeyboardInterrupt.
bool wait_for_writers(const char* path) noexcept;

} // namespace bloomery_python
