#include "native_object.hpp"

#include <bloomery/detail/filter/layer_stack.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/sizing.hpp>

#include "rdb.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace bloomery::redis_module {

namespace {

constexpr int this_version = 1;

/// The error of the layer on top of one. It is not halved forever: at such low rates the split
/// layouts need ever more memory, and the sum of what many such layers add stays small anyway.
double tightened(double error) noexcept {
    constexpr double least = 1e-7;
    return error <= least ? error : std::max(error * 0.5, least);
}

/// The layout with one cache line per key that needs less memory.
plan::shape leaner_split(items n, rate p) {
    const plan::shape eight = plan::for_rate(n, p, layout_kind::split_8x64);
    const plan::shape sixteen = plan::for_rate(n, p, layout_kind::split_16x32);
    return sixteen.bit_count < eight.bit_count ? sixteen : eight;
}

format::redis_layer layer_for(std::uint64_t capacity, double error, const native_rules& rules) {
    format::redis_layer layer;
    layer.what.hash = rules.hash.id();
    layer.what.seed = rules.hash.seed();
    layer.what.shape = leaner_split(items{capacity}, rate{error});
    layer.entries = capacity;
    layer.error = error;
    return layer;
}

} // namespace

format::redis_layer native_kind::first(std::uint64_t capacity, double rate, const rules& by) {
    return layer_for(capacity, by.grows() ? rate * 0.5 : rate, by);
}

format::redis_layer native_kind::next(const facts& below, const rules& by) {
    const auto entries = detail::grown(below.entries, by.growth);
    if (!entries) throw bad_argument("a layer cannot hold that many keys");
    if (*entries == below.entries && tightened(below.error) == below.error) {
        facts same = below; // planning takes longer than filling a small layer
        same.size = 0;
        return same;
    }
    return layer_for(*entries, tightened(below.error), by);
}

bool native_kind::is_next(const facts& above, const facts& below, const rules& by) noexcept {
    return above.entries == below.entries * by.growth && above.error == tightened(below.error);
}

std::uint64_t native_kind::overhead(std::size_t layers) noexcept {
    return sizeof(native_object) + sizeof(layer) * layers;
}

std::string native_kind::debug_line(const facts& of, const rules& /*by*/) {
    const plan::shape& shape = of.what.shape;
    char line[256];
    std::snprintf(
        line, sizeof line,
        "bytes:%llu bits:%llu hashes:%u layout:%s hash:%s capacity:%llu size:%llu ratio:%g",
        static_cast<unsigned long long>(shape.byte_count()),
        static_cast<unsigned long long>(shape.bit_count), shape.hash_count,
        plan::name_of(shape.layout).data(), hash::name(of.what.hash).data(),
        static_cast<unsigned long long>(of.entries), static_cast<unsigned long long>(of.size),
        of.error);
    return line;
}

std::vector<std::byte> native_kind::encode(const rules& by, std::span<const facts> all) {
    return format::encode_redis_layers(by.growth, all);
}

std::pair<native_rules, std::vector<format::redis_layer>> native_kind::decode(byte_view header) {
    format::redis_layers_header read = format::decode_redis_layers(
        header, {.largest_filter_bytes = std::numeric_limits<std::uint64_t>::max(),
                 .most_hashes = plan::max_foreign_hash_count,
                 .most_layers = std::numeric_limits<std::uint32_t>::max()});
    const spec& first = read.layers.front().what;
    native_hash hash = native_hash::seeded(first.seed);
    if (first.hash == hash::hash_id::xxh3_128) hash = hash.widened();
    return {{hash, read.growth}, std::move(read.layers)};
}

std::pair<native_rules, server_list<native_kind::layer>> native_kind::load(stream* from,
                                                                           int version) {
    if (version > this_version)
        throw unsupported("the filter was saved by a newer version of the module");
    rdb_reader reader(from);
    const server_bytes head = reader.bytes();
    const auto [rules, all] = decode({head.data(), head.size()});
    server_list<layer> layers;
    layers.reserve(all.size());
    for (const facts& one : all) {
        const server_bytes bits = reader.bytes();
        if (bits.size() != byte_count(one)) {
            throw bad_data("the filter is damaged: a layer does not have as many bits as it "
                           "declares");
        }
        layers.emplace_back(one, bits_for(one));
        std::copy_n(bits.data(), bits.size(), layers.back().storage().data());
    }
    return {rules, std::move(layers)};
}

void native_kind::save(stream* to, const native_object& of) noexcept {
    const std::vector<std::byte> head = of.header();
    server.save_bytes(to, reinterpret_cast<const char*>(head.data()), head.size());
    for (const layer& one : of.layers()) save_bytes(to, one.storage());
}

void native_kind::digest(digest_state* to, const native_object& of) noexcept {
    digest_bytes(to, of.header());
    for (std::size_t i = 0; i < of.layer_count(); ++i) digest_bytes(to, of.bits(i));
}

} // namespace bloomery::redis_module
