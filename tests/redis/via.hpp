// Clients of the servers that tests start, and keys for them.
#pragma once

#include <bloomery/redis/client.hpp>

#include "redis_cluster.hpp"
#include "redis_server.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

inline redis::options options_for(const redis_server& server) {
    redis::options how;
    how.servers = {{"127.0.0.1", server.port(), {}}};
    how.password = server.password();
    return how;
}

inline redis::options options_for(redis_cluster& cluster) {
    redis::options how;
    how.cluster = true;
    how.servers.clear();
    for (std::size_t i = 0; i < redis_cluster::size; ++i) {
        how.servers.push_back({"127.0.0.1", cluster.node(i).port(), {}});
    }
    return how;
}

template <class Server>
redis::client client_of(Server& server) {
    return redis::client(options_for(server));
}

/// So many keys, which differ from those of another tag.
inline std::vector<std::string> keys_of(std::string_view tag, std::size_t count) {
    std::vector<std::string> keys;
    keys.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(std::string(tag).append(":").append(std::to_string(i)));
    }
    return keys;
}

} // namespace bloomery::testing
