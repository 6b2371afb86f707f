// A client of one Redis server or of a cluster, how to reach it, and what can go wrong.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/redis/reply.hpp>
#include <bloomery/detail/redis/request.hpp>
#include <bloomery/error.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::inline v0::redis {

// How to reach a Redis server or a cluster.

/// Where a server listens.
struct BLOOMERY_EXPORT endpoint {
    std::string host = "127.0.0.1";
    std::uint16_t port = 6379;
    std::string socket{}; ///< the path of a unix socket, instead of the two above

    /// "127.0.0.1:6379", "[::1]:6379", or the path. O(1); throws std::bad_alloc.
    [[nodiscard]] std::string text() const;
    friend auto operator<=>(const endpoint&, const endpoint&) = default;
};

/// The options of a client.
struct options {
    std::vector<endpoint> servers{{}}; ///< one; for a cluster, some of its servers
    bool cluster = false;
    std::string user{}; ///< ACL user; the default user if empty
    std::string password{};
    unsigned database = 0;
    std::chrono::milliseconds connect_timeout{2'000};
    std::chrono::milliseconds answer_timeout{5'000}; ///< without a byte of a reply
    /// How long a call keeps retrying while servers are down, fail over or move slots.
    std::chrono::milliseconds patience{30'000};
    std::size_t most_connections = 16; ///< per server; further threads wait
};

/// Reads redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] or unix://[[USER]:PASSWORD@]PATH[?db=N];
/// omitted parts have the defaults above, and %41 is A. O(text). Throws bad_argument that says what
/// is wrong; also for rediss:// (TLS), which the client library in Debian 12 does not support.
[[nodiscard]] BLOOMERY_EXPORT options parse_url(std::string_view url);

/// The same for a cluster: one URL, or several separated by commas, with equal users, passwords and
/// databases. A cluster only has database 0.
[[nodiscard]] BLOOMERY_EXPORT options parse_cluster_urls(std::string_view urls);

// Errors of Redis calls.

/// The base class of all Redis errors.
class BLOOMERY_EXPORT redis_error : public error {
public:
    using error::error;
};

/// No server answered: it is down, too slow, or the connection was lost.
class BLOOMERY_EXPORT unreachable : public redis_error {
public:
    using redis_error::redis_error;
};

/// The server answered with an error: wrong password, out of memory, a key of another type.
class BLOOMERY_EXPORT refused : public redis_error {
public:
    using redis_error::redis_error;
};

/// The filter does not exist, or no longer exists.
class BLOOMERY_EXPORT no_such_filter : public redis_error {
public:
    using redis_error::redis_error;
};

/// A filter of that name already exists.
class BLOOMERY_EXPORT already_exists : public redis_error {
public:
    using redis_error::redis_error;
};

/// A part of the filter is missing, as after an eviction: it would deny keys that were inserted.
class BLOOMERY_EXPORT data_lost : public redis_error {
public:
    using redis_error::redis_error;
};

/// An insert of many keys that did not complete. Keys whose bit is set are stored, on as many
/// replicas as requested; the state of the others is unknown. Inserting them again is harmless.
class partly_stored : public unreachable {
public:
    partly_stored(const std::string& sentence, bitmap stored)
        : unreachable(sentence), stored_(std::move(stored)) {}

    /// One bit per key of the call. O(1).
    [[nodiscard]] const bitmap& stored() const noexcept { return stored_; }

private:
    bitmap stored_;
};

// A thread-safe client for one Redis server or a cluster.
//
// It keeps a few connections to each server, pipelines commands, follows the slots of a cluster,
// and reconnects when a server has gone away.

/// The outcome of a request.
struct answer {
    bool arrived = false;  ///< the server answered, perhaps with an error
    bool repeated = false; ///< it was sent again after an answer was lost: it may have run twice
    redis::reply reply{};
    std::string failure{}; ///< why there is no answer, without a full stop
};

/// A client. Copies share the connections. Thread-safe.
class BLOOMERY_EXPORT client {
public:
    /// Connects to the server, or to the first server of the cluster that answers. Throws
    /// unreachable, refused (wrong password), bad_argument.
    explicit client(options how);

    /// Sends all requests, each to the server of its slot, and waits for all answers: one round
    /// trip, unless servers are down or slots have moved. With `replicas`, a write counts as
    /// answered only when that many replicas have it (WAIT). Never throws because of a server: an
    /// answer that did not arrive within `patience` says so. Requests to one server are executed in
    /// order, unless some had to be sent again.
    [[nodiscard]] std::vector<answer> exchange(std::span<const request> all, unsigned replicas = 0);

    /// The same for one request, or for a few that must all succeed. Throws unreachable, or refused
    /// with the server's error.
    reply run(const request& one);
    std::vector<reply> run(std::span<const request> all);

    [[nodiscard]] const options& how() const noexcept;
    /// The current masters, sorted; one for a single server. O(slots). No network access.
    [[nodiscard]] std::vector<endpoint> masters() const;
    /// The current master of a slot. No network access.
    [[nodiscard]] endpoint master_of(std::uint16_t slot) const;

private:
    class impl;
    std::shared_ptr<impl> impl_;
};

} // namespace bloomery::inline v0::redis
