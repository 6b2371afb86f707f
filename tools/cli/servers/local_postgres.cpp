#include "servers/local_postgres.hpp"

#include <bloomery/error.hpp>
#include <bloomery/guard/store.hpp>

#include "servers/local_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h> // NOLINT: kill is POSIX's
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace bloomery::cli {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

bool has_programs(const fs::path& folder) {
    return ::access((folder / "initdb").c_str(), X_OK) == 0 &&
           ::access((folder / "postgres").c_str(), X_OK) == 0;
}

/// On the path; or where Debian keeps every version, which it puts on no path.
fs::path program_folder() {
    const char* const path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
    std::istringstream folders(path != nullptr ? path : "/usr/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        // A link leads to where its other programs are.
        if (has_programs(folder)) return fs::canonical(fs::path(folder) / "postgres").parent_path();
    }
    fs::path newest;
    int newest_version = 0;
    std::error_code none;
    for (const fs::directory_entry& each : fs::directory_iterator("/usr/lib/postgresql", none)) {
        const int version = std::atoi(each.path().filename().c_str()); // NOLINT: 0 is not a version
        if (version > newest_version && has_programs(each.path() / "bin")) {
            newest = each.path() / "bin";
            newest_version = version;
        }
    }
    if (newest.empty()) {
        throw unsupported("no PostgreSQL server is installed: apt-get install postgresql, or "
                          "give the URL of a running one");
    }
    return newest;
}

/// Who runs the server.
struct account {
    bool is_other = false; ///< than who runs us
    uid_t user = 0;
    gid_t group = 0;
};

account server_account() {
    if (::geteuid() != 0) return {};
    for (const char* const name : {"postgres", "nobody"}) {
        const passwd* const found = ::getpwnam(name); // NOLINT(concurrency-mt-unsafe)
        if (found != nullptr) return {true, found->pw_uid, found->pw_gid};
    }
    throw unsupported("PostgreSQL refuses to run as root, and there is no user postgres or "
                      "nobody: run this as another user");
}

void give(const fs::path& what, const account& to) {
    if (to.is_other && ::chown(what.c_str(), to.user, to.group) != 0) {
        fail(fmt::format("cannot change the owner of {}", what.string()));
    }
}

/// Of the child, between fork and exec: nothing here may take a lock.
[[noreturn]] void become(const char* program, char* const* words, const account& who,
                         const char* folder, int log, pid_t parent) {
    const bool changed = !who.is_other || (::setgroups(0, nullptr) == 0 &&
                                           ::setgid(who.group) == 0 && ::setuid(who.user) == 0);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT); // a change of user takes it back, so after that
    if (!changed || ::getppid() != parent || ::chdir(folder) != 0) ::_exit(1);
    leave_parent(log);
    ::execv(program, words);
    ::_exit(127);
}

pid_t started(const fs::path& program, std::vector<std::string> words, const fs::path& folder,
              const fs::path& log) {
    const account who = server_account();
    const int out = ::open(log.c_str(), // NOLINT: open is variadic
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (out < 0) fail(fmt::format("cannot write {}", log.string()));
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    for (std::string& one : words) list.push_back(one.data());
    list.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) become(program.c_str(), list.data(), who, folder.c_str(), out, parent);
    ::close(out);
    if (child < 0) fail(fmt::format("cannot start {}", program.string()));
    return child;
}

/// A line of postmaster.pid, in which a server describes itself; the first has number 1.
std::string told(const fs::path& data, int line) {
    std::ifstream file(data / "postmaster.pid");
    std::string text;
    for (int i = 0; i < line; ++i) {
        if (!std::getline(file, text)) return "";
    }
    return text;
}

std::vector<pid_t> children_of(pid_t parent) {
    std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", parent));
    std::vector<pid_t> all;
    for (pid_t one = 0; file >> one;) all.push_back(one);
    return all;
}

} // namespace

local_postgres::local_postgres(local_postgres_options how)
    : how_(std::move(how)), is_temporary_(how_.folder.empty()), programs_(program_folder()) {
    make_folder();
    try {
        make_data();
        constexpr int attempts = 5;
        for (int i = 0; i < attempts; ++i) {
            port_ = free_port();
            launch();
            if (comes_up()) return;
            stop(); // somebody else took the port meanwhile
        }
        throw store::unavailable(fmt::format("PostgreSQL does not start: {}", last_line_of(log())));
    } catch (...) {
        stop();
        remove_folder();
        throw;
    }
}

local_postgres::~local_postgres() {
    stop();
    sweep();
    remove_folder();
}

std::string local_postgres::url() const {
    return fmt::format("postgresql://bloomery:{}@127.0.0.1:{}/postgres", password_, port_);
}

void local_postgres::make_folder() {
    if (is_temporary_) {
        std::string name = (fs::temp_directory_path() / "bloomery-postgres-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) fail(fmt::format("cannot create {}", name));
        how_.folder = name;
    } else {
        fs::create_directories(how_.folder);
        how_.folder = fs::canonical(how_.folder); // the server works in it
    }
    give(how_.folder, server_account());
}

void local_postgres::make_data() {
    make_password();
    if (fs::exists(data() / "PG_VERSION")) return;
    run("initdb", {"--pgdata", data().string(), "--username=bloomery", "--encoding=UTF8",
                   "--locale=C", "--auth=scram-sha-256", "--no-sync",
                   fmt::format("--pwfile={}", (how_.folder / "password").string())});
    std::ofstream lines(data() / "postgresql.conf", std::ios::app);
    // No memory that outlives the processes: what they share they share in their folder.
    lines << "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
             "dynamic_shared_memory_type = mmap\nautovacuum_naptime = 1min\n";
    for (const std::string& line : how_.settings) lines << line << '\n';
    if (!lines.flush()) fail(fmt::format("cannot write to {}", data().string()));
}

void local_postgres::make_password() {
    const fs::path file = how_.folder / "password";
    std::ifstream old(file);
    if (std::getline(old, password_) && !password_.empty()) return;
    password_ = random_password();
    std::ofstream made(file);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write); // before it is in there
    made << password_ << '\n';
    if (!made.flush()) fail(fmt::format("cannot write {}", file.string()));
    give(file, server_account());
}

void local_postgres::run(const std::string& program, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program);
    const pid_t child = started(programs_ / program, std::move(arguments), how_.folder, log());
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
        throw store::unavailable(
            fmt::format("{} of PostgreSQL failed: {}", program, last_line_of(log())));
    }
}

void local_postgres::launch() {
    pid_ = started(programs_ / "postgres",
                   {"postgres", "-D", data().string(), "-p", std::to_string(port_)}, how_.folder,
                   log());
}

/// Whether it says that it is ready before it ends.
bool local_postgres::comes_up() {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < deadline) {
        if (has_ended(WNOHANG)) return false;
        const bool is_ours = told(data(), 1) == std::to_string(pid_);
        if (is_ours && told(data(), 8).starts_with("ready")) return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

bool local_postgres::has_ended(int options) noexcept {
    if (pid_ <= 0) return true;
    pid_t found = -1;
    do {
        found = ::waitpid(pid_, nullptr, options);
    } while (found < 0 && errno == EINTR);
    if (found != 0) pid_ = 0; // or it is nobody's child any more
    return pid_ == 0;
}

void local_postgres::stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGINT);
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (!has_ended(WNOHANG)) {
        if (std::chrono::steady_clock::now() >= deadline) {
            kill9();
            return;
        }
        std::this_thread::sleep_for(5ms);
    }
}

void local_postgres::kill9() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGSTOP); // so that the list of its children stays true
    const std::vector<pid_t> children = children_of(pid_);
    ::kill(pid_, SIGKILL);
    for (const pid_t one : children) ::kill(one, SIGKILL);
    (void)has_ended(0);
}

void local_postgres::start() {
    if (pid_ > 0) return;
    constexpr int attempts = 20; // the processes of one that was killed are gone in a moment
    for (int i = 0; i < attempts; ++i) {
        launch();
        if (comes_up()) return;
        stop();
        std::this_thread::sleep_for(50ms);
    }
    throw store::unavailable(fmt::format("PostgreSQL does not restart: {}", last_line_of(log())));
}

void local_postgres::sweep() {
    std::istringstream line(told(data(), 7)); // gone, if it was stopped in good order
    unsigned long key = 0;
    int segment = -1;
    if (line >> key >> segment) ::shmctl(segment, IPC_RMID, nullptr);
}

void local_postgres::remove_folder() noexcept {
    std::error_code ignored;
    if (is_temporary_) fs::remove_all(how_.folder, ignored);
}

} // namespace bloomery::cli
