// Bytes of a server to replies: hiredis reads the protocol, and our replies are what it makes.
#pragma once

#include <bloomery/redis/reply.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct redisReader;

namespace bloomery::redis {

/// Reads one stream of replies. After a failure it is of no more use.
class reply_reader {
public:
    reply_reader();

    /// Takes some bytes in. Throws std::bad_alloc.
    void feed(std::string_view bytes);

    /// The next reply, or nothing as long as it is not there whole. Throws bad_data for bytes that
    /// are none, or one with more elements than any answer to us has.
    [[nodiscard]] std::optional<reply> next();

private:
    struct deleter {
        void operator()(redisReader* of) const noexcept;
    };
    std::unique_ptr<redisReader, deleter> reader_;
};

} // namespace bloomery::redis
