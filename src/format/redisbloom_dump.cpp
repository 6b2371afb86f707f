// The header of RedisBloom's SCANDUMP, and its chunks.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_parts.hpp"
#include "redisbloom_header.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint64_t layer_bytes = 53;
constexpr std::uint32_t known_options = 15;
constexpr double ln2 = 0.693147180559945; // with RedisBloom's digits
constexpr double ln2_squared = 0.480453013918201;
// Logarithms may differ in the last bits between machines; random damage is never that close.
constexpr double close = 1e-9;
// For the smallest positive double as the error.
constexpr double most_bits_per_entry = 1550;

[[noreturn]] void disagree(std::string_view what) {
    throw bad_data("the filter is damaged, or not a RedisBloom filter: " + std::string(what) +
                   "; restore it from a copy");
}

bool fits_error(const filter_layer& layer) {
    if (!(layer.error > 0 && layer.error < 1)) { // written so that NaN fails too
        return false;
    }
    const double expected = -std::log(layer.error) / ln2_squared;
    return std::abs(layer.shape.bits_per_entry - expected) <= expected * close;
}

/// The number of bits before rounding up to words; 0 if it is invalid.
std::uint64_t bits_wanted(const filter_layer& layer, std::uint32_t options) {
    const double bits_per_entry = layer.shape.bits_per_entry;
    const auto entries = static_cast<double>(layer.shape.entries);
    if ((options & plan::redisbloom_no_round) != 0 &&
        (options & plan::redisbloom_entries_are_power) == 0) {
        const double wanted = entries * bits_per_entry;
        if (layer.shape.power != 0 || layer.shape.entries == 0 || !(wanted < 0x1p63)) {
            return 0;
        }
        return std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1);
    }
    if (layer.shape.power > 62) {
        return 0;
    }
    // The entries were rounded up to fill the bits. The original number is not stored, so the last
    // rounding step cannot be checked.
    const std::uint64_t wanted = std::uint64_t{1} << layer.shape.power;
    const double room = static_cast<double>(wanted) / bits_per_entry;
    const double slack = 2 + 1 / bits_per_entry + room * close;
    return std::abs(entries - room) <= slack ? wanted : 0;
}

filter_layer read_layer(cursor& from) {
    filter_layer layer;
    plan::redisbloom_layer& shape = layer.shape;
    from.little(shape.byte_count, shape.bit_count, layer.size, layer.error, shape.bits_per_entry,
                shape.hash_count, shape.entries, shape.power);
    return layer;
}

/// Checks that no bit of a key is out of range, and that no key has more bits than RedisBloom would
/// ever use.
void require_safe(const filter_layer& layer) {
    const plan::redisbloom_layer& shape = layer.shape;
    if (!(layer.error > 0 && layer.error < 1)) { // written so that NaN fails too
        disagree("the error rate of a layer is out of range");
    }
    if (!(shape.bits_per_entry > 0 && shape.bits_per_entry <= most_bits_per_entry) ||
        shape.hash_count != std::ceil(ln2 * shape.bits_per_entry)) {
        disagree("the hashes of a layer do not match its bits per key");
    }
    if (shape.byte_count == 0 || shape.byte_count >> 59U != 0 ||
        shape.bit_count != shape.byte_count * 8 || shape.power > 62 ||
        layer.modulus() > shape.bit_count) {
        disagree("the size of a layer is out of range");
    }
}

void require_derived(const filter_layer& layer, std::uint32_t options) {
    if (!fits_error(layer)) {
        disagree("the error rate of a layer is out of range, or does not match its bits per key");
    }
    if (layer.shape.hash_count != std::ceil(ln2 * layer.shape.bits_per_entry)) {
        disagree("the hashes of a layer do not match its error rate");
    }
    const std::uint64_t wanted = bits_wanted(layer, options);
    if (wanted == 0 || layer.shape.bit_count != words_for(wanted) * 64 ||
        layer.shape.byte_count != layer.shape.bit_count / 8) {
        disagree("the size of a layer does not match its error rate and capacity");
    }
    if (layer.size > layer.shape.entries) {
        disagree("a layer has more keys than its capacity");
    }
}

} // namespace

redisbloom_header read_redisbloom_header(cursor& from, const limits& most, redisbloom_trust trust) {
    redisbloom_header header;
    const auto size = from.little<std::uint64_t>();
    const std::uint64_t count = from.little<std::uint32_t>();
    from.little(header.rules.options, header.rules.growth);
    cursor layers(from.take(count * layer_bytes));
    check_layers(count, most);
    header.layers.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        header.layers.push_back(read_layer(layers));
    }
    require_consistent(header, size, most, trust);
    return header;
}

redisbloom_header decode_redisbloom_header(byte_view bytes, const limits& most,
                                           redisbloom_trust trust) {
    cursor from(bytes);
    redisbloom_header header = read_redisbloom_header(from, most, trust);
    require_left(from.left(), 0, "what follows the header");
    return header;
}

void require_consistent(redisbloom_header& header, std::uint64_t size, const limits& most,
                        redisbloom_trust trust) {
    header.rules.most_layers = most.most_layers;
    header.rules.most_new_bytes = most.most_unseen_bytes;
    header.data_bytes = 0;
    if (header.layers.empty()) {
        disagree("it has no layer");
    }
    if ((header.rules.options & ~known_options) != 0) {
        throw unsupported("the filter has options of RedisBloom that this version does not know: " +
                          std::to_string(header.rules.options));
    }
    std::uint64_t sizes = 0;
    // The relation between layers is not checked: older versions tightened the rate differently,
    // and files outlive versions.
    for (const filter_layer& layer : header.layers) {
        if (trust == redisbloom_trust::derived) {
            require_derived(layer, header.rules.options);
        } else {
            require_safe(layer);
        }
        // Far below overflow of the total count, however many keys are added.
        if (layer.size >> 61U != 0 || (sizes += layer.size) >> 61U != 0) {
            disagree("its layers have more keys than the whole filter");
        }
        header.data_bytes += layer.shape.byte_count; // each is at most 2^60
        if (header.data_bytes >> 62U != 0) {
            disagree("its layers are impossibly large");
        }
        check_limits(layer.shape.hash_count, header.data_bytes, most);
    }
    if (size != sizes) {
        disagree("the keys of its layers do not add up to those of the filter");
    }
}

std::vector<std::byte> encode_redisbloom_header(const layer_rules& rules,
                                                std::span<const filter_layer> layers) {
    std::uint64_t size = 0;
    for (const filter_layer& layer : layers) {
        size += layer.size;
    }
    byte_writer to;
    to.little(size, static_cast<std::uint32_t>(layers.size()), rules.options, rules.growth);
    for (const filter_layer& layer : layers) {
        const plan::redisbloom_layer& shape = layer.shape;
        to.little(shape.byte_count, shape.bit_count, layer.size, layer.error, shape.bits_per_entry,
                  shape.hash_count, shape.entries, shape.power);
    }
    return {to.bytes().begin(), to.bytes().end()};
}

namespace {

constexpr std::uint64_t header_iterator = 1;

/// The offset of a chunk's bits within the bits of all layers.
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
            "the chunks of a filter must include exactly one header, the chunk with the iterator "
            "1");
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
            throw bad_data("the chunks do not form a filter: " +
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

} // namespace bloomery::inline v0::format
