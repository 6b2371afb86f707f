#include "servers/local_redis.hpp"

#include <bloomery/error.hpp>
#include <bloomery/redis/client.hpp>

#include "servers/local_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h> // NOLINT: kill is POSIX's
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace bloomery::cli {

namespace {

using namespace std::chrono_literals;

/// Debian packs the server as redis-check-rdb too: it is what it is called.
std::string server_program() {
    const char* const path = std::getenv("PATH");
    for (const char* const name : {"redis-server", "redis-check-rdb"}) {
        std::istringstream folders(path != nullptr ? path : "/usr/bin");
        for (std::string folder; std::getline(folders, folder, ':');) {
            std::string program = folder + '/' + name;
            if (::access(program.c_str(), X_OK) == 0) return program;
        }
    }
    throw unsupported("redis-server is not on the PATH: install it, or give the URL of a running "
                      "server");
}

/// Of the child, between fork and exec: nothing here may take a lock.
[[noreturn]] void become_server(const char* program, const char* configuration, int log,
                                pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    leave_parent(log);
    ::execl(program, "redis-server", configuration, static_cast<char*>(nullptr));
    ::_exit(127);
}

} // namespace

local_redis::local_redis(const std::filesystem::path& folder) {
    const std::string program = server_program();
    how_.password = random_password();
    constexpr int attempts = 5;
    for (int i = 0; i < attempts; ++i) {
        how_.servers = {{"127.0.0.1", free_port(), {}}};
        configure(folder);
        launch(program, folder);
        if (comes_up()) return;
        end();
    }
    throw redis::unreachable(
        fmt::format("redis-server does not start: {}", last_line_of(folder / "redis.log")));
}

local_redis::~local_redis() { end(); }

void local_redis::configure(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "redis.conf";
    std::ofstream lines(file);
    ::chmod(file.c_str(), S_IRUSR | S_IWUSR); // before the password is in it
    lines << "bind 127.0.0.1\nport " << how_.servers.front().port << "\ndir " << folder.string()
          << "\nsave \"\"\nappendonly no\nrequirepass " << how_.password << '\n';
    if (!lines.flush()) fail(fmt::format("cannot write {}", file.string()));
}

void local_redis::launch(const std::string& program, const std::filesystem::path& folder) {
    const std::string configuration = (folder / "redis.conf").string();
    const int log = ::open((folder / "redis.log").c_str(), // NOLINT: open is variadic
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (log < 0) fail("cannot create the log file of redis-server");
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) become_server(program.c_str(), configuration.c_str(), log, parent);
    ::close(log);
    if (child < 0) fail("cannot start redis-server");
    pid_ = child;
}

/// Whether it answers before it ends: with our password, so that it is ours.
bool local_redis::comes_up() {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (std::chrono::steady_clock::now() < deadline) {
        if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
            pid_ = 0;
            return false;
        }
        try {
            redis::client(how_).run(redis::request(1).add("PING"));
            return true;
        } catch (const redis::redis_error&) {
            std::this_thread::sleep_for(10ms);
        }
    }
    return false;
}

void local_redis::end() noexcept {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL); // it has nothing to save
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
}

} // namespace bloomery::cli
