#include <bloomery/hash/siphash.hpp>

#include "body.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace bloomery::detail {

namespace {

/// The guard ends while it scans.
class stopped : public error {
public:
    stopped() : error("the guard ended while it was making a filter") {}
};

} // namespace

void guard_core::body::step(guard_step which) const {
    if (how_.on_step) {
        how_.on_step(which);
    }
}

void guard_core::body::rebuild() {
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

// Why no key is missed. Every write from `begin_next` on is kept for the next filter. Every write
// begun before has ended when it returns, so that the scan, which begins later, sees its key. What
// came past the guard meanwhile is read again from the mark before the scan. And while the two
// filters change places nobody writes.
void guard_core::body::rebuild_now() {
    front_.begin_next();
    step(guard_step::begun);
    const std::optional<std::string> since = source_->mark();
    step(guard_step::settled);
    std::optional<std::string> mark;
    auto [next, key_count] = scanned_filter(since, mark);
    next.sync();
    step(guard_step::synced);
    // A checkpoint that had synced the old filter must not write its note beside the new one.
    const std::lock_guard lock(noting_);
    front_.replace(std::move(next), key_count, [&] {
        step(guard_step::drained);
        take_place();
        step(guard_step::renamed); // from here to the end of `replace` nothing may be refused
    });
    step(guard_step::swapped);
    ++rebuilds_;
    is_overfull_ = false;
    created_ = 0;
    look_at_ = 0;
    rate_watch_.begin(counts_[tally::refused], counts_[tally::false_positives]);
    mark_ = mark;
    if (!how_.file.empty()) {
        save_all();
        step(guard_step::checkpoint);
        note_now(std::move(mark), false);
        step(guard_step::noted);
    }
}

std::pair<any_filter, std::uint64_t>
guard_core::body::scanned_filter(const std::optional<std::string>& since,
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
        (void)source_->scan_since(*since, insert); // if it cannot tell, so be it
    }
    step(guard_step::caught_up);
    return {std::move(next), scanned_ + kept};
}

/// How many of the keys that were put meanwhile were new.
std::uint64_t guard_core::body::insert_kept(any_filter& into) {
    const std::vector<std::string> keys = front_.kept();
    bitmap fresh;
    into.try_insert_many(keys, fresh);
    return fresh.count();
}

void guard_core::body::catch_up() {
    std::optional<std::string> mark = source_->mark();
    std::optional<std::string> since;
    {
        const std::lock_guard lock(noting_);
        since = mark_;
    }
    if (!mark || !since || !source_->scan_since(*since, [&](store::keys keys) {
            take_in(keys);
            counts_.add(tally::caught_up, keys.size());
        })) {
        rebuild();
        return;
    }
    const std::lock_guard lock(noting_);
    mark_ = std::move(mark);
}

} // namespace bloomery::detail
