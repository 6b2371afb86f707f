#include <bloomery/filter/layered.hpp>
#include <bloomery/layout/ones.hpp>
#include <bloomery/plan/rates.hpp>

#include "../plan/text.hpp"
#include "joint.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bloomery {

namespace {

using one_layout = layout::classic<layout::redisbloom_scheme>;

constexpr double tightening = 0.5; // the error of a layer, as a part of that of the one below

plan::shape shape_of(const filter_layer& layer) noexcept {
    return {layout_kind::classic, layer.modulus(), layer.shape.hash_count};
}

one_layout layout_of(const filter_layer& layer) noexcept {
    return one_layout(layout::trusted{}, shape_of(layer));
}

bool scales(const layer_rules& rules) noexcept {
    return (rules.options & redisbloom_no_scaling) == 0;
}

filter_layer made(items entries, double error, const layer_rules& rules) {
    return {plan::redisbloom_shape(entries, rate{error}, rules.options), error, 0};
}

/// The first layer. Throws bad_argument where RedisBloom refuses.
filter_layer first_layer(items capacity, rate p, const layer_rules& rules) {
    if (!(p.value > 0 && p.value < 1)) { // written so that NaN fails too
        throw bad_argument("the rate must be above 0 and below 1, such as 0.01 for 1 in 100");
    }
    return made(capacity, scales(rules) ? p.value * tightening : p.value, rules);
}

/// The layer on top of another. Throws bad_argument where RedisBloom's arithmetic ends.
filter_layer after(const filter_layer& below, const layer_rules& rules) {
    const std::uint64_t entries = below.shape.entries;
    if (rules.growth != 0 && entries > std::numeric_limits<std::uint64_t>::max() / rules.growth) {
        throw bad_argument("a layer cannot have so many keys");
    }
    return made(items{entries * rules.growth}, below.error * tightening, rules);
}

} // namespace

layer_stack::layer_stack(items capacity, rate p, const layer_rules& rules)
    : layers_{first_layer(capacity, p, rules)}, words_(layers_.front().shape.byte_count / 8),
      rules_(rules) {}

layer_stack::layer_stack(std::vector<filter_layer> layers, storage::heap_words<> words,
                         const layer_rules& rules)
    : layers_(std::move(layers)), words_(std::move(words)), rules_(rules) {
    std::uint64_t wanted = 0;
    for (const filter_layer& layer : layers_) {
        wanted += layer.shape.byte_count / 8;
    }
    if (layers_.empty() || wanted != words_.word_count()) {
        throw bad_argument("the layers of a filter need " + std::to_string(wanted) +
                           " words, and at least one layer; there are " +
                           std::to_string(words_.word_count()));
    }
}

bool layer_stack::may_contain(digest128 key) const noexcept {
    const std::uint64_t* words = words_.data() + words_.word_count();
    for (std::size_t at = layers_.size(); at-- > 0;) {
        words -= layers_[at].shape.byte_count / 8;
        if (layout_of(layers_[at]).may_contain(words, key)) {
            return true;
        }
    }
    return false;
}

bool layer_stack::insert(digest128 key) {
    if (may_contain(key)) {
        return false;
    }
    if (layers_.empty()) [[unlikely]] {
        storage::detail::refuse_moved_from();
    }
    if (layers_.back().size >= layers_.back().shape.entries) {
        grow();
    }
    filter_layer& newest = layers_.back();
    layout_of(newest).insert(words_.data() + words_.word_count() - newest.shape.byte_count / 8,
                             key);
    ++newest.size;
    return true;
}

void layer_stack::grow() {
    const std::string full = "the filter is full: it has the " + plan::counted(size(), "key") +
                             " that it was made for, and ";
    if (!scales(rules_)) {
        throw filter_full(full + "it does not grow; make a new one for more keys");
    }
    if (layers_.size() >= rules_.most_layers) {
        throw filter_full(full + "the limit of " + plan::counted(rules_.most_layers, "layer") +
                          " is reached; make a new one for more keys, or raise the limit");
    }
    filter_layer next;
    try {
        next = after(layers_.back(), rules_);
    } catch (const bad_argument& reason) {
        throw filter_full(full + "there is no larger layer (" + reason.what() +
                          "); make a new one for more keys");
    }
    if (next.shape.byte_count >
        most_claimed_bytes(words_.word_count() * 8, rules_.most_new_bytes)) {
        throw filter_full(
            full + "its next layer would take " + std::to_string(next.shape.byte_count) +
            " bytes, more than the limit of " + std::to_string(rules_.most_new_bytes) +
            "; raise that limit if a growth by a factor of " + std::to_string(rules_.growth) +
            " is meant (in the command with --format redisbloom,limit=SIZE)");
    }
    layers_.reserve(layers_.size() + 1);
    storage::heap_words<> larger(words_.word_count() + next.shape.byte_count / 8);
    std::ranges::copy(words(), larger.data());
    words_ = std::move(larger);
    layers_.push_back(next);
}

void layer_stack::clear() {
    if (layers_.empty()) {
        return;
    }
    words_ = storage::heap_words<>(layers_.front().shape.byte_count / 8);
    layers_.resize(1);
    layers_.front().size = 0;
}

std::uint64_t layer_stack::size() const noexcept {
    std::uint64_t sum = 0;
    for (const filter_layer& layer : layers_) {
        sum += layer.size;
    }
    return sum;
}

std::uint64_t layer_stack::capacity() const noexcept {
    std::uint64_t sum = 0;
    for (const filter_layer& layer : layers_) {
        sum += layer.shape.entries;
    }
    return sum;
}

design layer_stack::made_for() const noexcept {
    const double first = layers_.empty() ? 0 : layers_.front().error;
    return {capacity(), scales(rules_) ? first / tightening : first};
}

statistics layer_stack::stats() const {
    joint_statistics all;
    const std::uint64_t* words = words_.data();
    for (const filter_layer& layer : layers_) {
        const std::size_t count = layer.shape.byte_count / 8;
        all.add(statistics_of(shape_of(layer), count_ones({words, count})));
        words += count;
    }
    return all.value();
}

double layer_stack::fpp_at(items n) const {
    if (layers_.empty()) {
        return 0;
    }
    joint_rate rate;
    std::uint64_t left = n.value;
    filter_layer layer = layers_.front();
    for (std::size_t at = 0; left != 0; ++at) {
        if (at >= layers_.size() && (!scales(rules_) || at >= rules_.most_layers)) {
            break; // it takes no more
        }
        layer = at < layers_.size() ? layers_[at] : after(layer, rules_);
        const std::uint64_t taken = std::min(left, layer.shape.entries);
        rate.add(plan::fpp(shape_of(layer), items{taken}));
        left -= taken;
    }
    return rate.value();
}

plan::shape layer_stack::all_bits() const noexcept {
    return {layout_kind::classic, words_.word_count() * 64,
            layers_.empty() ? 0 : layers_.front().shape.hash_count};
}

bool layer_stack::is_plain() const noexcept {
    return layers_.size() == 1 && layers_.front().modulus() == layers_.front().shape.bit_count;
}

} // namespace bloomery
