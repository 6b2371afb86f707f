// The header of RedisBloom's SCANDUMP: a stack of layers without its bits.
#pragma once

#include <bloomery/filter/layered.hpp>
#include <bloomery/format/limits.hpp>

#include "cursor.hpp"

#include <cstdint>
#include <vector>

namespace bloomery::format {

/// What a header says, after it was compared with itself.
struct redisbloom_header {
    layer_rules rules;
    std::vector<filter_layer> layers;
    std::uint64_t data_bytes = 0; ///< of all layers
};

/// Reads a header. O(layers). Throws bad_data where a number does not follow from the others,
/// unsupported for options that this version does not know, memory_refused past a limit.
[[nodiscard]] redisbloom_header read_redisbloom_header(cursor& from, const limits& most);

/// Writes one. O(layers); throws std::bad_alloc.
void write_redisbloom_header(byte_writer& to, const layer_stack& of);

} // namespace bloomery::format
