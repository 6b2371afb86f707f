#include "cache_gate.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace bloomery::detail {

template <class Call>
bool cache_gate::tried(Call call) {
    try {
        const timed here(counts_, tally::cache_calls, tally::cache_ns);
        call();
        return true;
    } catch (const std::exception&) { // whatever ails it, the source has the answer
        counts_.add(tally::cache_failures);
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
        owe(key);
    }
}

bool cache_gate::is_open() {
    const clock::rep now = clock::now().time_since_epoch().count();
    if (now < closed_until_.load(std::memory_order_acquire)) {
        return false;
    }
    return !owes_.load(std::memory_order_acquire) || pay();
}

// A debt that is paid may be owed anew before it is struck off: only what was paid goes.
bool cache_gate::pay() {
    const std::unique_lock alone(paying_, std::try_to_lock);
    if (!alone.owns_lock()) {
        return false;
    }
    std::vector<std::string> owed;
    {
        const std::lock_guard lock(mutex_);
        owed.assign(debts_.begin(), debts_.end());
        debts_.clear();
    }
    const std::vector<std::string_view> keys(owed.begin(), owed.end());
    if (!keys.empty() && !tried([&] { cache_->erase(keys); })) {
        std::ranges::for_each(owed, [&](const std::string& key) { owe(key); });
        return false;
    }
    const std::lock_guard lock(mutex_);
    owes_.store(!debts_.empty(), std::memory_order_release);
    return debts_.empty();
}

void cache_gate::owe(std::string_view key) {
    const std::lock_guard lock(mutex_);
    debts_.emplace(key);
    owes_.store(true, std::memory_order_release);
    if (debts_.size() > most_debts_) {
        // Too many to remember. What was in the cache will have expired by then; of a cache whose
        // entries never do, nothing can be believed any more.
        debts_.clear();
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

} // namespace bloomery::detail
