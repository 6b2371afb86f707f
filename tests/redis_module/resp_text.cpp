// How tests/support/resp_text.hpp sends commands and shows replies.
#include "resp_text.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace bloomery::testing {
namespace {

std::string quoted(const std::string& bytes) {
    std::string made = "\"";
    for (const char c : bytes) {
        if (c >= ' ' && c <= '~') {
            made += c;
        } else {
            std::array<char, 5> hex{};
            std::snprintf(hex.data(), hex.size(), "\\x%02x", static_cast<unsigned char>(c));
            made += hex.data();
        }
    }
    return made + '"';
}

} // namespace

resp_client::resp_client(const std::filesystem::path& socket, protocol speaks)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, socket.c_str(), sizeof at.sun_path - 1);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
        throw std::runtime_error("cannot connect to " + socket.string());
    }
    if (speaks == protocol::resp3) (void)ask("HELLO 3");
}

resp_client::~resp_client() { ::close(socket_); }

std::string resp_client::ask(const std::vector<std::string>& words) {
    std::string sent = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) {
        sent.append("$").append(std::to_string(word.size())).append("\r\n");
        sent.append(word).append("\r\n");
    }
    for (std::size_t done = 0; done < sent.size();) {
        const ssize_t n = ::send(socket_, sent.data() + done, sent.size() - done, MSG_NOSIGNAL);
        if (n <= 0) throw std::runtime_error("the server hung up");
        done += static_cast<std::size_t>(n);
    }
    return reply();
}

std::string resp_client::ask(std::string_view words) {
    std::istringstream text{std::string(words)};
    std::vector<std::string> all;
    for (std::string word; text >> word;) all.push_back(word);
    return ask(all);
}

void resp_client::fill() {
    received_.erase(0, read_);
    read_ = 0;
    std::array<char, 1 << 16> buffer{};
    const ssize_t n = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (n <= 0) throw std::runtime_error("the server hung up");
    received_.append(buffer.data(), static_cast<std::size_t>(n));
}

std::string resp_client::line() {
    std::size_t end = 0;
    while ((end = received_.find("\r\n", read_)) == std::string::npos) fill();
    std::string found = received_.substr(read_, end - read_);
    read_ = end + 2;
    return found;
}

std::string resp_client::bytes(std::size_t count) {
    while (received_.size() - read_ < count + 2) fill();
    std::string found = received_.substr(read_, count);
    read_ += count + 2;
    return found;
}

std::string resp_client::reply() {
    const std::string head = line();
    const char type = head.at(0);
    const auto size = [&] { return std::stoll(head.substr(1)); };
    const auto elements = [&](long long count, const char* open, const char* close) {
        std::string all = open;
        for (long long i = 0; i < count; ++i) all += (i == 0 ? "" : " ") + reply();
        return all + close;
    };
    switch (type) {
    case '$':
        return size() < 0 ? "nil" : quoted(bytes(static_cast<std::size_t>(size())));
    case '*':
        return size() < 0 ? "nil" : elements(size(), "[", "]");
    case '~':
        return elements(size(), "[", "]");
    case '%':
        return elements(2 * size(), "{", "}");
    case '_':
        return "nil";
    default: // + - : # , as they are
        return head;
    }
}

} // namespace bloomery::testing
