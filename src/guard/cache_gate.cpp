#include "cache_gate.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace bloomery::inline v0::detail {

template <class Call>
bool cache_gate::tried(Call call) {
    try {
        const timed here(counts_, &counters::cache_calls, &counters::cache_ns);
        call();
        return true;
    } catch (const std::exception&) { // whatever the failure, the source has the answer
        counts_.add(&counters::cache_failures);
        close_for(pause_);
        return false;
    }
}

store::cached cache_gate::get(std::string_view key) {
    store::cached found;
    if (is_open()) {
        tried([&] { found = cache_->get(key); });
    }
    return found;
}

std::vector<store::cached> cache_gate::get_many(store::keys all) {
    std::vector<store::cached> found(all.size());
    if (!all.empty() && is_open()) {
        tried([&] {
            std::vector<store::cached> answers = cache_->get_many(all);
            if (answers.size() == all.size()) {
                found = std::move(answers);
            }
        });
    }
    return found;
}

void cache_gate::put(std::span<const store::entry> entries) {
    if (!entries.empty() && is_open()) {
        tried([&] { cache_->put(entries); });
    }
}

void cache_gate::erase(std::string_view key) {
    if (!is_open() || !tried([&] { cache_->erase({&key, 1}); })) {
        note_pending(key);
    }
}

bool cache_gate::is_open() {
    const clock::rep now = clock::now().time_since_epoch().count();
    if (now < closed_until_.load(std::memory_order_acquire)) {
        return false;
    }
    return !has_pending_.load(std::memory_order_acquire) || erase_pending();
}

// A removal may become pending again while it is being done: only those that were done are dropped.
bool cache_gate::erase_pending() {
    const std::unique_lock alone(erasing_pending_, std::try_to_lock);
    if (!alone.owns_lock()) {
        return false;
    }
    std::vector<std::string> pending;
    {
        const std::lock_guard lock(mutex_);
        pending.assign(pending_erases_.begin(), pending_erases_.end());
        pending_erases_.clear();
    }
    const std::vector<std::string_view> keys(pending.begin(), pending.end());
    if (!keys.empty() && !tried([&] { cache_->erase(keys); })) {
        std::ranges::for_each(pending, [&](const std::string& key) { note_pending(key); });
        return false;
    }
    const std::lock_guard lock(mutex_);
    has_pending_.store(!pending_erases_.empty(), std::memory_order_release);
    return pending_erases_.empty();
}

void cache_gate::note_pending(std::string_view key) {
    const std::lock_guard lock(mutex_);
    pending_erases_.emplace(key);
    has_pending_.store(true, std::memory_order_release);
    if (pending_erases_.size() > most_pending_erases_) {
        // Too many to remember: stay closed until all entries have expired. A cache whose entries
        // never expire is not used again.
        pending_erases_.clear();
        const std::chrono::milliseconds life = cache_->longest_life();
        close_for(life.count() > 0 ? clock::duration(life)
                                   : clock::duration(std::chrono::years(1)));
    }
}

void cache_gate::close_for(clock::duration time) {
    const clock::rep until = (clock::now() + time).time_since_epoch().count();
    clock::rep before = closed_until_.load(std::memory_order_relaxed);
    while (before < until && !closed_until_.compare_exchange_weak(before, until)) {
    }
}

} // namespace bloomery::inline v0::detail
