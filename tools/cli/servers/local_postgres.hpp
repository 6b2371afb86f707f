// A PostgreSQL of one's own: made in a folder, on 127.0.0.1, and ended with the object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bloomery::cli {

/// How such a server is made.
struct local_postgres_options {
    /// Where it lives. Empty: a new folder among the temporary ones, which goes with the object.
    /// Else one that is empty or missing, or was left by another of these; it stays.
    std::filesystem::path folder{};
    std::vector<std::string> settings{}; ///< lines of its configuration, after ours: "fsync = off"
};

/// See above. It has one user with a random password, and no socket but that of its port. The
/// server refuses to be run by root; for root it is run by the user postgres, or else nobody. It
/// dies with the thread that started it if nobody ends it before.
class local_postgres {
public:
    /// Returns when it takes connections, after about a second. Throws unsupported if there is no
    /// PostgreSQL, io_error, store::unavailable with the end of its log if it does not come up.
    explicit local_postgres(local_postgres_options how = {});
    local_postgres(const local_postgres&) = delete;
    local_postgres& operator=(const local_postgres&) = delete;
    ~local_postgres();

    /// How to reach it, with the password: postgresql://...
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return how_.folder; }

    /// Ends it in good order: connections are cut, everything is on the disk. After 10 s as kill9.
    void stop();
    /// Ends all its processes at once, as a crash does.
    void kill9();
    /// Starts it again, with the same data, on the same port. Throws as the constructor.
    void start();
    /// Runs another of PostgreSQL's programs to its end, as the user who runs the server:
    /// pg_resetwal, say, while it is stopped. Throws store::unavailable with what it wrote last if
    /// it fails, io_error.
    void run(const std::string& program, std::vector<std::string> arguments);

private:
    [[nodiscard]] std::filesystem::path data() const { return how_.folder / "data"; }
    [[nodiscard]] std::filesystem::path log() const { return how_.folder / "log"; }
    void make_folder();
    void make_data();
    void make_password();
    void launch();
    [[nodiscard]] bool comes_up();
    [[nodiscard]] bool has_ended(int options) noexcept;
    /// What is left of one that was killed: a little memory that the system keeps.
    void sweep();
    void remove_folder() noexcept;

    local_postgres_options how_;
    bool is_temporary_;
    std::filesystem::path programs_; ///< the folder of initdb and postgres
    std::string password_{};
    std::uint16_t port_ = 0;
    pid_t pid_ = 0;
};

} // namespace bloomery::cli
