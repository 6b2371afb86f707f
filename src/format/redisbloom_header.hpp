// The header of RedisBloom's SCANDUMP as the beginning of something longer.
#pragma once

#include <bloomery/format/limits.hpp>
#include <bloomery/format/redisbloom.hpp>

#include "cursor.hpp"

namespace bloomery::format {

/// Reads a header and leaves what follows it. O(layers). Throws as decode_redisbloom_header.
[[nodiscard]] redisbloom_header
read_redisbloom_header(cursor& from, const limits& most,
                       redisbloom_trust trust = redisbloom_trust::derived);

} // namespace bloomery::format
