#include "connection.hpp"

#include <bloomery/detail/redis/request.hpp>
#include <bloomery/redis/client.hpp>

#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

std::string reason(int code) { return std::generic_category().message(code); }

/// The non-blocking socket of a new connection.
int connected(const endpoint& to, std::chrono::milliseconds within) {
    const timeval time{static_cast<time_t>(within.count() / 1000),
                       static_cast<suseconds_t>(within.count() % 1000 * 1000)};
    redisContext* const made = to.socket.empty()
                                   ? redisConnectWithTimeout(to.host.c_str(), to.port, time)
                                   : redisConnectUnixWithTimeout(to.socket.c_str(), time);
    if (made == nullptr) throw std::bad_alloc();
    if (made->err != 0) {
        const std::string why = static_cast<const char*>(made->errstr);
        redisFree(made);
        throw unreachable("cannot connect to Redis at " + to.text() + ": " + why);
    }
    if (to.socket.empty()) redisEnableKeepAlive(made);
    const int fd = redisFreeKeepFd(made);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); // NOLINT: variadic by nature
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);                        // NOLINT
    return fd;
}

} // namespace

connection::connection(endpoint to, const options& how)
    : where_(std::move(to)), fd_(connected(where_, how.connect_timeout)) {
    request auth(how.user.empty() ? 2 : 3);
    auth.add("AUTH");
    if (!how.user.empty()) auth.add(how.user);
    auth.add(how.password);
    const request select = request(2).add("SELECT").add(how.database);
    if (!how.user.empty() || !how.password.empty()) queue(auth.bytes());
    if (how.database != 0) queue(select.bytes());
    std::array<connection*, 1> self{this};
    std::string refusal;
    try {
        round_trip(self, how.answer_timeout);
    } catch (...) {
        ::close(fd_);
        throw;
    }
    for (const reply& each : replies_) {
        if (each.is_error() && refusal.empty()) refusal = each.text;
    }
    begin();
    if (failure_.empty() && refusal.empty()) return;
    ::close(fd_);
    if (!failure_.empty()) throw unreachable(failure_);
    throw refused("Redis at " + where_.text() + " refuses the login: " + refusal);
}

connection::~connection() { ::close(fd_); }

void connection::begin() noexcept {
    outgoing_.clear();
    replies_.clear();
    next_ = part_ = 0;
    queued_ = sent_ = 0;
}

bool connection::is_sound() const noexcept {
    pollfd one{fd_, POLLIN, 0};
    return ::poll(&one, 1, 0) == 0;
}

void connection::fail(std::string why) {
    failure_ = "Redis at " + where_.text() + " " + std::move(why);
    // Data in transit that may be sent again on another connection must not arrive late.
    const linger none{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

void connection::send_some() {
    constexpr std::size_t at_once = 64;
    std::array<iovec, at_once> parts; // NOLINT: filled as far as it is used
    while (has_more()) {
        std::size_t count = 0;
        for (; count < at_once && next_ + count < outgoing_.size(); ++count) {
            const std::string_view each = outgoing_[next_ + count].substr(count == 0 ? part_ : 0);
            parts[count] = {const_cast<char*>(each.data()), each.size()}; // NOLINT: only read
        }
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = count;
        const ssize_t went = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
        if (went < 0 && errno == EINTR) continue;
        if (went < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (went < 0) return fail("cannot be written to: " + reason(errno));
        advance(static_cast<std::size_t>(went));
        moved_ = clock::now();
    }
}

void connection::advance(std::size_t bytes) noexcept {
    sent_ += bytes;
    part_ += bytes;
    while (has_more() && part_ >= outgoing_[next_].size()) part_ -= outgoing_[next_++].size();
}

void connection::receive_some() {
    // No larger: hiredis moves its unread data after each read.
    std::array<char, std::size_t{16} << 10U> buffer; // NOLINT: filled by recv
    for (;;) {
        const ssize_t came = ::recv(fd_, buffer.data(), buffer.size(), 0);
        if (came < 0 && errno == EINTR) continue;
        if (came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (came < 0) return fail("cannot be read from: " + reason(errno));
        if (came == 0) return fail("closed the connection");
        moved_ = clock::now();
        try {
            reader_.feed({buffer.data(), static_cast<std::size_t>(came)});
            while (auto next = reader_.next()) replies_.push_back(std::move(*next));
        } catch (const bad_data& e) {
            return fail(std::string("is not a Redis server: ") + e.what());
        }
        if (static_cast<std::size_t>(came) < buffer.size()) return;
    }
}

void round_trip(std::span<connection* const> all, std::chrono::milliseconds patience) {
    std::vector<pollfd> waiting;
    std::vector<connection*> of;
    for (connection* each : all) {
        each->moved_ = clock::now();
        if (each->failure_.empty()) each->send_some();
    }
    for (;;) {
        waiting.clear();
        of.clear();
        auto soonest = clock::time_point::max();
        for (connection* each : all) {
            if (!each->failure_.empty() || each->done()) continue;
            const bool more = each->has_more();
            waiting.push_back({each->fd_, static_cast<short>(more ? POLLIN | POLLOUT : POLLIN), 0});
            of.push_back(each);
            soonest = std::min(soonest, each->moved_ + patience);
        }
        if (waiting.empty()) return;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(soonest - clock::now());
        const int ready =
            ::poll(waiting.data(), waiting.size(),
                   static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
        for (std::size_t i = 0; i < of.size(); ++i) {
            connection& each = *of[i];
            const auto events = static_cast<unsigned>(waiting[i].revents);
            if (ready > 0 && (events & (POLLIN | POLLHUP | POLLERR)) != 0) each.receive_some();
            if (ready > 0 && each.failure_.empty() && (events & POLLOUT) != 0) each.send_some();
            if (each.failure_.empty() && !each.done() && clock::now() >= each.moved_ + patience) {
                each.fail("did not answer within " + std::to_string(patience.count()) + " ms");
            }
        }
    }
}

} // namespace bloomery::inline v0::redis
