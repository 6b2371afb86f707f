// Connections to each server.
#pragma once

#include <bloomery/detail/connection_pool.hpp>
#include <bloomery/redis/client.hpp>

#include "connection.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace bloomery::inline v0::redis {

/// Thread-safe. A caller that needs connections to several servers takes them in the order of the
/// servers, so callers cannot deadlock.
class pool {
public:
    using shelf = detail::connection_pool<connection>;

    explicit pool(const options& how) : how_(how) {}

    /// A connection to that server. Throws like connection's constructor, and unreachable if all
    /// are busy until the deadline.
    [[nodiscard]] shelf::lease take(const endpoint& server,
                                    clock::time_point deadline = clock::time_point::max()) {
        std::unique_lock lock(mutex_);
        shelf& here = shelves_.try_emplace(server, how_.most_connections).first->second;
        lock.unlock();
        return here.take(
            deadline, [&] { return std::make_unique<connection>(server, how_); },
            [&] {
                throw unreachable("all connections to Redis at " + server.text() +
                                  " were busy: allow more of them, or share a client among fewer "
                                  "threads");
            });
    }

private:
    const options& how_;
    std::mutex mutex_; ///< of the map
    std::map<endpoint, shelf> shelves_;
};

} // namespace bloomery::inline v0::redis
