// What servers that the command starts for itself have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bloomery::cli {

/// Throws io_error with the system's reason.
[[noreturn]] void fail(const std::string& sentence);

/// A port of 127.0.0.1 that nobody uses, below those that the system takes for outgoing
/// connections: a client that tries to reach a stopped server could otherwise be given the server's
/// own port. Throws io_error if there is none.
std::uint16_t free_port();

/// 32 hexadecimal digits.
std::string random_password();

/// The last line of a log that says something.
std::string last_line_of(const std::filesystem::path& log);

/// Of the child, between fork and exec, where nothing may take a lock: what is typed at the
/// terminal is not for it, and it has no files but its log.
void leave_parent(int log) noexcept;

} // namespace bloomery::cli
