#include "impl.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::inline v0::detail {

namespace {

/// The guard was destroyed during a scan.
class stopped : public error {
public:
    stopped() : error("the guard was destroyed while it was building a filter") {}
};

} // namespace

void guard_impl::step(guard_step which) const {
    if (how_.on_step) {
        how_.on_step(which);
    }
}

void guard_impl::rebuild() {
    const std::lock_guard one_at_a_time(making_);
    rebuilding_ = true;
    try {
        rebuild_now();
    } catch (...) {
        front_.give_up_next();
        remove_next();
        ++failed_rebuilds_;
        rebuilding_ = false;
        throw;
    }
    rebuilding_ = false;
}

// Why no key is missed: every write after `begin_next` is kept for the next filter. Every write
// that began earlier has ended when it returns, so the scan, which begins later, sees its key. What
// was written past the guard meanwhile is read from the mark taken before the scan. And writes are
// paused while the filters are swapped.
void guard_impl::rebuild_now() {
    front_.begin_next();
    step(guard_step::begun);
    const std::optional<std::string> since = source_->mark();
    step(guard_step::settled);
    std::optional<std::string> mark;
    auto [next, key_count] = scanned_filter(since, mark);
    next.sync();
    step(guard_step::synced);
    // A checkpoint that synced the old filter must not write its note for the new one.
    const std::lock_guard lock(noting_);
    front_.replace(std::move(next), key_count, [&] {
        step(guard_step::drained);
        take_place();
        step(guard_step::renamed); // from here to the end of `replace` nothing may fail
    });
    step(guard_step::swapped);
    ++rebuilds_;
    is_overfull_ = false;
    created_ = 0;
    look_at_ = 0;
    rate_watch_.begin(counts_[&counters::refused], counts_[&counters::false_positives]);
    mark_ = mark;
    if (!how_.file.empty()) {
        save_all();
        step(guard_step::checkpoint);
        note_now(std::move(mark), false);
        step(guard_step::noted);
    }
}

std::pair<any_filter, std::uint64_t>
guard_impl::scanned_filter(const std::optional<std::string>& since,
                           std::optional<std::string>& mark) {
    const std::uint64_t expected = source_->count();
    const auto room = static_cast<double>(expected) * (1 + how_.headroom);
    const items capacity{std::max(how_.least_items, static_cast<std::uint64_t>(std::ceil(room)))};
    any_filter next = made(capacity, how_.planned, beside(".next"));
    insert_uncertain(next);
    step(guard_step::made);
    scanned_ = 0;
    std::uint64_t kept = 0;
    const auto insert = [&](store::keys keys) {
        if (stopping_) {
            throw stopped();
        }
        next.insert_many(keys);
        kept += insert_kept(next);
        for (const std::string_view key : keys) {
            flights_.contradict(key);
        }
    };
    source_->scan([&](store::keys keys) {
        insert(keys);
        scanned_ += keys.size();
        if (how_.progress) {
            how_.progress(scanned_, expected);
        }
        step(guard_step::scanning);
    });
    step(guard_step::scanned);
    mark = source_->mark();
    if (since) {
        (void)source_->scan_since(*since, insert); // best effort
    }
    step(guard_step::caught_up);
    return {std::move(next), scanned_ + kept};
}

/// How many of the keys put meanwhile were new.
std::uint64_t guard_impl::insert_kept(any_filter& into) {
    const std::vector<std::string> keys = front_.kept();
    bitmap fresh;
    into.try_insert_many(keys, fresh);
    return fresh.count();
}

void guard_impl::catch_up() {
    std::optional<std::string> mark = source_->mark();
    std::optional<std::string> since;
    {
        const std::lock_guard lock(noting_);
        since = mark_;
    }
    if (!mark || !since || !source_->scan_since(*since, [&](store::keys keys) {
            take_in(keys);
            counts_.add(&counters::caught_up, keys.size());
        })) {
        rebuild();
        return;
    }
    const std::lock_guard lock(noting_);
    mark_ = std::move(mark);
}

} // namespace bloomery::inline v0::detail
