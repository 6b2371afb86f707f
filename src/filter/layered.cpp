#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/detail/filter/require_room.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>

#include "joint.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace bloomery::inline v0 {

namespace {

constexpr double tightening = 0.5; // the error rate of a layer relative to the one below

filter_layer made(items entries, double error, const layer_rules& rules) {
    return {plan::redisbloom_shape(entries, rate{error}, rules.options), error, 0};
}

redisbloom_stack::layer empty_layer(const filter_layer& of) {
    return {of, storage::heap_words<>(of.shape.byte_count / 8)};
}

} // namespace

filter_layer first_layer(items capacity, rate p, const layer_rules& rules) {
    if (!(p.value > 0 && p.value < 1)) { // written so that NaN fails too
        throw bad_argument("the rate must be above 0 and below 1, such as 0.01 for 1 in 100");
    }
    return made(capacity, rules.grows() ? p.value * tightening : p.value, rules);
}

filter_layer next_layer(const filter_layer& below, const layer_rules& rules) {
    const auto entries = detail::grown(below.capacity(), rules.growth);
    if (!entries) {
        throw bad_argument("a layer cannot hold that many keys");
    }
    return made(items{*entries}, below.error * tightening, rules);
}

bool is_next_layer(const filter_layer& above, const filter_layer& below,
                   const layer_rules& rules) noexcept {
    return above.capacity() == below.capacity() * rules.growth &&
           above.error == below.error * tightening;
}

double rate_of_all(const filter_layer& first, const layer_rules& rules) noexcept {
    return rules.grows() ? first.error / tightening : first.error;
}

redisbloom_stack::redisbloom_stack(items capacity, rate p, const layer_rules& rules)
    : rules_(rules) {
    layers_.push_back(empty_layer(first_layer(capacity, p, rules)));
}

redisbloom_stack::redisbloom_stack(std::vector<layer> layers, const layer_rules& rules)
    : layers_(std::move(layers)), rules_(rules) {
    if (layers_.empty()) {
        throw bad_argument("a layered filter needs at least one layer");
    }
    for (const layer& one : layers_) {
        if (one.words().size() != one.facts().shape.byte_count / 8) {
            storage::detail::refuse_word_count(one.words().size(),
                                               one.facts().shape.byte_count / 8);
        }
    }
}

insertion redisbloom_stack::try_insert(digest128 key) {
    return layers_.insert(key, [this] { return grow(); });
}

void redisbloom_stack::ask_run(std::span<const digest128> run,
                               std::uint64_t* maybe) const noexcept {
    layers_.ask(run, maybe);
}

void redisbloom_stack::insert_run(std::span<const digest128> run, std::uint64_t* fresh) {
    if (layers_.insert(run, fresh, [this] { return grow(); }) != run.size()) {
        refuse_key();
    }
}

filter_layer redisbloom_stack::planned() const {
    const std::string full = "the filter is full: it holds the " + plan::counted(size(), "key") +
                             " that it was made for, and ";
    if (!rules_.grows()) {
        throw filter_full(full + "it does not grow; make a new one for more keys");
    }
    if (layers_.size() >= rules_.most_layers) {
        throw filter_full(full + "the limit of " + plan::counted(rules_.most_layers, "layer") +
                          " is reached; make a new one for more keys, or raise the limit");
    }
    filter_layer next;
    try {
        next = next_layer(layers_.back().facts(), rules_);
    } catch (const bad_argument& reason) {
        throw filter_full(full + "there is no larger layer (" + reason.what() +
                          "); make a new one for more keys");
    }
    if (next.shape.byte_count > most_claimed_bytes(byte_count(), rules_.most_new_bytes)) {
        throw growth_refused(
            full + "its next layer would take " + std::to_string(next.shape.byte_count) +
            " bytes, more than the limit of " + std::to_string(rules_.most_new_bytes) +
            "; raise that limit if a growth by a factor of " + std::to_string(rules_.growth) +
            " is meant");
    }
    return next;
}

void redisbloom_stack::refuse_key() const {
    static_cast<void>(planned());
    detail::refuse_full();
}

bool redisbloom_stack::grow() {
    filter_layer next;
    try {
        next = planned();
    } catch (const filter_full&) {
        return false;
    }
    layers_.push_back(empty_layer(next));
    return true;
}

void redisbloom_stack::clear() {
    if (layers_.empty()) {
        return;
    }
    filter_layer first = layers_.front().facts();
    first.size = 0;
    detail::layer_stack<layer> fresh;
    fresh.push_back(empty_layer(first));
    layers_ = std::move(fresh);
}

std::vector<filter_layer> redisbloom_stack::layers() const {
    std::vector<filter_layer> all;
    for (const layer& one : layers_) {
        all.push_back(one.facts());
    }
    return all;
}

std::uint64_t redisbloom_stack::size() const noexcept {
    return layers_.sum([](const layer& one) { return one.size(); });
}

std::uint64_t redisbloom_stack::capacity() const noexcept {
    return layers_.sum([](const layer& one) { return one.capacity(); });
}

std::uint64_t redisbloom_stack::byte_count() const noexcept {
    return layers_.sum([](const layer& one) { return one.words().size_bytes(); });
}

saved_words redisbloom_stack::saved() const {
    saved_words all;
    for (const layer& one : layers_) {
        all.arrays.push_back(one.words());
    }
    return all;
}

std::span<const std::uint64_t> redisbloom_stack::words() const {
    if (layers_.size() > 1) {
        throw unsupported("a filter of several layers cannot be used as an array of bits");
    }
    return layers_.empty() ? std::span<const std::uint64_t>{} : layers_.front().words();
}

design redisbloom_stack::made_for() const noexcept {
    return {capacity(), layers_.empty() ? 0 : rate_of_all(layers_.front().facts(), rules_)};
}

statistics redisbloom_stack::stats() const { return statistics_of_layers(layers_); }

double redisbloom_stack::rate_at(items n) const {
    filter_layer last;
    return rate_of_layers(n, [&](std::size_t at) -> std::optional<planned_layer> {
        if (at >= layers_.size() &&
            (layers_.empty() || !rules_.grows() || at >= rules_.most_layers)) {
            return std::nullopt; // it takes no more
        }
        last = at < layers_.size() ? layers_[at].facts() : next_layer(last, rules_);
        return planned_layer{last.places(), last.capacity()};
    });
}

plan::shape redisbloom_stack::all_bits() const noexcept {
    return {layout_kind::classic, byte_count() * 8,
            layers_.empty() ? 0 : layers_.front().facts().shape.hash_count};
}

bool redisbloom_stack::is_plain() const noexcept {
    return layers_.size() == 1 &&
           layers_.front().facts().modulus() == layers_.front().facts().shape.bit_count;
}

bool operator==(const redisbloom_stack& a, const redisbloom_stack& b) {
    return a.rules_ == b.rules_ &&
           std::ranges::equal(a.layers_, b.layers_, [](const auto& x, const auto& y) {
               return x.facts() == y.facts() && storage::equal(x.words(), y.words());
           });
}

} // namespace bloomery::inline v0
