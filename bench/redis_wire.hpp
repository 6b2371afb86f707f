// Commands to a Redis on this machine, encoded in advance, so that a benchmark measures the server
// and not its client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery_bench {

/// Commands that go out together.
struct wire_batch {
    std::string bytes{};
    std::size_t commands = 0;
};

/// What came back, as far as a benchmark cares.
struct wire_tally {
    std::uint64_t ones = 0;  ///< integers that are 1
    std::uint64_t zeros = 0; ///< integers that are 0
};

/// Counts the replies in a stream of bytes that comes in pieces. It keeps nothing of them.
class reply_scanner {
public:
    /// So many more replies are owed.
    void expect(std::size_t replies) noexcept { owed_ += replies; }
    [[nodiscard]] bool done() const noexcept { return owed_ == 0 && skip_ == 0; }

    /// O(piece). Throws std::runtime_error with what the server said if a reply is an error.
    void feed(std::string_view piece, wire_tally& seen);

private:
    void line(std::string_view text, wire_tally& seen);

    std::size_t owed_ = 0;  ///< replies, and elements of arrays
    std::size_t skip_ = 0;  ///< bytes of a text that has begun
    std::string partial_{}; ///< a line whose end is to come
};

/// A connection through a unix socket that blocks.
class wire {
public:
    /// Throws std::system_error.
    explicit wire(const std::string& socket_path);
    ~wire();
    wire(wire&& other) noexcept;
    wire(const wire&) = delete;
    wire& operator=(const wire&) = delete;
    wire& operator=(wire&&) = delete;

    void send(std::string_view bytes);
    /// Waits for so many replies.
    void receive(std::size_t replies, wire_tally& seen);
    /// Whether there is something to read.
    [[nodiscard]] bool readable() const;

private:
    int socket_;
    reply_scanner scanner_{};
    std::string buffer_{};
};

/// Sends all batches, each as one write, by turns through all connections, and never waits for one
/// before the next is on its way: with two, the server always has something to do.
wire_tally play(std::span<wire> lanes, std::span<const wire_batch> batches);

} // namespace bloomery_bench
