#include "native_object.hpp"

#include <bloomery/error.hpp>

#include "rdb.hpp"

#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace bloomery::redis_module {

namespace {

constexpr int this_version = 1;

format::limits all_native_layers() {
    return {.largest_filter_bytes = std::numeric_limits<std::uint64_t>::max(),
            .most_hashes = plan::max_foreign_hash_count,
            .most_layers = std::numeric_limits<std::uint32_t>::max()};
}

native_rules rules_of(const format::redis_layers_header& header) {
    const spec& first = header.layers.front().what;
    native_rules rules;
    rules.hash = native_hash::seeded(first.seed);
    if (first.hash == hash::hash_id::xxh3_128) rules.hash = rules.hash.widened();
    rules.growth = header.growth;
    return rules;
}

std::uint64_t bytes_of(const format::redis_layers_header& header) {
    std::uint64_t sum = 0;
    for (const format::redis_layer& layer : header.layers) sum += layer.what.shape.byte_count();
    return sum;
}

const native_object& same_native_kind(const bloom_object& other, const native_rules& rules) {
    const auto* const same = dynamic_cast<const native_object*>(&other);
    if (same == nullptr || same->rules().hash != rules.hash) throw refusal{cannot_combine};
    return *same;
}

} // namespace

native_object::native_object(const native_rules& rules, layer_list layers) noexcept
    : bloom_chain(rules, std::move(layers)) {
    count();
}

std::unique_ptr<native_object> native_object::make(std::uint64_t capacity, double rate,
                                                   const native_rules& rules) {
    layer_list layers;
    layers.emplace_back(first_native_layer(capacity, rate, rules));
    return std::make_unique<native_object>(rules, std::move(layers));
}

std::unique_ptr<native_object> native_object::from_header(byte_view bytes,
                                                          std::uint64_t most_bytes) {
    const format::redis_layers_header header =
        format::decode_redis_layers(bytes, all_native_layers());
    if (bytes_of(header) > most_bytes) throw refusal{bloom_over_limit("ERR received bad data")};
    layer_list layers;
    layers.reserve(header.layers.size());
    for (const format::redis_layer& layer : header.layers) layers.emplace_back(layer);
    return std::make_unique<native_object>(rules_of(header), std::move(layers));
}

std::unique_ptr<native_object> native_object::load(stream* from, int version) {
    if (version > this_version) throw unsupported("the filter was saved by a later version");
    rdb_reader reader(from);
    const server_bytes head = reader.bytes();
    const format::redis_layers_header header =
        format::decode_redis_layers({head.data(), head.size()}, all_native_layers());
    layer_list layers;
    layers.reserve(header.layers.size());
    for (const format::redis_layer& layer : header.layers) {
        const server_bytes bits = reader.bytes();
        if (bits.size() != layer.what.shape.byte_count()) {
            throw bad_data("the filter is damaged: a layer has more or fewer bits than it says");
        }
        layers.emplace_back(layer, bits);
    }
    return std::make_unique<native_object>(rules_of(header), std::move(layers));
}

bloom_facts native_object::facts() const noexcept {
    const double first = layers()[first_of_own()].facts.error;
    return {.capacity = capacity(),
            .bytes = sizeof(native_object) + sizeof(native_layer) * layer_count() + bit_bytes(),
            .filters = layer_count(),
            .items = item_count(),
            .expansion = rules().grows() ? std::optional(rules().growth) : std::nullopt,
            .rate = rules().grows() ? first * 2 : first,
            .layout = plan::name_of(layers().front().facts.what.shape.layout)};
}

std::string native_object::debug_line(std::size_t layer) const {
    const native_layer& one = layers()[layer];
    const plan::shape& shape = one.facts.what.shape;
    char line[256];
    std::snprintf(
        line, sizeof line,
        "bytes:%llu bits:%llu hashes:%u layout:%s hash:%s capacity:%llu size:%llu ratio:%g",
        static_cast<unsigned long long>(shape.byte_count()),
        static_cast<unsigned long long>(shape.bit_count), shape.hash_count,
        plan::name_of(shape.layout).data(), hash::name(one.facts.what.hash).data(),
        static_cast<unsigned long long>(one.facts.entries),
        static_cast<unsigned long long>(one.size), one.facts.error);
    return line;
}

std::vector<std::byte> native_object::header() const {
    std::vector<format::redis_layer> all;
    all.reserve(layer_count());
    for (const native_layer& layer : layers()) all.push_back(layer.now());
    return format::encode_redis_layers(rules().growth, all);
}

std::unique_ptr<bloom_object> native_object::copy() const {
    return std::make_unique<native_object>(rules(), copied_layers());
}

void native_object::merge(const bloom_object& other, std::uint64_t most_bytes) {
    merge_layers(same_native_kind(other, rules()).layers(), most_bytes);
}

void native_object::intersect(const bloom_object& other) {
    intersect_layers(same_native_kind(other, rules()).layers());
}

void native_object::save(stream* to) const noexcept {
    const std::vector<std::byte> head = header();
    server.save_bytes(to, reinterpret_cast<const char*>(head.data()), head.size());
    for (const native_layer& layer : layers()) save_bytes(to, layer.bits);
}

void native_object::digest(digest_state* to) const noexcept {
    const std::vector<std::byte> head = header();
    digest_bytes(to, head);
    for (const native_layer& layer : layers())
        digest_bytes(to, {layer.bits.data(), layer.bits.size()});
    server.digest_end_sequence(to);
}

} // namespace bloomery::redis_module
