#include <bloomery/error.hpp>
#include <bloomery/format/redis_layers.hpp>

#include "../plan/text.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <string>

namespace bloomery::format {

namespace {

constexpr std::string_view layers_magic = "bloomery";
constexpr std::uint32_t no_filters = 0; // where RedisBloom has how many there are, at least one
constexpr std::uint32_t this_version = 1;
constexpr std::uint64_t native_layer_bytes = 48;

redis_layer read_native_layer(cursor& from) {
    redis_layer layer;
    layer.what.shape.layout = static_cast<layout_kind>(from.little<std::uint8_t>());
    if (from.little<std::uint8_t>() != 0) {
        throw bad_data("the filter is damaged: a field that must be zero is not");
    }
    layer.what.hash = static_cast<hash::hash_id>(from.little<std::uint16_t>());
    layer.what.shape.hash_count = from.little<std::uint32_t>();
    layer.what.seed = from.little<std::uint64_t>();
    layer.what.shape.bit_count = from.little<std::uint64_t>();
    layer.entries = from.little<std::uint64_t>();
    layer.error = from.little_double();
    layer.size = from.little<std::uint64_t>();
    return layer;
}

void require_layer(const redis_layer& layer) {
    const spec& what = layer.what;
    if (static_cast<std::size_t>(what.shape.layout) >= plan::all_layouts.size() ||
        what.kind != filter_kind::bloom || what.scheme != layout::scheme_id::native ||
        (what.hash != hash::hash_id::xxh3_64 && what.hash != hash::hash_id::xxh3_128)) {
        throw unsupported("a layer of the filter has a layout or a hash that filters in Redis do "
                          "not have: those of a plain filter without a secret");
    }
    try {
        plan::check(what.shape);
    } catch (const bad_argument& why) {
        throw bad_data("the filter is damaged: " + std::string(why.what()));
    }
    // Written so that NaN fails too.
    if (layer.entries == 0 || !(layer.error > 0 && layer.error < 1)) {
        throw bad_data("the filter is damaged: a layer has no capacity or no rate");
    }
}

} // namespace

bool looks_like_redis_layers(byte_view bytes) noexcept {
    return bytes.size() >= layers_magic.size() &&
           text_of(bytes.first(layers_magic.size())) == layers_magic;
}

redis_layers_header decode_redis_layers(byte_view bytes, const limits& most) {
    if (!looks_like_redis_layers(bytes)) {
        throw bad_data("this is not a bloomery filter: its first bytes differ");
    }
    cursor from(bytes.subspan(layers_magic.size()));
    if (from.little<std::uint32_t>() != no_filters) {
        throw bad_data("the filter is damaged: its header cannot be read");
    }
    const auto version = from.little<std::uint32_t>();
    if (version != this_version) {
        throw unsupported("the filter has version " + std::to_string(version) +
                          ", and this bloomery reads version 1");
    }
    redis_layers_header header;
    header.growth = from.little<std::uint32_t>();
    const std::uint64_t count = from.little<std::uint32_t>();
    require_left(from.left(), count * native_layer_bytes, "the layers");
    header.layers.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        header.layers.push_back(read_native_layer(from));
    }
    require_consistent(header, most);
    return header;
}

void require_consistent(const redis_layers_header& header, const limits& most) {
    if (header.layers.empty()) {
        throw bad_data("the filter is damaged: it has no layer");
    }
    if (header.layers.size() > most.most_layers) {
        throw memory_refused("the filter has " + plan::counted(header.layers.size(), "layer") +
                             ", more than the limit of " + std::to_string(most.most_layers));
    }
    std::uint64_t bytes = 0;
    std::uint64_t keys = 0;
    const spec& first = header.layers.front().what;
    for (const redis_layer& layer : header.layers) {
        require_layer(layer);
        if (layer.what.hash != first.hash || layer.what.seed != first.seed) {
            throw unsupported("the layers of the filter do not have one hash");
        }
        bytes += layer.what.shape.byte_count(); // each is at most 2^60
        // Counts stay far from where they would wrap around, however long keys are added.
        if (bytes >> 62U != 0 || layer.size >> 61U != 0 || (keys += layer.size) >> 61U != 0) {
            throw bad_data("the filter is damaged: its layers are larger than any memory");
        }
        check_limits(layer.what.shape.hash_count, bytes, most);
    }
}

std::vector<std::byte> encode_redis_layers(std::uint32_t growth,
                                           std::span<const redis_layer> layers) {
    byte_writer to;
    to.put(layers_magic);
    to.little(no_filters);
    to.little(this_version);
    to.little(growth);
    to.little(static_cast<std::uint32_t>(layers.size()));
    for (const redis_layer& layer : layers) {
        to.little(static_cast<std::uint8_t>(layer.what.shape.layout));
        to.little(std::uint8_t{0});
        to.little(static_cast<std::uint16_t>(layer.what.hash));
        to.little(layer.what.shape.hash_count);
        to.little(layer.what.seed);
        to.little(layer.what.shape.bit_count);
        to.little(layer.entries);
        to.little_double(layer.error);
        to.little(layer.size);
    }
    return {to.bytes().begin(), to.bytes().end()};
}

} // namespace bloomery::format
