#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "joint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace bloomery::inline v0 {

namespace {

constexpr std::uint32_t most_layers_ever = 64;
constexpr double least_rate = 0x1p-60;

/// More ones than that many keys set, except in one layer out of 1e10. Keys that are false
/// positives of the layer are not counted, so the ones are those of a few more keys than were
/// counted.
std::uint64_t most_ones(const plan::shape& of, std::uint64_t capacity, double rate) {
    const double keys = static_cast<double>(capacity) / (1 - rate);
    const auto m = static_cast<double>(of.bit_count);
    const double ones =
        m * plan::expected_fill(of, keys) + 6.5 * plan::ones_deviation(of, keys) + 1;
    return ones < m ? static_cast<std::uint64_t>(ones) : of.bit_count;
}

} // namespace

namespace detail {

scalable_layer::scalable_layer(const plan::shape& shape, storage::heap_words<> words,
                               std::uint64_t capacity, std::uint64_t taken, double rate)
    : layer_bits(layout::native(shape), std::move(words)), capacity_(capacity), taken_(taken),
      most_(most_ones(shape, capacity, rate)), limit_(capacity),
      next_count_(most_ / shape.hash_count) {
    const std::uint64_t used = shape.bit_count % 64;
    if (this->words().size() != shape.byte_count() / 8 ||
        (used != 0 && this->words().back() >> used != 0)) {
        throw bad_argument("the words of a layer do not match its shape");
    }
    if (taken_ != 0) { // otherwise all are clear, and none needs to be read
        count();
    }
}

std::uint64_t scalable_layer::ones() const noexcept { return count_ones(words()); }

// A key sets no more than its probes, so the ones need not be counted before there can be too many;
// and not too often, because that goes through all of the memory.
void scalable_layer::count() noexcept {
    const std::uint64_t now = ones();
    limit_ = now > most_ ? std::min(taken_, capacity_) : capacity_;
    const std::uint64_t harmless = now > most_ ? 0 : (most_ - now) / shape().hash_count;
    next_count_ = taken_ + std::max(harmless, capacity_ / 32) + 1;
}

void scalable_layer::merge(const scalable_layer& other) noexcept {
    storage::unite(storage().data(), other.words());
    // Keys of both are counted twice, but each set a bit when it came.
    taken_ = std::min(taken_ + other.taken_, ones());
    count();
}

} // namespace detail

scalable_filter::scalable_filter(items n, rate p, const scalable_options& options,
                                 const native_hash& hash)
    : scalable_filter(wide_enough(hash, {n.value, p.value}), {n.value, p.value}, options,
                      items{std::max(n.value, options.least_items)}, p) {
    if (const char* const fault = fault_of(options, p); fault != nullptr) {
        throw bad_argument(fault);
    }
    if (n.value == 0) {
        throw bad_argument("a filter cannot be sized for 0 keys; give the number you expect");
    }
    if (append(first_.value) == status::full) {
        throw bad_argument("a first layer of " + plan::counted(first_.value, "key") +
                           " exceeds the memory limit; raise the limit");
    }
}

const char* scalable_filter::fault_of(const scalable_options& options, rate p) noexcept {
    if (!(p.value > 0 && p.value < 1)) { // written so that NaN fails too
        return "the rate must be above 0 and below 1, such as 0.01 for 1 in 100";
    }
    if (options.growth < 2) {
        return "layers must grow at least twofold; otherwise there would be thousands of them";
    }
    if (!(options.tightening > 0 && options.tightening < 1)) {
        return "the tightening ratio must be above 0 and below 1; 0.5 is usual";
    }
    if (p.value * (1 - options.tightening) < least_rate) {
        return "no layer can have a rate below 2^-60; ask for a higher one";
    }
    if (options.most_layers == 0 || options.most_layers > most_layers_ever) {
        return "a scalable filter has between 1 and 64 layers; 32 are usual";
    }
    if (options.most_bytes == 0 || options.most_bytes > plan::max_bit_count / 8) {
        return "the memory limit must be between 1 and 2^60 bytes";
    }
    return nullptr;
}

double scalable_filter::rate_of(std::size_t at) const noexcept {
    return rate_.value * (1 - options_.tightening) *
           std::pow(options_.tightening, static_cast<double>(at));
}

std::optional<plan::shape> scalable_filter::planned(std::uint64_t capacity, std::size_t at,
                                                    std::uint64_t other_bytes) const {
    if (at >= options_.most_layers || rate_of(at) < least_rate) {
        return std::nullopt;
    }
    try {
        const items n{capacity};
        const rate p{rate_of(at)};
        const plan::shape made =
            options_.fast_layers ? plan::choose_layer(n, p) : plan::for_rate(n, p);
        const bool fits = other_bytes <= options_.most_bytes &&
                          made.byte_count() <= options_.most_bytes - other_bytes;
        return fits ? std::optional(made) : std::nullopt;
    } catch (const bad_argument&) {
        return std::nullopt; // larger than any array
    }
}

status scalable_filter::append(std::uint64_t capacity) {
    const bool replaces = !layers_.empty() && layers_.back().taken() == 0;
    const std::size_t at = layers_.size() - (replaces ? 1 : 0);
    const auto shape =
        planned(capacity, at, byte_count() - (replaces ? layers_.back().words().size_bytes() : 0));
    if (!shape) {
        return status::full;
    }
    layer made(*shape, storage::heap_words<>(shape->byte_count() / 8), capacity, 0, rate_of(at));
    if (replaces) {
        layers_.back() = std::move(made);
    } else {
        layers_.push_back(std::move(made));
    }
    return status::ok;
}

status scalable_filter::grow() {
    const auto next = detail::grown(layers_.back().capacity(), options_.growth);
    return !next || refused_growth() ? status::full : append(*next);
}

std::optional<std::uint64_t> scalable_filter::refused_growth() const {
    const auto next = detail::grown(layers_.back().capacity(), options_.growth);
    const auto shape = next ? planned(*next, layers_.size(), byte_count()) : std::nullopt;
    if (!shape || shape->byte_count() <= most_claimed_bytes(byte_count(), most_new_bytes_)) {
        return std::nullopt;
    }
    return shape->byte_count();
}

void scalable_filter::ask_run(std::span<const digest128> run, std::uint64_t* maybe) const noexcept {
    layers_.ask(run, maybe);
}

void scalable_filter::insert_run(std::span<const digest128> run, std::uint64_t* fresh) {
    const auto grows = [this] { return grow() == status::ok; };
    if (layers_.insert(run, fresh, grows) != run.size()) {
        refuse_key();
    }
}

void scalable_filter::refuse_key() const {
    if (const std::optional<std::uint64_t> next = refused_growth()) {
        throw growth_refused("the filter is full, and its next layer would take " +
                             std::to_string(*next) + " bytes, more than the limit of " +
                             std::to_string(most_new_bytes_) +
                             "; raise that limit if a growth by a factor of " +
                             std::to_string(options_.growth) + " is meant");
    }
    detail::refuse_full();
}

status scalable_filter::reserve(items n) {
    layers_.require_layers();
    const layer& newest = layers_.back();
    const std::uint64_t room = newest.is_full() ? 0 : newest.capacity() - newest.taken();
    if (n.value <= room) {
        return status::ok;
    }
    // If it were small, many layers would grow from it.
    const bool grows = newest.taken() != 0 && n.value / options_.growth < newest.capacity();
    return grows && grow() == status::ok ? status::ok : append(n.value);
}

compatibility scalable_filter::compatible_with(const scalable_filter& other) const {
    compatibility verdict = compare(spec(), other.spec());
    if (verdict && !std::ranges::equal(layers_, other.layers_, {}, &layer::shape, &layer::shape)) {
        verdict.reason = "their layers have different sizes";
    }
    return verdict;
}

void scalable_filter::merge(const scalable_filter& other) {
    detail::require_compatible(compatible_with(other), "merged");
    for (std::size_t at = 0; at < layers_.size(); ++at) {
        layers_[at].merge(other.layers_[at]);
    }
}

void scalable_filter::clear() {
    scalable_filter fresh(hash(), made_for(), options_, first_, rate_);
    // What a file says of the first layer may be more than the layer that it has, which fits.
    fresh.append(layers_.empty() ? first_.value
                                 : std::min(first_.value, layers_.front().capacity()));
    fresh.most_new_bytes_ = most_new_bytes_;
    *this = std::move(fresh);
}

std::uint64_t scalable_filter::items_taken() const noexcept {
    return layers_.sum([](const layer& one) { return one.taken(); });
}

std::uint64_t scalable_filter::item_capacity() const noexcept {
    return layers_.sum([](const layer& one) { return one.capacity(); });
}

std::uint64_t scalable_filter::byte_count() const noexcept {
    return layers_.sum([](const layer& one) { return one.words().size_bytes(); });
}

spec scalable_filter::spec() const noexcept {
    const std::uint64_t bits = layers_.sum([](const layer& one) { return one.shape().bit_count; });
    plan::shape shape = layers_.empty() ? plan::shape{} : layers_.front().shape();
    shape.bit_count = bits;
    return spec_of(filter_kind::scalable, shape,
                   {first_.value, std::bit_cast<std::uint64_t>(rate_.value), options_.growth,
                    std::bit_cast<std::uint64_t>(options_.tightening), options_.most_layers,
                    options_.most_bytes, options_.fast_layers ? 1U : 0U});
}

statistics scalable_filter::stats() const { return statistics_of_layers(layers_); }

double scalable_filter::rate_at(items n) const {
    std::uint64_t bytes = 0;
    std::optional<planned_layer> last;
    return rate_of_layers(n, [&](std::size_t at) -> std::optional<planned_layer> {
        if (at < layers_.size()) {
            last = {layers_[at].shape(), layers_[at].capacity()};
        } else {
            const auto next = last ? detail::grown(last->capacity, options_.growth) : std::nullopt;
            const auto shape = next ? planned(*next, at, bytes) : std::nullopt;
            last = shape ? std::optional(planned_layer{*shape, *next}) : std::nullopt;
        }
        bytes += last ? last->shape.byte_count() : 0;
        return last;
    });
}

std::vector<fact> scalable_filter::facts() const {
    if (layers_.empty()) {
        return {};
    }
    const layer& newest = layers_.back();
    return {{"layers", std::to_string(layer_count())},
            {"keys taken", std::to_string(items_taken())},
            {"keys in the newest layer", std::to_string(newest.taken())},
            {"room in the newest layer", std::to_string(newest.capacity())},
            {"growth", std::to_string(options_.growth)}};
}

bool operator==(const scalable_filter& a, const scalable_filter& b) {
    return a.spec() == b.spec() &&
           std::ranges::equal(a.layers_, b.layers_, [](const auto& x, const auto& y) {
               return x.shape() == y.shape() && x.capacity() == y.capacity() &&
                      x.taken() == y.taken() && std::ranges::equal(x.words(), y.words());
           });
}

} // namespace bloomery::inline v0
