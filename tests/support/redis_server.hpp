// A real Redis server in a folder of its own, which ends with the test.
#pragma once

#include "temporary_folder.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct redisContext;

namespace bloomery::testing {

/// What a server answered, read by hiredis and not by our own client.
struct redis_value {
    enum class type { nil, status, error, integer, text, array };

    type is = type::nil;
    std::int64_t integer = 0;
    std::string text{}; ///< of a status, an error, a text
    std::vector<redis_value> elements{};

    [[nodiscard]] bool is_error() const { return is == type::error; }
    /// The texts of an array.
    [[nodiscard]] std::vector<std::string> texts() const;
};

/// How a server is started.
struct redis_settings {
    std::vector<std::string> lines{}; ///< of its configuration, after ours
    std::string password{};
    bool cluster = false;
};

/// See above. Start it from a thread that outlives it, such as the test's: the server is killed
/// when the thread that started it ends, so that none is left behind by a test that dies. The other
/// calls may come from any thread.
class redis_server {
public:
    /// Returns when it answers. Throws std::runtime_error with its log if it never does.
    explicit redis_server(redis_settings how = {});
    redis_server(const redis_server&) = delete;
    redis_server& operator=(const redis_server&) = delete;
    ~redis_server();

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] std::filesystem::path socket() const { return folder_ / "socket"; }
    [[nodiscard]] const std::string& password() const noexcept { return how_.password; }
    [[nodiscard]] bool is_running() const noexcept { return pid_ > 0; }

    /// Ends it at once, as a crash does; what it wrote to its files stays.
    void kill9();
    /// Ends it as its operator would: SIGTERM, and SIGKILL after 5 s.
    void stop();
    /// Starts it again, in the same folder and on the same port. Returns when it answers.
    void start();
    /// It keeps its connections and answers nobody.
    void pause();
    void resume();

    /// Runs a command. Throws std::runtime_error if it gets no answer; an error of the server is an
    /// answer.
    redis_value command(const std::vector<std::string>& words);
    /// The same for commands that must succeed. Throws what the server said.
    redis_value run(const std::vector<std::string>& words);
    /// A field of INFO or CLUSTER INFO; empty if there is none.
    std::string info(const std::string& section, const std::string& field);
    std::string cluster_info(const std::string& field);

private:
    struct hang_up {
        void operator()(redisContext* connection) const;
    };

    void write_configuration();
    void launch();
    [[nodiscard]] bool comes_up();
    [[nodiscard]] bool has_ended(int options);
    void connect();

    redis_settings how_;
    temporary_folder folder_;
    std::uint16_t port_ = 0;
    pid_t pid_ = 0;
    std::mutex one_at_a_time_;
    std::unique_ptr<redisContext, hang_up> connection_;
};

/// The field of a text of lines FIELD:VALUE.
std::string field_of(const std::string& lines, const std::string& field);

/// A port of 127.0.0.1 that nobody uses; with `bus`, port + 10000 is free too. Both are below those
/// that the system takes for outgoing connections: a client that tries to reach a dead server could
/// otherwise be given the server's own port.
std::uint16_t free_port(bool bus = false);

} // namespace bloomery::testing
