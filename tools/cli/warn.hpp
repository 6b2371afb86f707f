// A sentence for the person at the terminal.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace bloomery::cli {

/// Writes "bloomery: SENTENCE" to standard error. That nobody can read it (2>&-, a full disk) is no
/// reason to fail: the work and the exit status matter more.
inline void warn(std::string_view sentence) {
    const std::string line = fmt::format("bloomery: {}\n", sentence);
    static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()) == 0);
}

} // namespace bloomery::cli
