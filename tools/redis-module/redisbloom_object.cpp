#include "redisbloom_object.hpp"

#include <bloomery/error.hpp>
#include <bloomery/format/redisbloom.hpp>

#include "rdb.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace bloomery::redis_module {

namespace {

// What RedisBloom's own structures take besides the bits, on machines of 64 bits: clients compare
// these numbers.
constexpr std::uint64_t chain_bytes = 32;
constexpr std::uint64_t link_bytes = 64;

// When RedisBloom began to save what.
constexpr int version_with_bits = 1;
constexpr int version_with_options = 2;
constexpr int version_with_growth = 4;

format::limits all_redisbloom_layers() {
    return {.largest_filter_bytes = std::numeric_limits<std::uint64_t>::max(),
            .most_hashes = std::numeric_limits<std::uint32_t>::max(),
            .most_layers = std::numeric_limits<std::uint32_t>::max()};
}

redisbloom_object::layer_list empty_layers(std::span<const filter_layer> of) {
    redisbloom_object::layer_list layers;
    layers.reserve(of.size());
    for (const filter_layer& one : of) layers.emplace_back(one);
    return layers;
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
        throw bad_data("the filter is damaged: a layer has more hashes or bits than there are");
    }
    layer.shape.hash_count = static_cast<std::uint32_t>(hashes);
    layer.shape.power = static_cast<std::uint8_t>(power);
    bits.push_back(from.bytes());
    layer.shape.byte_count = bits.back().size();
    layer.size = from.number();
    return layer;
}

const redisbloom_object& same_redisbloom_kind(const bloom_object& other,
                                              const redisbloom_rules& rules) {
    const auto* const same = dynamic_cast<const redisbloom_object*>(&other);
    const bool alike =
        same != nullptr && ((same->rules().options ^ rules.options) & redisbloom_force_64) == 0;
    if (!alike) {
        throw refusal{cannot_combine};
    }
    return *same;
}

} // namespace

redisbloom_object::redisbloom_object(const redisbloom_rules& rules, layer_list layers) noexcept
    : bloom_chain(rules, std::move(layers)) {
    count();
}

std::unique_ptr<redisbloom_object> redisbloom_object::make(std::uint64_t capacity, double rate,
                                                           const redisbloom_rules& rules) {
    const filter_layer first = first_redisbloom_layer(capacity, rate, rules);
    return std::make_unique<redisbloom_object>(rules, empty_layers({&first, 1}));
}

std::unique_ptr<redisbloom_object> redisbloom_object::from_header(byte_view bytes,
                                                                  std::uint64_t most_bytes) {
    const format::redisbloom_header header = format::decode_redisbloom_header(
        bytes, all_redisbloom_layers(), format::redisbloom_trust::as_redisbloom);
    if (header.data_bytes > most_bytes) {
        throw refusal{bloom_over_limit("ERR received bad data")};
    }
    return std::make_unique<redisbloom_object>(
        redisbloom_rules{header.rules.options, header.rules.growth}, empty_layers(header.layers));
}

std::unique_ptr<redisbloom_object> redisbloom_object::load(stream* from, int version) {
    if (version > version_with_growth) {
        throw unsupported("the filter was saved by a later version");
    }
    rdb_reader reader(from);
    const std::uint64_t size = reader.number();
    const std::uint64_t count = reader.number();
    format::redisbloom_header header;
    header.rules.options = 0;
    const std::uint64_t options = version >= version_with_options ? reader.number() : 0;
    const std::uint64_t growth = version >= version_with_growth ? reader.number() : 2;
    if (options > UINT32_MAX || growth > UINT32_MAX) {
        throw bad_data("the filter is damaged: its options or its growth are none");
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
    layer_list layers;
    layers.reserve(header.layers.size());
    for (std::size_t i = 0; i < header.layers.size(); ++i) {
        layers.emplace_back(header.layers[i], std::move(bits[i]));
    }
    return std::make_unique<redisbloom_object>(
        redisbloom_rules{header.rules.options, header.rules.growth}, std::move(layers));
}

bloom_facts redisbloom_object::facts() const noexcept {
    const double first = layers()[first_of_own()].error;
    return {.capacity = capacity(),
            .bytes = chain_bytes + link_bytes * layer_count() + bit_bytes(),
            .filters = layer_count(),
            .items = item_count(),
            .expansion = rules().grows() ? std::optional(rules().growth) : std::nullopt,
            .rate = rules().grows() ? first * 2 : first,
            .layout = "redisbloom"};
}

std::string redisbloom_object::debug_line(std::size_t layer) const {
    const redisbloom_layer& one = layers()[layer];
    char line[256];
    std::snprintf(line, sizeof line,
                  "bytes:%llu bits:%llu hashes:%u hashwidth:%u capacity:%llu size:%llu ratio:%g",
                  static_cast<unsigned long long>(one.shape.byte_count),
                  static_cast<unsigned long long>(one.shape.bit_count), one.shape.hash_count,
                  (rules().options & redisbloom_force_64) != 0 ? 64U : 32U,
                  static_cast<unsigned long long>(one.shape.entries),
                  static_cast<unsigned long long>(one.size), one.error);
    return line;
}

std::vector<std::byte> redisbloom_object::header() const {
    std::vector<filter_layer> all;
    all.reserve(layer_count());
    for (const redisbloom_layer& layer : layers()) all.push_back(layer.facts());
    return format::encode_redisbloom_header(rules().all(), all);
}

std::unique_ptr<bloom_object> redisbloom_object::copy() const {
    return std::make_unique<redisbloom_object>(rules(), copied_layers());
}

void redisbloom_object::merge(const bloom_object& other, std::uint64_t most_bytes) {
    merge_layers(same_redisbloom_kind(other, rules()).layers(), most_bytes);
}

void redisbloom_object::intersect(const bloom_object& other) {
    intersect_layers(same_redisbloom_kind(other, rules()).layers());
}

void redisbloom_object::save(stream* to) const noexcept {
    server.save_number(to, item_count());
    server.save_number(to, layer_count());
    server.save_number(to, rules().options);
    server.save_number(to, rules().growth);
    for (const redisbloom_layer& layer : layers()) {
        server.save_number(to, layer.shape.entries);
        server.save_double(to, layer.error);
        server.save_number(to, layer.shape.hash_count);
        server.save_double(to, layer.shape.bits_per_entry);
        server.save_number(to, layer.shape.bit_count);
        server.save_number(to, layer.shape.power);
        save_bytes(to, layer.bits);
        server.save_number(to, layer.size);
    }
}

void redisbloom_object::digest(digest_state* to) const noexcept {
    digest_number(to, rules().options);
    digest_number(to, rules().grows() ? rules().growth : 0);
    for (const redisbloom_layer& layer : layers()) {
        digest_number(to, layer.shape.entries);
        digest_real(to, layer.error);
        digest_number(to, layer.shape.hash_count);
        digest_number(to, layer.modulus.value());
        digest_number(to, layer.size);
        digest_bytes(to, {layer.bits.data(), layer.bits.size()});
    }
    server.digest_end_sequence(to);
}

} // namespace bloomery::redis_module
