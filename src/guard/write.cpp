#include "impl.hpp"

namespace bloomery::inline v0::detail {

namespace {

// After this time, a change on a lost connection is no longer in progress.
constexpr std::chrono::hours uncertain_for{1};

/// Ends a write, whatever happens in between.
class write_mark {
public:
    write_mark(flights& among, std::string_view key)
        : among_(among), key_(key), one_(among.begin_write(key)) {}
    write_mark(const write_mark&) = delete;
    write_mark& operator=(const write_mark&) = delete;
    ~write_mark() { among_.end_write(key_, one_, absence); }

    bool absence = false;

private:
    flights& among_;
    std::string_view key_;
    flights::writing one_;
};

} // namespace

// The filter first: it must know every key that the source holds. If the source then refuses, the
// filter claims one key too many.
void guard_impl::put(std::string_view key, std::string_view value) {
    counts_.add(&counters::puts);
    bool created = false;
    {
        const write_mark here(flights_, key);
        try {
            created = put_in_source(key, value);
        } catch (...) {
            forget_in_cache(key); // it may have been done
            throw;
        }
        forget_in_cache(key);
    }
    if (created) {
        watch_growth();
    } else {
        counts_.add(&counters::updates);
    }
}

bool guard_impl::put_in_source(std::string_view key, std::string_view value) {
    const front::ticket ticket = front_.begin_put(key);
    try {
        notice_damage(); // before the source has the key, a filter that could not add it is gone
    } catch (...) {
        front_.end_put(ticket, false);
        throw;
    }
    bool created = false;
    try {
        created = of_source([&] { return source_->put(key, value); });
        // Unless the filter did not know it: then somebody else had put it into the source.
        if (!created && !ticket.fresh) {
            front_.take_back(ticket, key);
        }
    } catch (const store::outcome_unknown&) {
        remember_uncertain(key);
        front_.end_put(ticket, false);
        throw;
    } catch (const store::store_error&) {
        front_.take_back(ticket, key);
        front_.end_put(ticket, false);
        throw;
    } catch (...) { // a user's store: the outcome is unknown
        remember_uncertain(key);
        front_.end_put(ticket, false);
        throw;
    }
    front_.end_put(ticket, created);
    return created;
}

// The source first: the filter may claim more keys than the source has, never fewer.
bool guard_impl::erase(std::string_view key) {
    counts_.add(&counters::erases);
    write_mark here(flights_, key);
    const front::ticket ticket = front_.begin_erase();
    bool existed = false;
    try {
        existed = of_source([&] { return source_->erase(key); });
    } catch (...) {
        forget_in_cache(key);
        throw;
    }
    const bool forgotten = existed && front_.end_erase(ticket, key);
    forget_in_cache(key);
    here.absence = !forgotten && front_.ask(key) == verdict::maybe && is_settled(key);
    return existed;
}

// Waits for threads that are filling the cache with the old value.
void guard_impl::forget_in_cache(std::string_view key) {
    flights_.await_fills(key);
    cache_.erase(key);
}

void guard_impl::remember_uncertain(std::string_view key) {
    counts_.add(&counters::uncertain);
    const std::lock_guard lock(uncertain_mutex_);
    forget_certain();
    const clock::time_point until = clock::now() + uncertain_for;
    uncertain_.insert_or_assign(std::string(key), until);
    uncertain_until_ = until.time_since_epoch().count();
}

void guard_impl::forget_certain() {
    std::erase_if(uncertain_, [](const auto& one) { return clock::now() > one.second; });
}

/// Whether the source's answer for a key stays valid until the key is written.
bool guard_impl::is_settled(std::string_view key) {
    if (clock::now().time_since_epoch().count() > uncertain_until_) {
        return true;
    }
    const std::lock_guard lock(uncertain_mutex_);
    const auto found = uncertain_.find(std::string(key));
    return found == uncertain_.end() || clock::now() > found->second;
}

void guard_impl::insert_uncertain(any_filter& into) {
    const std::lock_guard lock(uncertain_mutex_);
    forget_certain();
    for (const auto& one : uncertain_) {
        into.insert(one.first);
    }
}

} // namespace bloomery::inline v0::detail
