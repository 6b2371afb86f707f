#include "redisbloom_object.hpp"

#include <bloomery/error.hpp>
#include <bloomery/format/redis.hpp>

#include "rdb.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace bloomery::redis_module {

namespace {

// When RedisBloom began to save what.
constexpr int version_with_bits = 1;
constexpr int version_with_options = 2;
constexpr int version_with_growth = 4;

format::limits all_redisbloom_layers() {
    return {.largest_filter_bytes = std::numeric_limits<std::uint64_t>::max(),
            .most_hashes = std::numeric_limits<std::uint32_t>::max(),
            .most_layers = std::numeric_limits<std::uint32_t>::max()};
}

/// A layer of an RDB file, the bits of which are appended to `bits`.
filter_layer load_layer(rdb_reader& from, int version, std::vector<server_bytes>& bits) {
    filter_layer layer;
    layer.shape.entries = from.number();
    layer.error = from.real();
    const std::uint64_t hashes = from.number();
    layer.shape.bits_per_entry = from.real();
    std::uint64_t power = 0;
    if (version >= version_with_bits) {
        layer.shape.bit_count = from.number();
        power = from.number();
    } else {
        const double wanted = static_cast<double>(layer.shape.entries) * layer.shape.bits_per_entry;
        layer.shape.bit_count =
            wanted >= 0 && wanted < 0x1p62 ? static_cast<std::uint64_t>(wanted) : 0;
    }
    if (hashes > std::numeric_limits<std::uint32_t>::max() ||
        power > std::numeric_limits<std::uint8_t>::max()) {
        throw bad_data("the filter is damaged: the number of hashes or bits of a layer is out of "
                       "range");
    }
    layer.shape.hash_count = static_cast<std::uint32_t>(hashes);
    layer.shape.power = static_cast<std::uint8_t>(power);
    bits.push_back(from.bytes());
    layer.shape.byte_count = bits.back().size();
    layer.size = from.number();
    return layer;
}

} // namespace

std::vector<std::byte> redisbloom_kind::encode(const rules& by, std::span<const facts> all) {
    return format::encode_redisbloom_header(by, all);
}

std::pair<layer_rules, std::vector<filter_layer>> redisbloom_kind::decode(byte_view header) {
    format::redisbloom_header read = format::decode_redisbloom_header(
        header, all_redisbloom_layers(), format::redisbloom_trust::as_redisbloom);
    return {read.rules, std::move(read.layers)};
}

std::pair<layer_rules, server_list<redisbloom_kind::layer>> redisbloom_kind::load(stream* from,
                                                                                  int version) {
    if (version > version_with_growth) {
        throw unsupported("the filter was saved by a newer version of the module");
    }
    rdb_reader reader(from);
    const std::uint64_t size = reader.number();
    const std::uint64_t count = reader.number();
    format::redisbloom_header header;
    header.rules.options = 0;
    const std::uint64_t options = version >= version_with_options ? reader.number() : 0;
    const std::uint64_t growth = version >= version_with_growth ? reader.number() : 2;
    if (options > UINT32_MAX || growth > UINT32_MAX) {
        throw bad_data("the filter is damaged: its options or its growth factor are invalid");
    }
    header.rules.options = static_cast<std::uint32_t>(options);
    header.rules.growth = static_cast<std::uint32_t>(growth);
    // Nothing is allocated for layers that only a number promises.
    std::vector<server_bytes> bits;
    for (std::uint64_t i = 0; i < count; ++i) {
        header.layers.push_back(load_layer(reader, version, bits));
    }
    format::require_consistent(header, size, all_redisbloom_layers(),
                               format::redisbloom_trust::as_redisbloom);
    server_list<layer> layers;
    layers.reserve(header.layers.size());
    for (std::size_t i = 0; i < header.layers.size(); ++i) {
        layers.emplace_back(header.layers[i], std::move(bits[i]));
    }
    return {header.rules, std::move(layers)};
}

std::string redisbloom_kind::debug_line(const facts& of, const rules& by) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "bytes:%llu bits:%llu hashes:%u hashwidth:%u capacity:%llu size:%llu ratio:%g",
                  static_cast<unsigned long long>(of.shape.byte_count),
                  static_cast<unsigned long long>(of.shape.bit_count), of.shape.hash_count,
                  by.has_wide_hash() ? 64U : 32U, static_cast<unsigned long long>(of.shape.entries),
                  static_cast<unsigned long long>(of.size), of.error);
    return line;
}

void redisbloom_kind::save(stream* to, const redisbloom_object& of) noexcept {
    server.save_number(to, of.item_count());
    server.save_number(to, of.layer_count());
    server.save_number(to, of.rules().options);
    server.save_number(to, of.rules().growth);
    for (const layer& one : of.layers()) {
        const plan::redisbloom_layer& shape = one.facts().shape;
        server.save_number(to, shape.entries);
        server.save_double(to, one.facts().error);
        server.save_number(to, shape.hash_count);
        server.save_double(to, shape.bits_per_entry);
        server.save_number(to, shape.bit_count);
        server.save_number(to, shape.power);
        save_bytes(to, one.storage());
        server.save_number(to, one.size());
    }
}

void redisbloom_kind::digest(digest_state* to, const redisbloom_object& of) noexcept {
    digest_number(to, of.rules().options);
    digest_number(to, of.rules().grows() ? of.rules().growth : 0);
    for (const layer& one : of.layers()) {
        digest_number(to, one.capacity());
        digest_real(to, one.facts().error);
        digest_number(to, one.facts().shape.hash_count);
        digest_number(to, one.facts().modulus());
        digest_number(to, one.size());
        digest_bytes(to, {one.storage().data(), one.storage().size()});
    }
}

} // namespace bloomery::redis_module
