#include "impl.hpp"

#include <deque>

namespace bloomery::inline v0::detail {

/// One of the keys of a call, until it is answered.
struct guard_impl::lookup {
    std::string_view key;
    std::size_t at; ///< in the caller's order
    std::shared_ptr<flight> with{};
    answer found{};
    bool landed = false;
};

// A call lands its own keys before it waits for others, so callers cannot deadlock. A key that
// occurs twice in one call joins itself.
std::vector<std::optional<std::string>> guard_impl::get_many(store::keys keys) {
    std::vector<answer> answers(keys.size());
    bitmap maybe;
    bool filtered = false;
    {
        const timed here(counts_, &counters::filter_calls, &counters::filter_ns);
        filtered = front_.ask_many(keys, maybe);
    }
    if (!filtered) {
        want_filter();
    }
    std::vector<lookup> leading;
    std::vector<lookup> joining;
    const std::size_t possible = filtered ? maybe.count() : keys.size();
    leading.reserve(possible); // no allocation below, so that every boarded key is recorded
    joining.reserve(possible);
    try {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (filtered && !maybe[i]) {
                answers[i] = refuse(keys[i]);
            } else {
                board({keys[i], i}, leading, joining);
            }
        }
        look_up_together(leading, filtered);
    } catch (...) {
        for (lookup& one : leading) {
            if (!one.landed) {
                flights_.crash(one.key, one.with, std::current_exception());
                counts_.add(&counters::failed);
            }
        }
        counts_.add(&counters::failed, joining.size());
        throw;
    }
    for (lookup& one : leading) {
        answers[one.at] = std::move(one.found);
    }
    await_all(joining, answers);
    return answers;
}

void guard_impl::board(lookup one, std::vector<lookup>& leading, std::vector<lookup>& joining) {
    flights::boarding boarding = flights_.board(one.key);
    one.with = std::move(boarding.trip);
    switch (boarding.is) {
    case flights::seat::excepted:
        counts_.add(&counters::excepted);
        break;
    case flights::seat::joined:
        joining.push_back(std::move(one));
        break;
    case flights::seat::leads:
        leading.push_back(std::move(one));
        break;
    }
}

void guard_impl::await_all(const std::vector<lookup>& joining, std::vector<answer>& answers) {
    std::size_t done = 0;
    try {
        for (; done < joining.size(); ++done) {
            const lookup& one = joining[done];
            answers[one.at] = flights_.wait(one.key, *one.with);
            counts_.add(&counters::joined);
        }
    } catch (...) {
        counts_.add(&counters::failed, joining.size() - done);
        throw;
    }
}

void guard_impl::look_up_together(std::vector<lookup>& lookups, bool filtered) {
    std::vector<lookup*> unknown;
    ask_cache(lookups, unknown);
    if (unknown.empty()) {
        return;
    }
    std::vector<std::string_view> keys;
    for (const lookup* one : unknown) {
        keys.push_back(one->key);
    }
    std::vector<answer> found = of_source([&] { return source_->get_many(keys); });
    if (found.size() != keys.size()) {
        throw store::store_error("the source returned a different number of answers than keys; "
                                 "fix its get_many");
    }
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        unknown[i]->found = std::move(found[i]);
    }
    land_together(unknown, filtered);
}

void guard_impl::ask_cache(std::vector<lookup>& lookups, std::vector<lookup*>& unknown) {
    std::vector<std::string_view> keys;
    for (const lookup& one : lookups) {
        keys.push_back(one.key);
    }
    std::vector<store::cached> known = cache_.get_many(keys);
    for (std::size_t i = 0; i < lookups.size(); ++i) {
        if (known[i].is == store::cached::knowledge::nothing) {
            unknown.push_back(&lookups[i]);
            continue;
        }
        const bool is_value = known[i].is == store::cached::knowledge::value;
        counts_.add(is_value ? &counters::cache_hits : &counters::cache_absences);
        if (is_value) {
            lookups[i].found = std::move(known[i].value);
        }
        flights_.land(lookups[i].key, lookups[i].with, {lookups[i].found, false, false});
        lookups[i].landed = true;
    }
}

void guard_impl::land_together(const std::vector<lookup*>& landing, bool filtered) {
    std::vector<store::entry> entries;
    std::deque<flights::filling> until_done;
    entries.reserve(landing.size());
    bool erred = false;
    for (lookup* one : landing) {
        count_found(one->found.has_value(), filtered);
        const bool absence = filtered && !one->found;
        erred = erred || absence;
        const bool settled = is_settled(one->key);
        const bool fills =
            flights_.land(one->key, one->with, {one->found, absence && settled, settled});
        one->landed = true;
        if (fills) {
            until_done.emplace_back(flights_, one->key);
            entries.push_back({one->key, one->found ? std::optional<std::string_view>(*one->found)
                                                    : std::nullopt});
        }
    }
    cache_.put(entries);
    until_done.clear();
    if (erred) {
        watch_rate();
    }
}

} // namespace bloomery::inline v0::detail
