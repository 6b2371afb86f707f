// Standard input, output and error, as a process may find them.
#pragma once

#include <string_view>

namespace bloomery::cli {

/// Writes "bloomery: SENTENCE" to standard error. That nobody can read it (2>&-, a full disk) is no
/// reason to fail: the work and the exit status matter more.
void warn(std::string_view sentence);

/// Opens /dev/null wherever descriptor 0, 1 or 2 is closed. Otherwise the next file that is opened
/// becomes a standard stream: a filter would take what was meant for the terminal. They are opened
/// the wrong way round, so that a command that needs one fails with "Bad file descriptor" and does
/// not read an empty input, or lose its output, without a word. Call it before anything else.
void open_missing_standard_streams() noexcept;

/// If `reason` says that `fd` was not ready, waits until it is and returns true. A shell's pipe or
/// terminal is shared: a neighbour can make it non-blocking under us, and that is not our error.
bool wait_if_not_ready(int fd, short events, int reason) noexcept;

} // namespace bloomery::cli
