#include "standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace bloomery::cli {

void warn(std::string_view sentence) {
    const std::string line = fmt::format("bloomery: {}\n", sentence);
    static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()) == 0);
}

void open_missing_standard_streams() noexcept {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue; // NOLINT: fcntl is variadic
        // The lowest free descriptor is this one: those before it are open by now.
        const int way = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", way) != stream) std::abort(); // NOLINT: open is variadic
    }
}

bool wait_if_not_ready(int fd, short events, int reason) noexcept {
    if (reason != EAGAIN && reason != EWOULDBLOCK) return false;
    pollfd waiting{fd, events, 0};
    // Interrupted or not, the caller tries again and comes back here if need be.
    return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

} // namespace bloomery::cli
