#include "front.hpp"

#include <bloomery/detail/filter/layer_stack.hpp>
#include <bloomery/detail/filter/require_room.hpp>
#include <bloomery/error.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace bloomery::inline v0::detail {

namespace {

// How many keys of a batch are inserted before other threads get their turn.
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

// The newest layer first: recent keys are requested most often.
bool front::claims(std::string_view key) const {
    return (newest_ ? newest_->may_contain(key) : layers_.back().may_contain(key)) ||
           older_claim(key);
}

bool front::older_claim(std::string_view key) const {
    return std::any_of(layers_.rbegin() + 1, layers_.rend(),
                       [&](const any_filter& one) { return one.may_contain(key); });
}

void front::add_older_claims(store::keys keys, bitmap& maybe) const {
    bitmap claimed;
    for (std::size_t at = 0; layers_.size() > 1 && at < keys.size(); at += longest_run) {
        unclaimed_keys left(keys.subspan(at, std::min(longest_run, keys.size() - at)));
        left.drop(maybe.data() + at / 64);
        for (std::size_t layer = layers_.size() - 1; layer-- > 0 && left.count() != 0;) {
            layers_[layer].may_contain_many(left.keys(), claimed);
            left.drop(claimed.data());
        }
        left.tell_claimed(maybe.data() + at / 64);
    }
}

bool front::ask_many(store::keys keys, bitmap& maybe) const {
    const read_mostly_lock::reading here(lock_);
    return !layers_.empty() && unharmed([&] {
        newest_ ? newest_->may_contain_many(keys, maybe)
                : layers_.back().may_contain_many(keys, maybe);
        add_older_claims(keys, maybe);
    });
}

// Inserts of a filter that can be shared are seen or not by those who ask at the same time, as if
// they came after or before; nobody waits.
template <class Change>
void front::change_newest(Change change) {
    if (newest_) {
        const read_mostly_lock::reading here(lock_);
        unharmed(change);
    } else {
        const read_mostly_lock::alone here(lock_);
        unharmed(change);
    }
}

void front::renew_view() {
    newest_.reset();
    if (!layers_.empty() && layers_.back().can_share()) {
        newest_ = layers_.back().shared();
    }
}

// A plain filter that already claims the key needs no change. A counting filter must count it.
bool front::insert(std::string_view key) {
    if (layers_.empty() || (!erases_ && older_claim(key))) {
        return false;
    }
    return newest_ ? newest_->try_insert(key) : require_room(layers_.back().try_insert(key));
}

std::uint64_t front::insert_many(store::keys keys) {
    bitmap fresh;
    const auto put = [&](store::keys some) {
        newest_ ? newest_->try_insert_many(some, fresh)
                : layers_.back().try_insert_many(some, fresh);
    };
    if (layers_.size() == 1) {
        put(keys);
        return fresh.count();
    }
    bitmap claimed; // only a plain filter has several layers: none has to count a key twice
    claimed.reset(keys.size());
    add_older_claims(keys, claimed);
    std::vector<std::string_view> wanted;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!claimed[i]) {
            wanted.push_back(keys[i]);
        }
    }
    put(wanted);
    return fresh.count();
}

front::ticket front::begin_put(std::string_view key) {
    const std::lock_guard writing(writing_);
    if (keeping_) {
        kept_.emplace_back(key);
    }
    bool fresh = false;
    change_newest([&] { fresh = insert(key); });
    ++in_flight_[epoch_ % 2];
    return {generation_, epoch_, fresh};
}

// In a filter without erase, a key that the source refused stays like any other, and a key that was
// erased and is put again is already there.
void front::end_put(const ticket& from, bool created) noexcept {
    const std::lock_guard writing(writing_);
    if ((erases_ ? created : from.fresh) && !items_.empty()) {
        ++items_.back();
    }
    if (--in_flight_[from.epoch % 2] == 0) {
        settled_.notify_all();
    }
}

// Only in the filter it was inserted into: the next one may have it just once.
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

// A filter that was built meanwhile may not contain the key, and erasing a key that is not in would
// decrement counters of other keys.
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
        if (!layers_.empty()) {
            change_newest([&] { items_.back() += insert_many(some); });
        }
    }
}

// A put that began earlier went into the old filter only. Once it has ended, the source has its key
// or never will, so a scan that begins afterwards finds it.
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
    std::vector<any_filter> old; // destroyed, with its file, after the locks are released
    const std::lock_guard writing(writing_);
    next.insert_many(kept_);
    before();
    const read_mostly_lock::alone here(lock_);
    old = std::exchange(layers_, {});
    layers_.push_back(std::move(next));
    renew_view();
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
    renew_view();
    items_ = std::move(items);
    ++generation_;
}

void front::add_layer(any_filter layer) {
    const std::lock_guard writing(writing_);
    const read_mostly_lock::alone here(lock_);
    layers_.push_back(std::move(layer));
    renew_view();
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
        renew_view();
        items_.clear();
        ++generation_;
    }
    damaged_ = undamaged; // only now: threads that found the damage wait for this
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
            right *= 1 - layers_[i].rate_at(items{std::max<std::uint64_t>(1, items_[i])});
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

} // namespace bloomery::inline v0::detail
