// Reads the header of RedisBloom's SCANDUMP from the front of longer input.
#pragma once

#include <bloomery/format/native.hpp>
#include <bloomery/format/redis.hpp>

#include "cursor.hpp"

namespace bloomery::inline v0::format {

/// Reads a header and leaves the rest. O(layers). Throws like decode_redisbloom_header.
[[nodiscard]] redisbloom_header
read_redisbloom_header(cursor& from, const limits& most,
                       redisbloom_trust trust = redisbloom_trust::derived);

} // namespace bloomery::inline v0::format
