#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/error.hpp>

#if defined(__wasm__)
#include <unistd.h>
#else
#include <sys/random.h>
#endif

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace bloomery::inline v0::hash {

sip_key random_key() {
    std::array<std::byte, 16> secret;
#if defined(__wasm__)
    if (getentropy(secret.data(), secret.size()) != 0) {
        throw io_error("cannot get a random key from the host",
                       std::error_code(errno, std::generic_category()));
    }
#else
    // A request of at most 256 bytes is served whole, unless a signal comes while the system is
    // still gathering its first entropy.
    while (getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size())) {
        if (errno != EINTR) {
            throw io_error("cannot get a random key from the system",
                           std::error_code(errno, std::generic_category()));
        }
    }
#endif
    return {load_le64(secret.data()), load_le64(secret.data() + 8)};
}

} // namespace bloomery::inline v0::hash
