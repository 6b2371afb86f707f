// How RedisBloom and Redisson store a filter in a server.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/format/native.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::format {

// RedisBloom's filters in chunks, as returned by BF.SCANDUMP and accepted by BF.LOADCHUNK.
//
// The format `redisbloom` of format/foreign.hpp is all chunks one after another: the header, then
// the bits of all layers.

/// A chunk. The header has the iterator 1; for bits, the iterator is 1 more than the offset of
/// their end.
struct redisbloom_chunk {
    std::uint64_t iterator;
    byte_view bytes;
};

/// The contents of the chunk with the iterator 1: a stack of layers without its bits.
struct redisbloom_header {
    layer_rules rules;
    std::vector<filter_layer> layers;
    std::uint64_t data_bytes = 0; ///< of all layers
};

/// How strictly a header is checked for consistency.
enum class redisbloom_trust : std::uint8_t {
    derived, ///< every number that follows from others, as BF.RESERVE and growth compute them
    /// What RedisBloom checks when it loads a filter: sizes and numbers of hashes, so that no bit
    /// is out of range. The layers may have any capacity, and consist of whole bytes.
    as_redisbloom,
};

/// Reads only a header. O(layers). Throws bad_data if a number does not follow from the others,
/// unsupported for options that this version does not know, memory_refused beyond a limit.
[[nodiscard]] BLOOMERY_EXPORT redisbloom_header decode_redisbloom_header(
    byte_view bytes, const limits& most = {}, redisbloom_trust trust = redisbloom_trust::derived);

/// The same check for a header from another source, such as an RDB file; `size` is the total number
/// of keys that it claims. Sets data_bytes. O(layers). Throws as above.
BLOOMERY_EXPORT void require_consistent(redisbloom_header& header, std::uint64_t size,
                                        const limits& most, redisbloom_trust trust);

/// Writes a header. O(layers); throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::byte>
encode_redisbloom_header(const layer_rules& rules, std::span<const filter_layer> layers);

/// The maximum bytes that RedisBloom puts into a chunk.
inline constexpr std::uint64_t redisbloom_chunk_bytes = std::uint64_t{16} << 20U;

/// Splits a filter in the format `redisbloom` into chunks: first the header, then its bits, at most
/// `most` bytes each and never across two layers. They point into `encoded`. (The empty chunk with
/// the iterator 0 that ends BF.SCANDUMP is not included.) O(chunks). Throws bad_data, unsupported,
/// memory_refused like the reader of the format, bad_argument if `most` is 0.
[[nodiscard]] BLOOMERY_EXPORT std::vector<redisbloom_chunk>
redisbloom_chunks(byte_view encoded, std::uint64_t most = redisbloom_chunk_bytes,
                  const limits& limit = {});

/// Joins chunks, given in any order; the empty chunk at the end may be included. O(bytes). Throws
/// bad_data if a chunk is missing, duplicated or belongs to another filter, and throws like the
/// reader of the format.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::byte>
redisbloom_joined(std::span<const redisbloom_chunk> chunks, const limits& limit = {});

// What Redisson stores besides the bits of a filter: a Redis hash under a separate key.

/// The fields of that hash by name, as returned by HGETALL.
using redis_fields = std::map<std::string, std::string, std::less<>>;

/// The config of a Redisson filter.
struct BLOOMERY_EXPORT redisson_config {
    std::uint64_t size = 0;
    std::uint32_t hash_iterations = 0;
    std::uint64_t expected_insertions = 0;
    double false_probability = 0;

    /// Reads size, hashIterations, expectedInsertions and falseProbability; other fields are
    /// ignored. O(fields). Throws bad_data if one is missing, not a number or out of range.
    [[nodiscard]] static redisson_config from(const redis_fields& fields);

    /// The same four fields as text for Redisson: decimal, with the rate as Java prints it. O(1);
    /// throws std::bad_alloc.
    [[nodiscard]] redis_fields to_fields() const;

    friend bool operator==(const redisson_config&, const redisson_config&) = default;
};

/// The config that Redisson creates for n keys at the rate p. O(1). Throws bad_argument where
/// Redisson refuses.
[[nodiscard]] BLOOMERY_EXPORT redisson_config redisson_config_for(std::uint64_t n, double p);

/// The key of the config of the filter `name`: `{name}:config`, or `name:config` if the name has a
/// brace, so that both keys are in one slot of a cluster. O(name); throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT std::string redisson_config_key(std::string_view name);

} // namespace bloomery::inline v0::format
