// A proxy to a server that breaks the connection in the middle of an answer, when a test says so.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace bloomery::testing {

/// Passes bytes between its own port and that of a server on this machine.
class cutting_proxy {
public:
    explicit cutting_proxy(std::uint16_t server) : server_(server), door_(open_socket()) {
        const sockaddr_in any = address(0);
        socklen_t length = sizeof any;
        sockaddr_in mine{};
        if (::bind(door_, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0 ||
            ::listen(door_, 64) != 0 ||
            ::getsockname(door_, reinterpret_cast<sockaddr*>(&mine), &length) != 0) {
            throw std::runtime_error("no port for a proxy");
        }
        port_ = ntohs(mine.sin_port);
        accepting_ = std::thread([this] { accept_all(); });
    }
    cutting_proxy(const cutting_proxy&) = delete;
    cutting_proxy& operator=(const cutting_proxy&) = delete;
    ~cutting_proxy() {
        is_over_ = true;
        ::shutdown(door_, SHUT_RDWR);
        accepting_.join();
        {
            const std::lock_guard lock(mutex_);
            for (const int end : ends_) ::shutdown(end, SHUT_RDWR);
        }
        for (std::thread& each : pumps_) each.join();
        for (const int end : ends_) ::close(end);
        ::close(door_);
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// After so many more bytes of answers the connection that brought them is cut, once.
    void cut_after(std::int64_t answer_bytes) { left_ = answer_bytes; }
    /// How often that happened.
    [[nodiscard]] int cuts() const noexcept { return cuts_; }

private:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    static int open_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }
    static sockaddr_in address(std::uint16_t port) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(port);
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return at;
    }

    void accept_all() {
        while (!is_over_) {
            const int client = ::accept4(door_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) continue;
            const int server = open_socket();
            const sockaddr_in at = address(server_);
            const std::lock_guard lock(mutex_);
            ends_.insert(ends_.end(), {client, server});
            if (::connect(server, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
                ::shutdown(client, SHUT_RDWR);
                continue;
            }
            pumps_.emplace_back([this, client, server] { pump(client, server, false); });
            pumps_.emplace_back([this, client, server] { pump(server, client, true); });
        }
    }

    void pump(int from, int to, bool answers) {
        std::array<char, 16'384> buffer{};
        for (;;) {
            const ssize_t got = ::recv(from, buffer.data(), buffer.size(), 0);
            if (got <= 0) break;
            const std::int64_t allowed = answers ? allowance(got) : got;
            if (!send_all(to, buffer.data(), static_cast<std::size_t>(allowed))) break;
            if (allowed < got) break;
        }
        ::shutdown(from, SHUT_RDWR);
        ::shutdown(to, SHUT_RDWR);
    }

    /// How many of these bytes may still pass.
    std::int64_t allowance(std::int64_t wanted) {
        const std::lock_guard lock(mutex_);
        if (left_ == never || wanted < left_) {
            if (left_ != never) left_ = left_ - wanted;
            return wanted;
        }
        const std::int64_t allowed = left_ < wanted ? left_.load() : wanted - 1;
        left_ = never;
        ++cuts_;
        return allowed;
    }

    static bool send_all(int to, const char* bytes, std::size_t count) {
        while (count > 0) {
            const ssize_t sent = ::send(to, bytes, count, MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes += sent;
            count -= static_cast<std::size_t>(sent);
        }
        return true;
    }

    std::uint16_t server_;
    int door_;
    std::uint16_t port_ = 0;
    std::atomic<bool> is_over_ = false;
    std::atomic<std::int64_t> left_ = never;
    std::atomic<int> cuts_ = 0;
    std::mutex mutex_;
    std::vector<int> ends_;
    std::vector<std::thread> pumps_;
    std::thread accepting_;
};

} // namespace bloomery::testing
