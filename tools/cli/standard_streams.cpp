#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace bloomery::cli {

void open_missing_standard_streams() noexcept {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue; // NOLINT: fcntl is variadic
        // The lowest free descriptor is this one: those before it are open by now.
        const int way = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", way) != stream) std::abort(); // NOLINT: open is variadic
    }
}

} // namespace bloomery::cli
