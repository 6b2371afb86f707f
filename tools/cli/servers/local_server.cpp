#include "servers/local_server.hpp"

#include <bloomery/error.hpp>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h> // NOLINT: with SIGPIPE as POSIX has it
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <random>
#include <system_error>

namespace bloomery::cli {

namespace {

bool is_free(std::uint16_t port) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) fail("cannot open a socket to look for a free port");
    const int on = 1; // as servers do: what old connections left does not count
    ::setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
    ::close(probe);
    return bound;
}

} // namespace

void fail(const std::string& sentence) {
    throw io_error(sentence, std::error_code(errno, std::generic_category()));
}

std::uint16_t free_port() {
    std::random_device random;
    std::uniform_int_distribution<int> ports(11'000, 20'999);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const auto port = static_cast<std::uint16_t>(ports(random));
        if (is_free(port)) return port;
    }
    throw io_error("no port on 127.0.0.1 is free", std::make_error_code(std::errc::address_in_use),
                   "stop one of the servers there");
}

std::string random_password() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

std::string last_line_of(const std::filesystem::path& log) {
    std::ifstream lines(log);
    std::string last = "it wrote no log";
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) last = line;
    }
    return last;
}

void leave_parent(int log) noexcept {
    ::setpgid(0, 0);
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::close(STDIN_FILENO);
    ::close_range(3, ~0U, 0);
}

} // namespace bloomery::cli
