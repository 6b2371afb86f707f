#include <bloomery/error.hpp>
#include <bloomery/format/redisbloom.hpp>

#include "foreign_parts.hpp"
#include "redisbloom_header.hpp"

#include <algorithm>
#include <string>

namespace bloomery::format {

namespace {

constexpr std::uint64_t header_iterator = 1;

/// Where the bits of a chunk begin, among those of all layers.
std::uint64_t offset_of(const redisbloom_chunk& chunk) {
    if (chunk.bytes.empty() || chunk.iterator < chunk.bytes.size() + 1) {
        throw bad_data("a chunk of " + in_bytes(chunk.bytes.size()) + " cannot have the iterator " +
                       std::to_string(chunk.iterator) +
                       "; give each chunk with the iterator that BF.SCANDUMP returned with it");
    }
    return chunk.iterator - chunk.bytes.size() - 1;
}

const redisbloom_chunk& header_among(std::span<const redisbloom_chunk> chunks) {
    const auto is_header = [](const auto& one) { return one.iterator == header_iterator; };
    if (std::ranges::count_if(chunks, is_header) != 1) {
        throw bad_data(
            "the chunks of a filter include one header, the chunk with the iterator 1; these "
            "have none, or several");
    }
    return *std::ranges::find_if(chunks, is_header);
}

/// The chunks of bits, by their offsets.
std::vector<redisbloom_chunk> sorted_bits(std::span<const redisbloom_chunk> chunks) {
    std::vector<redisbloom_chunk> bits;
    for (const redisbloom_chunk& one : chunks) {
        const bool is_end = one.iterator == 0 && one.bytes.empty();
        if (one.iterator != header_iterator && !is_end) {
            bits.push_back(one);
        }
    }
    std::ranges::sort(bits, {}, offset_of);
    return bits;
}

} // namespace

std::vector<redisbloom_chunk> redisbloom_chunks(byte_view encoded, std::uint64_t most,
                                                const limits& limit) {
    if (most == 0) {
        throw bad_argument("a chunk has at least one byte");
    }
    cursor from(encoded);
    const redisbloom_header header = read_redisbloom_header(from, limit);
    require_left(from.left(), header.data_bytes, "the bits of its layers");
    std::vector<redisbloom_chunk> chunks{
        {header_iterator, encoded.first(encoded.size() - from.rest().size())}};
    std::uint64_t iterator = header_iterator;
    for (const filter_layer& layer : header.layers) {
        for (std::uint64_t left = layer.shape.byte_count; left != 0;) {
            const std::uint64_t size = std::min(left, most);
            left -= size;
            iterator += size;
            chunks.push_back({iterator, from.take(size)});
        }
    }
    return chunks;
}

std::vector<std::byte> redisbloom_joined(std::span<const redisbloom_chunk> chunks,
                                         const limits& limit) {
    const byte_view header = header_among(chunks).bytes;
    cursor from(header);
    const std::uint64_t data_bytes = read_redisbloom_header(from, limit).data_bytes;
    require_left(from.left(), 0, "what follows the header in its chunk");
    const std::vector<redisbloom_chunk> bits = sorted_bits(chunks);
    std::uint64_t reached = 0;
    for (const redisbloom_chunk& one : bits) {
        const std::uint64_t offset = offset_of(one);
        if (offset != reached) {
            throw bad_data("the chunks do not make a filter: " +
                           std::string(offset > reached ? "one is missing at" : "two overlap at") +
                           " the offset " + std::to_string(std::min(offset, reached)));
        }
        reached += one.bytes.size();
    }
    require_left(reached, data_bytes, "the chunks of its bits");
    std::vector<std::byte> joined(header.begin(), header.end());
    joined.reserve(header.size() + data_bytes);
    for (const redisbloom_chunk& one : bits) {
        joined.insert(joined.end(), one.bytes.begin(), one.bytes.end());
    }
    return joined;
}

} // namespace bloomery::format
