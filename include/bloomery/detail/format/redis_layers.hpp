// Native filters in Redis, in pieces: what our module's BF.SCANDUMP returns and its BF.LOADCHUNK
// accepts for layouts that RedisBloom's format (format/redis.hpp) does not have.
// The header comes first, with the iterator 1; then the bits of all layers, as in RedisBloom's
// format. Its first bytes make RedisBloom refuse it.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/format/native.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::inline v0::format {

/// One layer of a filter that may grow by adding more.
struct redis_layer {
    bloomery::spec what;       ///< a plain filter with a native layout and a hash without secret
    std::uint64_t entries = 0; ///< its capacity, before the next layer is added
    double error = 0;          ///< the rate that it was made for
    std::uint64_t size = 0;    ///< the number of its keys

    [[nodiscard]] std::uint64_t capacity() const noexcept { return entries; }
    [[nodiscard]] const plan::shape& places() const noexcept { return what.shape; }
    friend bool operator==(const redis_layer&, const redis_layer&) = default;
};

/// A stack of them without its bits, the oldest first.
struct redis_layers_header {
    std::uint32_t growth = 2; ///< the capacity of a layer relative to the one below; 0: no growth
    std::vector<redis_layer> layers;
};

/// Whether the bytes begin like such a header. O(1), never throws.
[[nodiscard]] BLOOMERY_EXPORT bool looks_like_redis_layers(byte_view bytes) noexcept;

/// Reads only a header. O(layers). Throws bad_data if it is not one, unsupported for a later
/// version and for layouts and hashes other than those above, memory_refused beyond a limit.
[[nodiscard]] BLOOMERY_EXPORT redis_layers_header decode_redis_layers(byte_view bytes,
                                                                      const limits& most = {});

/// Refuses layers that no filter has, like decode_redis_layers. O(layers).
BLOOMERY_EXPORT void require_consistent(const redis_layers_header& header, const limits& most);

/// Writes a header. O(layers); throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::byte>
encode_redis_layers(std::uint32_t growth, std::span<const redis_layer> layers);

} // namespace bloomery::inline v0::format
