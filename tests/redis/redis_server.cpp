// How tests/support/redis_server.hpp starts, queries and stops a server.
#include "redis_server.hpp"

#include "wait.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <signal.h> // NOLINT: kill is POSIX's
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

/// Debian packs the server as redis-check-rdb too: it is what it is called.
std::string server_program() {
    const char* const path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
    for (const char* const name : {"redis-server", "redis-check-rdb"}) {
        std::istringstream folders(path != nullptr ? path : "/usr/bin");
        for (std::string folder; std::getline(folders, folder, ':');) {
            const std::string program = folder + '/' + name;
            if (::access(program.c_str(), X_OK) == 0) return program;
        }
    }
    throw std::runtime_error("no redis-server on PATH: install redis-tools or redis-server");
}

bool is_free(std::uint16_t port) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) throw std::runtime_error("cannot open a socket to look for a free port");
    const int on = 1; // as the server does: what old connections left does not count
    ::setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
    ::close(probe);
    return bound;
}

/// Of the child, between fork and exec: nothing here may take a lock.
[[noreturn]] void become_server(const char* program, const char* configuration,
                                char* const* environment, int log, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::close(STDIN_FILENO);
    // Sockets of the test that stayed open here would never seem closed to those at the other end.
    ::close_range(3, ~0U, 0);
    ::execle(program, "redis-server", configuration, static_cast<char*>(nullptr), environment);
    ::_exit(127);
}

/// Ours, and for a module that was built with AddressSanitizer its library, which has to come
/// first.
std::vector<std::string> server_environment() {
    std::vector<std::string> all;
    for (char* const* one = environ; *one != nullptr; ++one) all.emplace_back(*one);
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (const char* const library = std::getenv("BLOOMERY_SERVER_PRELOAD")) {
        all.push_back("LD_PRELOAD=" + std::string(library));
        // The server frees nothing when it ends. It takes more memory than there is as an answer.
        all.emplace_back("ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1");
    }
    return all;
}

redis_value value_of(const redisReply& from) {
    redis_value made;
    made.integer = from.integer;
    if (from.str != nullptr) made.text.assign(from.str, static_cast<std::size_t>(from.len));
    switch (from.type) {
    case REDIS_REPLY_STATUS:
        made.is = redis_value::type::status;
        break;
    case REDIS_REPLY_ERROR:
        made.is = redis_value::type::error;
        break;
    case REDIS_REPLY_INTEGER:
        made.is = redis_value::type::integer;
        break;
    case REDIS_REPLY_STRING:
        made.is = redis_value::type::text;
        break;
    case REDIS_REPLY_ARRAY:
        made.is = redis_value::type::array;
        for (std::size_t i = 0; i < from.elements; ++i) {
            made.elements.push_back(value_of(*from.element[i]));
        }
        break;
    default:
        break;
    }
    return made;
}

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

std::uint16_t free_port(bool bus) {
    std::random_device random;
    std::uniform_int_distribution<int> ports(11'000, 20'999);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const int port = ports(random);
        if (is_free(static_cast<std::uint16_t>(port)) &&
            (!bus || is_free(static_cast<std::uint16_t>(port + 10'000)))) {
            return static_cast<std::uint16_t>(port);
        }
    }
    throw std::runtime_error("no port on 127.0.0.1 is free");
}

std::string field_of(const std::string& lines, const std::string& field) {
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.starts_with(field + ':')) return line.substr(field.size() + 1);
    }
    return "";
}

std::vector<std::string> redis_value::texts() const {
    std::vector<std::string> all;
    all.reserve(elements.size());
    for (const redis_value& one : elements) all.push_back(one.text);
    return all;
}

redis_server::redis_server(redis_settings how) : how_(std::move(how)) {
    for (int attempt = 0; attempt < 5; ++attempt) {
        port_ = free_port(how_.cluster);
        write_configuration();
        launch();
        if (comes_up()) return;
        stop(); // somebody else took the port meanwhile
    }
    throw std::runtime_error("redis-server does not come up:\n" + text_of_file(folder_ / "log"));
}

redis_server::~redis_server() { stop(); }

void redis_server::write_configuration() {
    std::ofstream file(folder_ / "redis.conf");
    file << "bind 127.0.0.1\nport " << port_ << "\nunixsocket " << socket().string() << "\ndir "
         << folder_.path().string() << "\nsave \"\"\nappendonly no\nshutdown-timeout 0\n"
         << "repl-diskless-sync-delay 0\nenable-debug-command yes\n";
    if (how_.cluster) file << "cluster-enabled yes\n";
    if (!how_.password.empty()) file << "requirepass " << how_.password << '\n';
    for (const std::string& line : how_.lines) file << line << '\n';
}

void redis_server::launch() {
    const std::string program = server_program();
    const std::string configuration = (folder_ / "redis.conf").string();
    const int log = ::open((folder_ / "log").c_str(), // NOLINT: open is variadic
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) throw std::runtime_error("cannot create the log file of redis-server");
    std::vector<std::string> variables = server_environment();
    std::vector<char*> environment;
    for (std::string& one : variables) environment.push_back(one.data());
    environment.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        become_server(program.c_str(), configuration.c_str(), environment.data(), log, parent);
    }
    ::close(log);
    if (child < 0) throw std::runtime_error("cannot start redis-server: fork failed");
    pid_ = child;
}

/// That it answers, and not another one on the same port.
bool redis_server::comes_up() {
    bool is_up = false;
    (void)comes_true(20s, [&] {
        if (has_ended(WNOHANG)) return true;
        try {
            is_up = info("server", "process_id") == std::to_string(pid_) &&
                    command({"PING"}).text == "PONG";
        } catch (const std::runtime_error&) {
            is_up = false; // not yet
        }
        return is_up;
    });
    return is_up;
}

bool redis_server::has_ended(int options) {
    if (pid_ > 0 && ::waitpid(pid_, nullptr, options) == pid_) pid_ = 0;
    return pid_ == 0;
}

void redis_server::kill9() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    (void)has_ended(0);
}

void redis_server::stop() {
    if (pid_ > 0) {
        ::kill(pid_, SIGTERM);
        ::kill(pid_, SIGCONT);
        if (!comes_true(5s, [this] { return has_ended(WNOHANG); })) kill9();
    }
}

void redis_server::start() {
    launch();
    if (!comes_up()) {
        throw std::runtime_error("redis-server does not come up again:\n" +
                                 text_of_file(folder_ / "log"));
    }
}

void redis_server::pause() { ::kill(pid_, SIGSTOP); }

void redis_server::resume() { ::kill(pid_, SIGCONT); }

void redis_server::hang_up::operator()(redisContext* connection) const { redisFree(connection); }

void redis_server::connect() {
    const timeval patience{10, 0};
    connection_.reset(redisConnectWithTimeout("127.0.0.1", port_, patience));
    if (!connection_ || connection_->err != 0) {
        connection_.reset();
        throw std::runtime_error("no connection to port " + std::to_string(port_));
    }
    redisSetTimeout(connection_.get(), patience);
    if (!how_.password.empty()) {
        freeReplyObject(redisCommand(connection_.get(), "AUTH %s", how_.password.c_str()));
    }
}

redis_value redis_server::command(const std::vector<std::string>& words) {
    const std::lock_guard lock(one_at_a_time_);
    std::vector<const char*> starts;
    std::vector<std::size_t> lengths;
    for (const std::string& word : words) {
        starts.push_back(word.data());
        lengths.push_back(word.size());
    }
    const bool is_old = connection_ != nullptr; // it may have ended with the server before this one
    if (!is_old) connect();
    const auto ask = [&] {
        return static_cast<redisReply*>(redisCommandArgv(
            connection_.get(), static_cast<int>(words.size()), starts.data(), lengths.data()));
    };
    redisReply* answer = ask();
    if (answer == nullptr && is_old) {
        connect();
        answer = ask();
    }
    if (answer == nullptr) {
        connection_.reset();
        throw std::runtime_error("no answer from port " + std::to_string(port_));
    }
    redis_value made = value_of(*answer);
    freeReplyObject(answer);
    return made;
}

redis_value redis_server::run(const std::vector<std::string>& words) {
    redis_value made = command(words);
    if (made.is_error()) throw std::runtime_error(words.at(0) + ": " + made.text);
    return made;
}

std::string redis_server::info(const std::string& section, const std::string& field) {
    return field_of(command({"INFO", section}).text, field);
}

std::string redis_server::cluster_info(const std::string& field) {
    return field_of(command({"CLUSTER", "INFO"}).text, field);
}

} // namespace bloomery::testing
