// How long one command on a large filter blocks all other clients of a Redis.
#pragma once

#include <bloomery/redis/client.hpp>

#include <cstdint>
#include <string>

namespace bloomery_bench {

/// Prints, for a filter of so many keys at 1 %, how long BF.RESERVE, each BF.LOADCHUNK that fills
/// it, a BF.SCANDUMP and an UNLINK took by the server's SLOWLOG, and the longest PING of another
/// connection meanwhile. The filter is made, filled and dropped `times` times over.
void print_stalls(const std::string& socket_path, std::uint64_t capacity, int times);

/// The socket of that path, for commands that nobody times.
[[nodiscard]] bloomery::redis::client connect(const std::string& socket_path);

} // namespace bloomery_bench
