// A client of one Redis server or of a cluster, for any number of threads.
//
// It keeps a few connections to each server, sends many commands before it waits for the first
// answer, follows the slots of a cluster where they go, and connects again when a server went away.
#pragma once

#include <bloomery/redis/options.hpp>
#include <bloomery/redis/reply.hpp>
#include <bloomery/redis/request.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bloomery::redis {

/// What became of a request.
struct answer {
    bool arrived = false; ///< the server answered, be it with an error
    bool repeated =
        false; ///< it was sent again after an answer was lost: it may have been done twice
    redis::reply reply{};
    std::string failure{}; ///< why there is no answer, in a sentence without a full stop
};

/// See above. A copy shares the connections. All calls may come from any thread.
class client {
public:
    /// Connects to the server, or to the first of the cluster that answers. Throws unreachable,
    /// refused (a wrong password), bad_argument.
    explicit client(options how);

    /// Sends all requests, each to the server of its slot, and waits for all answers: one round
    /// trip, unless servers are gone or slots have moved. With `replicas`, a write counts as
    /// answered only when so many replicas have it (WAIT). Never throws for a server's sake: what
    /// did not arrive within `patience` says so. Requests to one server are done in their order,
    /// unless some had to be sent again.
    [[nodiscard]] std::vector<answer> exchange(std::span<const request> all, unsigned replicas = 0);

    /// The same for one, or for all of a small number that must succeed. Throws unreachable, or
    /// refused with what the server said.
    reply run(const request& one);
    std::vector<reply> run(std::span<const request> all);

    [[nodiscard]] const options& how() const noexcept;
    /// The masters now, sorted; one for a single server. O(slots). Asks nobody.
    [[nodiscard]] std::vector<endpoint> masters() const;
    /// The master of a slot now. Asks nobody.
    [[nodiscard]] endpoint master_of(std::uint16_t slot) const;

private:
    class body;
    std::shared_ptr<body> body_;
};

} // namespace bloomery::redis
