// How to reach a Redis server or a cluster of them.
#pragma once

#include <bloomery/cxx20.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::redis {

/// Where a server listens.
struct endpoint {
    std::string host = "127.0.0.1";
    std::uint16_t port = 6379;
    std::string socket{}; ///< the path of a unix socket, instead of the two above

    /// "127.0.0.1:6379", "[::1]:6379", or the path. O(1); throws std::bad_alloc.
    [[nodiscard]] std::string text() const;
    friend auto operator<=>(const endpoint&, const endpoint&) = default;
};

/// What a client is told.
struct options {
    std::vector<endpoint> servers{{}}; ///< one; of a cluster some, of which one must answer
    bool cluster = false;
    std::string user{}; ///< of an ACL; the default user if it is empty
    std::string password{};
    unsigned database = 0;
    std::chrono::milliseconds connect_timeout{2'000};
    std::chrono::milliseconds answer_timeout{5'000}; ///< without a byte from a server that owes one
    /// How long a call goes on by itself while servers are gone, fail over or move slots.
    std::chrono::milliseconds patience{30'000};
    std::size_t most_connections = 16; ///< to one server; more threads wait for each other
};

/// Reads redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] or unix://[[USER]:PASSWORD@]PATH[?db=N];
/// what is left out is as above, and %41 is A. O(text). Throws bad_argument that says what is
/// wrong; rediss:// (TLS) too, which the client library of Debian 12 does not have.
[[nodiscard]] options parse_url(std::string_view url);

/// The same for a cluster: one URL, or several with commas between them, whose users, passwords
/// and databases agree. A cluster has database 0 only.
[[nodiscard]] options parse_cluster_urls(std::string_view urls);

} // namespace bloomery::redis
