#include "front.hpp"

#include <bloomery/error.hpp>
#include <bloomery/key/bytes.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace bloomery::detail {

namespace {

// Of a batch, so many keys go in before others get their turn.
constexpr std::size_t front_keys_at_once = 256;

} // namespace

template <class Look>
bool front::unharmed(Look look) const {
    try {
        look();
        return true;
    } catch (const error&) {
        damaged_.store(generation_, std::memory_order_relaxed);
        return false;
    }
}

verdict front::ask(std::string_view key) const {
    const read_mostly_lock::reading here(lock_);
    bool claimed = false;
    if (layers_.empty() || !unharmed([&] { claimed = claims(key); })) {
        return verdict::unfiltered;
    }
    return claimed ? verdict::maybe : verdict::absent;
}

bool front::claims(std::string_view key) const {
    // The newest first: in a filter that grew, what is asked for most came last.
    return std::any_of(layers_.rbegin(), layers_.rend(),
                       [&](const any_filter& one) { return one.may_contain(key); });
}

bool front::ask_many(store::keys keys, bitmap& maybe) const {
    std::vector<byte_view> bytes(keys.size());
    std::ranges::transform(keys, bytes.begin(), [](std::string_view key) { return bytes_of(key); });
    const read_mostly_lock::reading here(lock_);
    return !layers_.empty() && unharmed([&] {
        layers_.back().may_contain_many(bytes, maybe);
        for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) {
            bitmap more;
            layers_[layer].may_contain_many(bytes, more);
            std::transform(more.words().begin(), more.words().end(), maybe.data(), maybe.data(),
                           std::bit_or<>());
        }
    });
}

// A set that already claims the key needs no more bits of it. What counts must count it.
bool front::insert(std::string_view key) {
    return !layers_.empty() && (erases_ || layers_.size() == 1 || !claims(key)) &&
           layers_.back().insert(key);
}

front::ticket front::begin_put(std::string_view key) {
    const std::lock_guard writing(writing_);
    if (keeping_) {
        kept_.emplace_back(key);
    }
    bool fresh = false;
    {
        const read_mostly_lock::alone here(lock_);
        unharmed([&] { fresh = insert(key); });
    }
    ++in_flight_[epoch_ % 2];
    return {generation_, epoch_, fresh};
}

// In a filter that cannot forget, a key that the source refused is like any other, and one that
// left the source and comes back is there already.
void front::end_put(const ticket& from, bool created) noexcept {
    const std::lock_guard writing(writing_);
    if ((erases_ ? created : from.fresh) && !items_.empty()) {
        ++items_.back();
    }
    if (--in_flight_[from.epoch % 2] == 0) {
        settled_.notify_all();
    }
}

// Only from the filter it was inserted into: the next one may have it once.
void front::take_back(const ticket& from, std::string_view key) {
    const std::lock_guard writing(writing_);
    if (erases_ && from.generation == generation_ && !layers_.empty()) {
        const read_mostly_lock::alone here(lock_);
        layers_.back().erase(key);
    }
}

front::ticket front::begin_erase() const {
    const std::lock_guard writing(writing_);
    return {generation_, epoch_};
}

// A filter that came meanwhile may have been made without the key, and to take out what is not in
// would take from other keys what is theirs.
bool front::end_erase(const ticket& from, std::string_view key) {
    const std::lock_guard writing(writing_);
    if (!layers_.empty() && erases_ && from.generation == generation_) {
        {
            const read_mostly_lock::alone here(lock_);
            layers_.back().erase(key);
        }
        items_.back() -= std::min<std::uint64_t>(items_.back(), 1);
        return true;
    }
    ++leftovers_;
    return false;
}

void front::take_in(store::keys keys) {
    for (; !keys.empty(); keys = keys.subspan(std::min(keys.size(), front_keys_at_once))) {
        const store::keys some = keys.first(std::min(keys.size(), front_keys_at_once));
        const std::lock_guard writing(writing_);
        if (keeping_) {
            kept_.insert(kept_.end(), some.begin(), some.end());
        }
        if (layers_.empty()) {
            continue;
        }
        const read_mostly_lock::alone here(lock_);
        unharmed([&] {
            for (const std::string_view key : some) {
                items_.back() += claims(key) ? 0U : 1U;
                insert(key);
            }
        });
    }
}

// A put that began before went into the old filter alone. Once it has ended, the source has its key
// or never will, and a scan that begins then finds it.
void front::begin_next() {
    std::unique_lock writing(writing_);
    keeping_ = true;
    kept_.clear();
    const std::uint64_t before = epoch_++;
    settled_.wait(writing, [&] { return in_flight_[before % 2] == 0; });
}

std::vector<std::string> front::kept() {
    const std::lock_guard writing(writing_);
    return std::exchange(kept_, {});
}

void front::replace(any_filter next, std::uint64_t key_count, const std::function<void()>& before) {
    std::vector<any_filter> old; // it ends, and with it its file, when others go on already
    const std::lock_guard writing(writing_);
    next.insert_many(kept_);
    before();
    const read_mostly_lock::alone here(lock_);
    old = std::exchange(layers_, {});
    layers_.push_back(std::move(next));
    items_.assign(1, key_count + kept_.size());
    leftovers_ = 0;
    ++generation_;
    keeping_ = false;
    kept_ = {};
}

void front::give_up_next() noexcept {
    const std::lock_guard writing(writing_);
    keeping_ = false;
    kept_ = {};
}

void front::install(std::vector<any_filter> layers) {
    std::vector<std::uint64_t> items(layers.size());
    std::ranges::transform(layers, items.begin(), [](const any_filter& one) {
        const plan::cardinality found = one.stats().items;
        return found.saturated ? one.made_for().item_capacity * 2
                               : static_cast<std::uint64_t>(found.items);
    });
    const std::lock_guard writing(writing_);
    const read_mostly_lock::alone here(lock_);
    layers_ = std::move(layers);
    items_ = std::move(items);
    ++generation_;
}

void front::add_layer(any_filter layer) {
    const std::lock_guard writing(writing_);
    const read_mostly_lock::alone here(lock_);
    layers_.push_back(std::move(layer));
    items_.push_back(0);
    ++generation_;
}

void front::drop_damaged(const std::function<void()>& before) {
    std::vector<any_filter> old;
    const std::lock_guard writing(writing_);
    if (damaged_ == generation_) {
        before();
        const read_mostly_lock::alone here(lock_);
        old = std::exchange(layers_, {});
        items_.clear();
        ++generation_;
    }
    damaged_ = undamaged; // not before: whoever has met the damage waits until it is gone
}

bool front::is_empty() const {
    const std::lock_guard writing(writing_);
    return layers_.empty();
}

void front::sync() {
    const std::lock_guard writing(writing_);
    for (any_filter& one : layers_) {
        one.sync();
    }
}

std::vector<any_filter> front::copies() const {
    const std::lock_guard writing(writing_);
    return layers_;
}

front::facts front::look() const {
    const std::lock_guard writing(writing_);
    return look_now();
}

std::optional<double> front::rate_if_idle() const {
    const std::unique_lock writing(writing_, std::try_to_lock);
    return writing.owns_lock() ? std::optional(look_now().rate) : std::nullopt;
}

front::facts front::look_now() const {
    facts now;
    now.layers = layers_.size();
    now.leftovers = leftovers_;
    now.items = std::accumulate(items_.begin(), items_.end(), std::uint64_t{0});
    for (const any_filter& one : layers_) {
        now.newest_capacity = one.made_for().item_capacity;
        now.item_capacity += now.newest_capacity;
        now.byte_count += one.byte_count();
    }
    now.newest_items = items_.empty() ? 0 : items_.back();
    if (rate_of_ != std::pair(generation_, items_)) {
        double right = 1;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            right *= 1 - layers_[i].fpp_at(items{std::max<std::uint64_t>(1, items_[i])});
        }
        rate_now_ = 1 - right;
        rate_of_ = {generation_, items_};
    }
    now.rate = rate_now_;
    return now;
}

std::pair<statistics, std::uint64_t> front::count_bits() const {
    const std::lock_guard writing(writing_);
    if (layers_.empty()) {
        return {};
    }
    return {layers_.back().stats(), items_.back()};
}

} // namespace bloomery::detail
