// Parses a server's bytes: hiredis reads the protocol and creates our replies directly.
#pragma once

#include <bloomery/detail/redis/reply.hpp>

#include <memory>
#include <optional>
#include <string_view>

struct redisReader;

namespace bloomery::inline v0::redis {

/// Reads one stream of replies. Unusable after a failure.
class reply_reader {
public:
    reply_reader();

    /// Adds bytes. Throws std::bad_alloc.
    void feed(std::string_view bytes);

    /// The next reply, or nothing while it is incomplete. Throws bad_data for invalid bytes, or a
    /// reply with more elements than any expected answer.
    [[nodiscard]] std::optional<reply> next();

private:
    struct deleter {
        void operator()(redisReader* of) const noexcept;
    };
    std::unique_ptr<redisReader, deleter> reader_;
};

} // namespace bloomery::inline v0::redis
