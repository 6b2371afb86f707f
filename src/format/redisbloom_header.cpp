#include "redisbloom_header.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_parts.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace bloomery::format {

namespace {

constexpr std::uint64_t layer_bytes = 53;
constexpr std::uint32_t known_options = 15;
constexpr double ln2 = 0.693147180559945; // the digits that RedisBloom has
constexpr double ln2_squared = 0.480453013918201;
// Logarithms of other machines may differ in the last bits, and nothing that is damaged by chance
// comes so near.
constexpr double close = 1e-9;

[[noreturn]] void disagree(std::string_view what) {
    throw bad_data("the filter is damaged, or is none of RedisBloom: " + std::string(what) +
                   "; restore it from a copy");
}

bool fits_error(const filter_layer& layer) {
    if (!(layer.error > 0 && layer.error < 1)) { // written so that NaN fails too
        return false;
    }
    const double expected = -std::log(layer.error) / ln2_squared;
    return std::abs(layer.shape.bits_per_entry - expected) <= expected * close;
}

/// The number of bits before it is rounded up to words; 0 if there can be none.
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
    // The entries are those that fill the bits. What they were before that is not kept, and with it
    // goes the last step of the rounding.
    const std::uint64_t wanted = std::uint64_t{1} << layer.shape.power;
    const double room = static_cast<double>(wanted) / bits_per_entry;
    const double slack = 2 + 1 / bits_per_entry + room * close;
    return std::abs(entries - room) <= slack ? wanted : 0;
}

filter_layer read_layer(cursor& from, std::uint32_t options) {
    filter_layer layer;
    layer.shape.byte_count = from.little<std::uint64_t>();
    layer.shape.bit_count = from.little<std::uint64_t>();
    layer.size = from.little<std::uint64_t>();
    layer.error = from.little_double();
    layer.shape.bits_per_entry = from.little_double();
    layer.shape.hash_count = from.little<std::uint32_t>();
    layer.shape.entries = from.little<std::uint64_t>();
    layer.shape.power = from.little<std::uint8_t>();
    if (!fits_error(layer)) {
        disagree("the error of a layer is none, or its bits for each key do not follow from it");
    }
    if (layer.shape.hash_count != std::ceil(ln2 * layer.shape.bits_per_entry)) {
        disagree("the hashes of a layer do not follow from its error");
    }
    const std::uint64_t wanted = bits_wanted(layer, options);
    if (wanted == 0 || layer.shape.bit_count != words_for(wanted) * 64 ||
        layer.shape.byte_count != layer.shape.bit_count / 8) {
        disagree("the size of a layer does not follow from its error and the keys it is for");
    }
    if (layer.size > layer.shape.entries) {
        disagree("a layer has more keys than it is for");
    }
    return layer;
}

} // namespace

redisbloom_header read_redisbloom_header(cursor& from, const limits& most) {
    redisbloom_header header;
    const auto size = from.little<std::uint64_t>();
    const std::uint64_t count = from.little<std::uint32_t>();
    header.rules.options = from.little<std::uint32_t>();
    header.rules.growth = from.little<std::uint32_t>();
    header.rules.most_layers = most.most_layers;
    if (count == 0) {
        disagree("it has no layer");
    }
    cursor layers(from.take(count * layer_bytes));
    if (count > most.most_layers) {
        throw memory_refused("the filter has " + std::to_string(count) +
                             " layers, more than the limit of " + std::to_string(most.most_layers));
    }
    if ((header.rules.options & ~known_options) != 0) {
        throw unsupported("the filter has options of RedisBloom that this version does not know: " +
                          std::to_string(header.rules.options));
    }
    std::uint64_t sizes = 0;
    // How the layers follow from one another is not compared: older versions tightened differently,
    // and files outlive versions.
    for (std::uint64_t i = 0; i < count; ++i) {
        header.layers.push_back(read_layer(layers, header.rules.options));
        const filter_layer& layer = header.layers.back();
        sizes += layer.size;
        header.data_bytes += layer.shape.byte_count; // each is at most 2^60
        if (header.data_bytes >> 62U != 0) {
            disagree("its layers are larger than any memory");
        }
        check_limits(layer.shape.hash_count, header.data_bytes, most);
    }
    if (size != sizes) {
        disagree("the keys of its layers are not as many as those of all");
    }
    return header;
}

void write_redisbloom_header(byte_writer& to, const layer_stack& of) {
    to.little(of.size());
    to.little(static_cast<std::uint32_t>(of.layers().size()));
    to.little(of.rules().options);
    to.little(of.rules().growth);
    for (const filter_layer& layer : of.layers()) {
        to.little(layer.shape.byte_count);
        to.little(layer.shape.bit_count);
        to.little(layer.size);
        to.little_double(layer.error);
        to.little_double(layer.shape.bits_per_entry);
        to.little(layer.shape.hash_count);
        to.little(layer.shape.entries);
        to.little(layer.shape.power);
    }
}

} // namespace bloomery::format
