// RedisBloom's filters in pieces: what BF.SCANDUMP hands out and BF.LOADCHUNK takes.
//
// The format `redisbloom` of format/foreign.hpp is all of them one after another: the header, then
// the bits of all layers.
#pragma once

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
