// RedisBloom's filters in pieces: what BF.SCANDUMP hands out and BF.LOADCHUNK takes.
//
// The format `redisbloom` of format/foreign.hpp is all of them one after another: the header, then
// the bits of all layers.
#pragma once

#include <bloomery/filter/layered.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/key/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::format {

/// A piece as BF.SCANDUMP returns it and BF.LOADCHUNK takes it. The header has the iterator 1;
/// bits, the iterator 1 more than the offset of their end.
struct redisbloom_chunk {
    std::uint64_t iterator;
    byte_view bytes;
};

/// What the piece with the iterator 1 says: a stack of layers without its bits.
struct redisbloom_header {
    layer_rules rules;
    std::vector<filter_layer> layers;
    std::uint64_t data_bytes = 0; ///< of all layers
};

/// How much of a header is compared with itself.
enum class redisbloom_trust : std::uint8_t {
    derived, ///< every number that follows from others, as BF.RESERVE and growth compute them
    /// What RedisBloom compares when it loads a filter: sizes and numbers of hashes, so that no bit
    /// lies outside. The layers may be for any number of keys, and have whole bytes.
    as_redisbloom,
};

/// Reads a header and nothing behind it. O(layers). Throws bad_data where a number does not follow
/// from the others, unsupported for options that this version does not know, memory_refused past a
/// limit.
[[nodiscard]] redisbloom_header
decode_redisbloom_header(byte_view bytes, const limits& most = {},
                         redisbloom_trust trust = redisbloom_trust::derived);

/// The same for a header whose numbers came another way, such as an RDB file; `size` is how many
/// keys it says are in all layers. Sets its data_bytes. O(layers). Throws as above.
void require_consistent(redisbloom_header& header, std::uint64_t size, const limits& most,
                        redisbloom_trust trust);

/// Writes one. O(layers); throws std::bad_alloc.
[[nodiscard]] std::vector<std::byte> encode_redisbloom_header(const layer_rules& rules,
                                                              std::span<const filter_layer> layers);

/// The most bytes that RedisBloom puts into a piece.
inline constexpr std::uint64_t redisbloom_chunk_bytes = std::uint64_t{16} << 20U;

/// Cuts a filter of the format `redisbloom` into pieces: the header first, then its bits, at most
/// `most` bytes each and never across two layers. They point into `encoded`. (BF.SCANDUMP ends with
/// an empty one with the iterator 0, which is not among them.) O(pieces). Throws bad_data,
/// unsupported, memory_refused as the reader of the format, bad_argument if `most` is 0.
[[nodiscard]] std::vector<redisbloom_chunk>
redisbloom_chunks(byte_view encoded, std::uint64_t most = redisbloom_chunk_bytes,
                  const limits& limit = {});

/// Puts pieces together again, in whatever order they are given; the empty one at the end may be
/// among them. O(bytes). Throws bad_data if one is missing, twice there, or of another filter, and
/// as the reader of the format.
[[nodiscard]] std::vector<std::byte> redisbloom_joined(std::span<const redisbloom_chunk> chunks,
                                                       const limits& limit = {});

} // namespace bloomery::format
