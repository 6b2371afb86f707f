#include <bloomery/detail/format/redis_layers.hpp>
#include <bloomery/error.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <string>

namespace bloomery::inline v0::format {

namespace {

constexpr std::string_view layers_magic = "bloomery";
constexpr std::uint32_t no_filters = 0; // where RedisBloom has the number of layers, at least 1
constexpr std::uint32_t this_version = 1;
constexpr std::uint64_t native_layer_bytes = 48;

redis_layer read_native_layer(cursor& from) {
    redis_layer layer;
    layer.what.shape.layout = static_cast<layout_kind>(from.little<std::uint8_t>());
    if (from.little<std::uint8_t>() != 0) {
        throw bad_data("the filter is damaged: a field that must be zero is not");
    }
    layer.what.hash = static_cast<hash::hash_id>(from.little<std::uint16_t>());
    from.little(layer.what.shape.hash_count, layer.what.seed, layer.what.shape.bit_count,
                layer.entries, layer.error, layer.size);
    return layer;
}

void require_layer(const redis_layer& layer) {
    const spec& what = layer.what;
    if (static_cast<std::size_t>(what.shape.layout) >= plan::all_layouts.size() ||
        what.kind != filter_kind::bloom || what.scheme != layout::scheme_id::native ||
        (what.hash != hash::hash_id::xxh3_64 && what.hash != hash::hash_id::xxh3_128)) {
        throw unsupported("a layer of the filter has a layout or hash that is not supported in "
                          "Redis; use a plain filter without a secret");
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
                          ", but this bloomery reads version 1");
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
    check_layers(header.layers.size(), most);
    std::uint64_t bytes = 0;
    std::uint64_t keys = 0;
    const spec& first = header.layers.front().what;
    for (const redis_layer& layer : header.layers) {
        require_layer(layer);
        if (layer.what.hash != first.hash || layer.what.seed != first.seed) {
            throw unsupported("the layers of the filter have different hashes");
        }
        bytes += layer.what.shape.byte_count(); // each is at most 2^60
        // Counts stay far below overflow, however many keys are added.
        if (bytes >> 62U != 0 || layer.size >> 61U != 0 || (keys += layer.size) >> 61U != 0) {
            throw bad_data("the filter is damaged: its layers are impossibly large");
        }
        check_limits(layer.what.shape.hash_count, bytes, most);
    }
}

std::vector<std::byte> encode_redis_layers(std::uint32_t growth,
                                           std::span<const redis_layer> layers) {
    byte_writer to;
    to.put(layers_magic);
    to.little(no_filters, this_version, growth, static_cast<std::uint32_t>(layers.size()));
    for (const redis_layer& layer : layers) {
        const spec& what = layer.what;
        to.little(static_cast<std::uint8_t>(what.shape.layout), std::uint8_t{0},
                  static_cast<std::uint16_t>(what.hash), what.shape.hash_count, what.seed,
                  what.shape.bit_count, layer.entries, layer.error, layer.size);
    }
    return {to.bytes().begin(), to.bytes().end()};
}

} // namespace bloomery::inline v0::format
