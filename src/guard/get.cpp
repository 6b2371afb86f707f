#include "impl.hpp"

namespace bloomery::inline v0::detail {

namespace {

constexpr unsigned one_timed_of = 256;

} // namespace

std::optional<std::string> guard_impl::get(std::string_view key) {
    switch (ask(key)) {
    case verdict::absent:
        return refuse(key);
    case verdict::maybe:
        return fetch(key, true);
    case verdict::unfiltered:
        break;
    }
    want_filter();
    return fetch(key, false);
}

// Reading the clock twice takes longer than asking the filter.
verdict guard_impl::ask(std::string_view key) {
    thread_local unsigned turn = 0;
    if (++turn % one_timed_of != 0) {
        return front_.ask(key);
    }
    const timed here(counts_, &counters::filter_calls, &counters::filter_ns);
    return front_.ask(key);
}

std::optional<std::string> guard_impl::refuse(std::string_view key) {
    thread_local std::uint64_t turn = 0;
    if (how_.audit_every != 0 && ++turn % how_.audit_every == 0) {
        if (answer found = audit(key)) {
            counts_.add(&counters::source_hits);
            return found;
        }
    }
    counts_.add(&counters::refused);
    return std::nullopt;
}

std::optional<std::string> guard_impl::audit(std::string_view key) {
    answer found;
    try {
        found = of_source([&] { return source_->get(key); });
        // Keys that were put since the filter was asked are in it by now, and erased keys are gone.
        if (found && front_.ask(key) == verdict::absent &&
            of_source([&] { return source_->get(key); })) {
            take_in({&key, 1});
            raise(alarm_kind::stale, "the source has a key that the filter denies: something "
                                     "bypasses the guard when writing; call catch_up after such "
                                     "writes");
        }
    } catch (const std::exception&) { // counted; the filter's answer is enough
    }
    return found;
}

std::optional<std::string> guard_impl::fetch(std::string_view key, bool filtered) {
    const flights::boarding boarding = flights_.board(key);
    switch (boarding.is) {
    case flights::seat::excepted:
        counts_.add(&counters::excepted);
        return std::nullopt;
    case flights::seat::joined:
        try {
            answer found = flights_.wait(key, *boarding.trip);
            counts_.add(&counters::joined);
            return found;
        } catch (...) {
            counts_.add(&counters::failed);
            throw;
        }
    case flights::seat::leads:
        break;
    }
    try {
        return travel(key, boarding.trip, filtered);
    } catch (...) {
        flights_.crash(key, boarding.trip, std::current_exception());
        counts_.add(&counters::failed);
        throw;
    }
}

std::optional<std::string> guard_impl::travel(std::string_view key,
                                              const std::shared_ptr<flight>& trip, bool filtered) {
    store::cached known = cache_.get(key);
    if (known.is != store::cached::knowledge::nothing) {
        const bool is_value = known.is == store::cached::knowledge::value;
        counts_.add(is_value ? &counters::cache_hits : &counters::cache_absences);
        answer found = is_value ? answer(std::move(known.value)) : std::nullopt;
        flights_.land(key, trip, {found, false, false});
        return found;
    }
    answer found = of_source([&] { return source_->get(key); });
    count_found(found.has_value(), filtered);
    const bool settled = is_settled(key);
    if (flights_.land(key, trip, {found, filtered && !found && settled, settled})) {
        const flights::filling until_done(flights_, key);
        const store::entry entry{key,
                                 found ? std::optional<std::string_view>(*found) : std::nullopt};
        cache_.put({&entry, 1});
    }
    if (filtered && !found) {
        watch_rate();
    }
    return found;
}

void guard_impl::count_found(bool found, bool filtered) {
    counts_.add(found      ? &counters::source_hits
                : filtered ? &counters::false_positives
                           : &counters::unfiltered_absences);
}

void guard_impl::notice_damage() {
    if (front_.has_damage()) {
        const std::lock_guard lock(noting_);
        let_go();
    }
}

// Writes from now on are in no file: the next guard must not consider this one complete.
void guard_impl::let_go() {
    front_.drop_damaged([this] { forget_note(); });
    start_rebuild();
}

// For gets, which can do without a filter: does not wait, and reports no failure. If a filter was
// discarded during a rebuild that then failed, only this starts the next rebuild.
void guard_impl::want_filter() {
    try {
        const std::unique_lock lock(noting_, std::try_to_lock);
        if (lock.owns_lock() && front_.has_damage()) {
            let_go();
        } else if (lock.owns_lock() && front_.is_empty()) {
            start_rebuild();
        }
    } catch (const std::exception&) { // puts report it
    }
}

void guard_impl::take_in(store::keys keys) {
    front_.take_in(keys);
    notice_damage();
    for (const std::string_view key : keys) {
        flights_.contradict(key);
    }
}

} // namespace bloomery::inline v0::detail
