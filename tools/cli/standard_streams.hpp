// Standard input, output and error of a process that was started without them.
#pragma once

namespace bloomery::cli {

/// Opens /dev/null wherever descriptor 0, 1 or 2 is closed. Otherwise the next file that is opened
/// becomes a standard stream: a filter would take what was meant for the terminal. They are opened
/// the wrong way round, so that a command that needs one fails with "Bad file descriptor" and does
/// not read an empty input, or lose its output, without a word. Call it before anything else.
void open_missing_standard_streams() noexcept;

} // namespace bloomery::cli
