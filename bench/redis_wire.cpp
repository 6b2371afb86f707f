#include "redis_wire.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace bloomery_bench {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

} // namespace

void reply_scanner::line(std::string_view text, wire_tally& seen) {
    if (text.empty()) throw std::runtime_error("the server sent an empty line");
    std::int64_t number = 0;
    if (text[0] != '+') std::from_chars(text.data() + 1, text.data() + text.size(), number);
    --owed_;
    switch (text[0]) {
    case ':':
        seen.ones += number == 1;
        seen.zeros += number == 0;
        break;
    case '$':
        if (number >= 0) skip_ = static_cast<std::size_t>(number) + 2;
        break;
    case '*':
        if (number > 0) owed_ += static_cast<std::size_t>(number);
        break;
    case '+':
        break;
    default:
        throw std::runtime_error("the server said: " + std::string(text));
    }
}

void reply_scanner::feed(std::string_view piece, wire_tally& seen) {
    while (!piece.empty()) {
        if (skip_ > 0) {
            const std::size_t some = std::min(skip_, piece.size());
            skip_ -= some;
            piece.remove_prefix(some);
            continue;
        }
        const std::size_t end = piece.find('\n');
        if (end == std::string_view::npos) {
            partial_.append(piece);
            return;
        }
        std::string_view text = piece.substr(0, end);
        if (!partial_.empty()) text = partial_.append(text);
        if (text.ends_with('\r')) text.remove_suffix(1);
        line(text, seen);
        partial_.clear();
        piece.remove_prefix(end + 1);
    }
}

wire::wire(const std::string& socket_path)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), buffer_(std::size_t{1} << 18U, 0) {
    if (socket_ < 0) fail("socket");
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (socket_path.size() >= sizeof at.sun_path) {
        ::close(socket_);
        throw std::runtime_error("the path of the socket is too long: " + socket_path);
    }
    socket_path.copy(at.sun_path, socket_path.size());
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
        const int why = errno;
        ::close(socket_);
        throw std::system_error(why, std::generic_category(), socket_path);
    }
}

wire::~wire() {
    if (socket_ >= 0) ::close(socket_);
}

wire::wire(wire&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), scanner_(std::move(other.scanner_)),
      buffer_(std::move(other.buffer_)) {}

void wire::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail("send");
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void wire::receive(std::size_t replies, wire_tally& seen) {
    scanner_.expect(replies);
    while (!scanner_.done()) {
        const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("recv");
        if (got == 0) throw std::runtime_error("the server hung up");
        scanner_.feed({buffer_.data(), static_cast<std::size_t>(got)}, seen);
    }
}

bool wire::readable() const {
    pollfd asked{socket_, POLLIN, 0};
    return ::poll(&asked, 1, 0) > 0;
}

wire_tally play(std::span<wire> lanes, std::span<const wire_batch> batches) {
    wire_tally seen;
    const std::size_t ahead = std::min(lanes.size(), batches.size());
    for (std::size_t i = 0; i < ahead; ++i) lanes[i].send(batches[i].bytes);
    for (std::size_t i = 0; i < batches.size(); ++i) {
        wire& lane = lanes[i % lanes.size()];
        lane.receive(batches[i].commands, seen);
        if (i + ahead < batches.size()) lane.send(batches[i + ahead].bytes);
    }
    return seen;
}

} // namespace bloomery_bench
