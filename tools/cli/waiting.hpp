// Descriptors that somebody else has set to non-blocking.
#pragma once

#include <poll.h>

#include <cerrno>

namespace bloomery::cli {

/// If `reason` says that `fd` was not ready, waits until it is and returns true. A shell's pipe or
/// terminal is shared: a neighbour can make it non-blocking under us, and that is no error of ours.
inline bool wait_if_not_ready(int fd, short events, int reason) noexcept {
    if (reason != EAGAIN && reason != EWOULDBLOCK) return false;
    pollfd waiting{fd, events, 0};
    // Interrupted or not, the caller tries again and comes back here if need be.
    return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

} // namespace bloomery::cli
