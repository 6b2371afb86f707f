// A Redis of one's own: started in a folder, on 127.0.0.1, and ended with the object.
#pragma once

#include <bloomery/redis/client.hpp>

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace bloomery::cli {

/// See above. It writes nothing to the disk, knows a random password, and dies with the thread that
/// started it if nobody ends it before.
class local_redis {
public:
    /// Returns when it answers. `folder` is there, and empty of such names as redis.conf. Throws
    /// unsupported if there is no redis-server, io_error, redis::unreachable with the end of its
    /// log if it does not come up.
    explicit local_redis(const std::filesystem::path& folder);
    local_redis(const local_redis&) = delete;
    local_redis& operator=(const local_redis&) = delete;
    ~local_redis();

    /// How to reach it.
    [[nodiscard]] const redis::options& how() const noexcept { return how_; }

private:
    void configure(const std::filesystem::path& folder);
    void launch(const std::string& program, const std::filesystem::path& folder);
    [[nodiscard]] bool comes_up();
    void end() noexcept;

    redis::options how_;
    pid_t pid_ = 0;
};

} // namespace bloomery::cli
