// One connection to one server: commands to send, and replies.
#pragma once

#include <bloomery/detail/redis/reply.hpp>
#include <bloomery/redis/client.hpp>

#include "reply_reader.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::redis {

using clock = std::chrono::steady_clock;

/// A connected socket, and the replies that are expected from it.
class connection {
public:
    /// Connects, authenticates and selects the database. Throws unreachable, refused.
    connection(endpoint to, const options& how);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();

    [[nodiscard]] const endpoint& where() const noexcept { return where_; }

    /// Queues a command, which must stay valid until the round trip is over. Nothing is sent yet.
    /// Throws std::bad_alloc.
    void queue(std::string_view command) {
        outgoing_.push_back(command);
        queued_ += command.size();
    }
    /// How many bytes were queued, and how many are sent, since the last `begin`. O(1).
    [[nodiscard]] std::uint64_t queued() const noexcept { return queued_; }
    [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }

    /// Resets the counts and replies.
    void begin() noexcept;

    [[nodiscard]] std::vector<reply>& replies() noexcept { return replies_; }
    [[nodiscard]] bool done() const noexcept { return replies_.size() >= outgoing_.size(); }

    /// Why it can no longer be used; empty while it can.
    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// Whether nothing is waiting to be read: on an idle connection, data means that it was closed.
    [[nodiscard]] bool is_sound() const noexcept;
    /// Forgets the last round trip; false if it has failed or is not over.
    [[nodiscard]] bool rest() noexcept {
        const bool sound = failure_.empty() && done();
        begin();
        return sound;
    }

private:
    friend void round_trip(std::span<connection* const> all, std::chrono::milliseconds patience);

    [[nodiscard]] bool has_more() const noexcept { return next_ < outgoing_.size(); }
    void send_some();
    void advance(std::size_t bytes) noexcept;
    void receive_some();
    void fail(std::string why);

    endpoint where_;
    int fd_ = -1;
    std::vector<std::string_view> outgoing_; ///< commands; each gets a reply
    std::size_t next_ = 0;                   ///< the first that is not completely sent
    std::size_t part_ = 0;                   ///< how much of it is sent
    std::uint64_t queued_ = 0;
    std::uint64_t sent_ = 0;
    std::vector<reply> replies_;
    reply_reader reader_;
    std::string failure_;
    clock::time_point moved_{}; ///< when the last byte went in or out
};

/// Sends the queued commands on all connections and reads the replies at the same time, until each
/// is done or has failed; no progress within the timeout is a failure. Throws std::bad_alloc.
void round_trip(std::span<connection* const> all, std::chrono::milliseconds patience);

} // namespace bloomery::inline v0::redis
