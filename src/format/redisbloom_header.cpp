#include "redisbloom_header.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "../plan/text.hpp"
#include "foreign_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
// Those of the smallest error that a double can be.
constexpr double most_bits_per_entry = 1550;

[[noreturn]] void disagree(std::string_view what) {
    throw bad_data("the filter is damaged, or not one of RedisBloom: " + std::string(what) +
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

filter_layer read_layer(cursor& from) {
    filter_layer layer;
    layer.shape.byte_count = from.little<std::uint64_t>();
    layer.shape.bit_count = from.little<std::uint64_t>();
    layer.size = from.little<std::uint64_t>();
    layer.error = from.little_double();
    layer.shape.bits_per_entry = from.little_double();
    layer.shape.hash_count = from.little<std::uint32_t>();
    layer.shape.entries = from.little<std::uint64_t>();
    layer.shape.power = from.little<std::uint8_t>();
    return layer;
}

/// What must hold so that no bit of a key lies outside, and no key has more bits than RedisBloom
/// would ever give one.
void require_safe(const filter_layer& layer) {
    const plan::redisbloom_layer& shape = layer.shape;
    if (!(layer.error > 0 && layer.error < 1)) { // written so that NaN fails too
        disagree("the error rate of a layer is out of range");
    }
    if (!(shape.bits_per_entry > 0 && shape.bits_per_entry <= most_bits_per_entry) ||
        shape.hash_count != std::ceil(ln2 * shape.bits_per_entry)) {
        disagree("the hashes of a layer do not fit its bits per key");
    }
    if (shape.byte_count == 0 || shape.byte_count >> 59U != 0 ||
        shape.bit_count != shape.byte_count * 8 || shape.power > 62 ||
        layer.modulus() > shape.bit_count) {
        disagree("the size of a layer is out of range");
    }
}

void require_derived(const filter_layer& layer, std::uint32_t options) {
    if (!fits_error(layer)) {
        disagree("the error rate of a layer is out of range, or does not fit its bits per key");
    }
    if (layer.shape.hash_count != std::ceil(ln2 * layer.shape.bits_per_entry)) {
        disagree("the hashes of a layer do not fit its error rate");
    }
    const std::uint64_t wanted = bits_wanted(layer, options);
    if (wanted == 0 || layer.shape.bit_count != words_for(wanted) * 64 ||
        layer.shape.byte_count != layer.shape.bit_count / 8) {
        disagree("the size of a layer does not fit its error rate and its capacity");
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
    header.rules.options = from.little<std::uint32_t>();
    header.rules.growth = from.little<std::uint32_t>();
    cursor layers(from.take(count * layer_bytes));
    if (count > most.most_layers) {
        throw memory_refused("the filter has " + plan::counted(count, "layer") +
                             ", more than the limit of " + std::to_string(most.most_layers));
    }
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
    // How the layers follow from one another is not compared: older versions tightened differently,
    // and files outlive versions.
    for (const filter_layer& layer : header.layers) {
        if (trust == redisbloom_trust::derived) {
            require_derived(layer, header.rules.options);
        } else {
            require_safe(layer);
        }
        // Far from where a count of all would wrap around, however long keys are added.
        if (layer.size >> 61U != 0 || (sizes += layer.size) >> 61U != 0) {
            disagree("its layers have more keys than the whole filter");
        }
        header.data_bytes += layer.shape.byte_count; // each is at most 2^60
        if (header.data_bytes >> 62U != 0) {
            disagree("its layers are larger than any memory");
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
    to.little(size);
    to.little(static_cast<std::uint32_t>(layers.size()));
    to.little(rules.options);
    to.little(rules.growth);
    for (const filter_layer& layer : layers) {
        to.little(layer.shape.byte_count);
        to.little(layer.shape.bit_count);
        to.little(layer.size);
        to.little_double(layer.error);
        to.little_double(layer.shape.bits_per_entry);
        to.little(layer.shape.hash_count);
        to.little(layer.shape.entries);
        to.little(layer.shape.power);
    }
    return {to.bytes().begin(), to.bytes().end()};
}

} // namespace bloomery::format
