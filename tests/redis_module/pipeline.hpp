// A client that sends many commands before it reads a reply.
#pragma once

#include "redis_server.hpp"

#include <hiredis/hiredis.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {

/// See above.
class pipeline {
public:
    /// Throws std::runtime_error if there is no connection.
    explicit pipeline(const redis_server& to)
        : connection_(redisConnectUnix(to.socket().c_str()), redisFree) {
        if (!connection_ || connection_->err != 0) throw std::runtime_error("no connection");
    }

    void send(const std::vector<std::string>& command) {
        std::vector<const char*> starts;
        std::vector<std::size_t> lengths;
        for (const std::string& word : command) {
            starts.push_back(word.data());
            lengths.push_back(word.size());
        }
        redisAppendCommandArgv(connection_.get(), static_cast<int>(command.size()), starts.data(),
                               lengths.data());
    }

    enum class reply { none, error, other };

    /// What came next; `none` if the server hung up.
    reply next() {
        void* read = nullptr;
        if (redisGetReply(connection_.get(), &read) != REDIS_OK) return reply::none;
        const bool is_error = static_cast<redisReply*>(read)->type == REDIS_REPLY_ERROR;
        freeReplyObject(read);
        return is_error ? reply::error : reply::other;
    }

private:
    std::unique_ptr<redisContext, void (*)(redisContext*)> connection_;
};

} // namespace bloomery::testing
