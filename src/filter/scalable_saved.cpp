// Converts a scalable filter to words and back.
#include <bloomery/error.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/plan/rates.hpp>

#include "restoring.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace bloomery::inline v0 {

namespace {

constexpr std::uint64_t words_a_layer = 4; // in the record

void require_scalable(bool good, const char* fault) {
    require_sound(good, "scalable filter", fault);
}

/// The record of one layer.
struct saved_layer {
    plan::shape shape;
    std::uint64_t capacity;
    std::uint64_t taken;
};

saved_layer saved_layer_at(std::span<const std::uint64_t> record) {
    require_scalable(record[0] != 0 && record[0] <= plan::max_bit_count,
                     "a layer has no bits or too many");
    const std::uint64_t probes = record[1] & 0xffff'ffff;
    const std::uint64_t layout = record[1] >> 32U;
    require_scalable(probes != 0 && probes <= plan::max_hash_count,
                     "a layer has no probes or too many");
    require_scalable(layout < plan::all_layouts.size(), "a layer has an unknown layout");
    require_scalable(record[2] != 0 && record[3] <= record[0],
                     "a layer has impossible numbers of keys");
    const plan::shape shape{static_cast<layout_kind>(layout), record[0],
                            static_cast<std::uint32_t>(probes)};
    try {
        plan::check(shape);
    } catch (const bad_argument& fault) {
        require_scalable(false, fault.what());
    }
    return {shape, record[2], record[3]};
}

} // namespace

saved_words scalable_filter::saved() const {
    saved_words all;
    all.record.push_back(layers_.size());
    for (const layer& one : layers_) {
        const plan::shape shape = one.shape();
        const auto layout = static_cast<std::uint64_t>(shape.layout);
        all.record.insert(all.record.end(), {shape.bit_count, layout << 32U | shape.hash_count,
                                             one.capacity(), one.taken()});
        all.arrays.push_back(one.words());
    }
    return all;
}

scalable_filter scalable_filter::described(const bloomery::spec& what, const design& made_for,
                                           const native_hash& hash) {
    const kind_parameters& given = what.parameters;
    if (given[6] > 1 || given[7] != 0) {
        throw unsupported("this scalable filter was made by a newer version; update bloomery");
    }
    require_scalable(given[0] != 0 && given[2] <= std::numeric_limits<std::uint32_t>::max() &&
                         given[4] <= std::numeric_limits<std::uint32_t>::max(),
                     "its parameters are out of range");
    const rate p{std::bit_cast<double>(given[1])};
    const scalable_options options{static_cast<std::uint32_t>(given[2]),
                                   std::bit_cast<double>(given[3]),
                                   static_cast<std::uint32_t>(given[4]),
                                   given[5],
                                   1,
                                   given[6] == 1};
    require_scalable(fault_of(options, p) == nullptr, "its parameters are out of range");
    return {hash, made_for, options, items{given[0]}, p};
}

/// Takes the words of a layer away from those that are left.
void scalable_filter::restore_layer(std::span<const std::uint64_t> record,
                                    std::span<const std::uint64_t>& left) {
    const saved_layer one = saved_layer_at(record);
    const double rate = rate_of(layers_.size());
    const std::size_t size = one.shape.byte_count() / 8;
    require_scalable(size <= left.size(), "it is truncated");
    require_scalable(plan::expected_rate(one.shape, items{one.capacity}) <= rate * (1 + 1e-9),
                     "a layer is too small for its keys");
    require_scalable(layers_.empty() || layers_.back().taken() != 0,
                     "a layer other than the newest is empty");
    storage::heap_words<> copy(size);
    std::ranges::copy(left.first(size), copy.data());
    left = left.subspan(size);
    try {
        layers_.emplace_back(one.shape, std::move(copy), one.capacity, one.taken, rate);
    } catch (const bad_argument& fault) {
        require_scalable(false, fault.what());
    }
    const std::uint64_t ones = layers_.back().ones();
    require_scalable(one.taken <= ones && ones <= one.taken * one.shape.hash_count,
                     "a layer's bits do not match its number of keys");
}

scalable_filter scalable_filter::restored(const bloomery::spec& what, const design& made_for,
                                          const native_hash& hash,
                                          std::span<const std::uint64_t> words,
                                          std::uint64_t most_new_bytes) {
    scalable_filter made = described(what, made_for, hash);
    made.most_new_bytes_ = most_new_bytes;
    require_scalable(!words.empty() && words[0] != 0 && words[0] <= made.options_.most_layers &&
                         (words.size() - 1) / words_a_layer >= words[0],
                     "its number of layers is wrong");
    const std::size_t count = words[0];
    std::span<const std::uint64_t> left = words.subspan(1 + count * words_a_layer);
    for (std::size_t at = 0; at < count; ++at) {
        made.restore_layer(words.subspan(1 + at * words_a_layer), left);
    }
    require_scalable(left.empty(), "there is data after its last layer");
    require_scalable(made.byte_count() <= made.options_.most_bytes && made.spec() == what,
                     "its layers do not match its description");
    return made;
}

} // namespace bloomery::inline v0
