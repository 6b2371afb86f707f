// Native filters in Redis, in pieces: what our module's BF.SCANDUMP hands out and its BF.LOADCHUNK
// takes where RedisBloom's format (format/redisbloom.hpp) has no word for the layout.
//
// The header goes first, with the iterator 1; then the bits of all layers, as RedisBloom's do. Its
// first bytes are such that RedisBloom refuses it.
#pragma once

#include <bloomery/filter/spec.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/key/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::format {

/// One layer of a filter that may grow by adding more.
struct redis_layer {
    bloomery::spec what;       ///< a plain filter with a native layout and a hash without secret
    std::uint64_t entries = 0; ///< the keys that it takes before the next layer is added
    double error = 0;          ///< the rate that it was made for
    std::uint64_t size = 0;    ///< the keys that it took

    friend bool operator==(const redis_layer&, const redis_layer&) = default;
};

/// A stack of them without its bits, the oldest first.
struct redis_layers_header {
    std::uint32_t growth = 2; ///< a layer takes so many times the keys of the one below; 0: no more
    std::vector<redis_layer> layers;
};

/// Whether the bytes begin as such a header does. O(1), never throws.
[[nodiscard]] bool looks_like_redis_layers(byte_view bytes) noexcept;

/// Reads a header and nothing behind it. O(layers). Throws bad_data if it is none, unsupported for
/// a later version and for layouts and hashes that are none of those above, memory_refused past a
/// limit.
[[nodiscard]] redis_layers_header decode_redis_layers(byte_view bytes, const limits& most = {});

/// Refuses layers that no filter has, as decode_redis_layers does. O(layers).
void require_consistent(const redis_layers_header& header, const limits& most);

/// Writes a header. O(layers); throws std::bad_alloc.
[[nodiscard]] std::vector<std::byte> encode_redis_layers(std::uint32_t growth,
                                                         std::span<const redis_layer> layers);

} // namespace bloomery::format
