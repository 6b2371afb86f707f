// One connection to one server: what goes out, what is owed, what came.
#pragma once

#include <bloomery/redis/options.hpp>
#include <bloomery/redis/reply.hpp>

#include "reply_reader.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::redis {

using clock = std::chrono::steady_clock;

/// A socket that was connected, and the answers that are to come through it.
class connection {
public:
    /// Connects, and says who we are and which database we mean. Throws unreachable, refused.
    connection(endpoint to, const options& how);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();

    [[nodiscard]] const endpoint& where() const noexcept { return where_; }

    /// Adds a command, which must stay where it is until the round trip is over. Nothing is sent
    /// yet. Throws std::bad_alloc.
    void queue(std::string_view command) {
        outgoing_.push_back(command);
        queued_ += command.size();
    }
    /// How many bytes were queued, and how many are sent, since the last `begin`. O(1).
    [[nodiscard]] std::uint64_t queued() const noexcept { return queued_; }
    [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }

    /// Forgets the counts and replies of what was before.
    void begin() noexcept;

    [[nodiscard]] std::vector<reply>& replies() noexcept { return replies_; }
    [[nodiscard]] bool done() const noexcept { return replies_.size() >= outgoing_.size(); }

    /// Why it is of no more use; empty as long as it is.
    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// Whether nothing waits to be read: on an idle one, something means that it was closed.
    [[nodiscard]] bool is_quiet() const noexcept;

private:
    friend void round_trip(std::span<connection* const> all, std::chrono::milliseconds patience);

    [[nodiscard]] bool has_more() const noexcept { return next_ < outgoing_.size(); }
    void send_some();
    void advance(std::size_t bytes) noexcept;
    void receive_some();
    void fail(std::string why);

    endpoint where_;
    int fd_ = -1;
    std::vector<std::string_view> outgoing_; ///< commands, each of which is owed a reply
    std::size_t next_ = 0;                   ///< the first that is not sent whole
    std::size_t part_ = 0;                   ///< how much of it is
    std::uint64_t queued_ = 0;
    std::uint64_t sent_ = 0;
    std::vector<reply> replies_;
    reply_reader reader_;
    std::string failure_;
    clock::time_point moved_{}; ///< when the last byte went in or out
};

/// Sends what is queued on all of them and reads what is owed, at the same time, until each is done
/// or has failed; one that makes no progress for so long has. Throws std::bad_alloc.
void round_trip(std::span<connection* const> all, std::chrono::milliseconds patience);

} // namespace bloomery::redis
