#include "body.hpp"
#include "of_source.hpp"

#include <deque>

namespace bloomery::detail {

/// One of many keys on its way.
struct guard_core::body::traveller {
    std::string_view key;
    std::size_t at; ///< in the caller's order
    std::shared_ptr<flight> with{};
    answer found{};
    bool landed = false;
};

// Whoever leads lands before it waits for others, so that no two wait for each other. A key that
// comes twice in one call joins itself.
std::vector<std::optional<std::string>> guard_core::body::get_many(store::keys keys) {
    std::vector<answer> answers(keys.size());
    bitmap maybe;
    bool filtered = false;
    {
        const timed here(counts_, tally::filter_calls, tally::filter_ns);
        filtered = front_.ask_many(keys, maybe);
    }
    if (!filtered) {
        want_filter();
    }
    std::vector<traveller> leading;
    std::vector<traveller> joining;
    const std::size_t possible = filtered ? maybe.count() : keys.size();
    leading.reserve(possible); // so that who has boarded is known, whatever happens
    joining.reserve(possible);
    try {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (filtered && !maybe[i]) {
                answers[i] = refuse(keys[i]);
            } else {
                board({keys[i], i}, leading, joining);
            }
        }
        travel_together(leading, filtered);
    } catch (...) {
        for (traveller& one : leading) {
            if (!one.landed) {
                flights_.crash(one.key, one.with, std::current_exception());
                counts_.add(tally::failed);
            }
        }
        counts_.add(tally::failed, joining.size());
        throw;
    }
    for (traveller& one : leading) {
        answers[one.at] = std::move(one.found);
    }
    await_all(joining, answers);
    return answers;
}

void guard_core::body::board(traveller one, std::vector<traveller>& leading,
                             std::vector<traveller>& joining) {
    flights::boarding boarding = flights_.board(one.key);
    one.with = std::move(boarding.trip);
    switch (boarding.is) {
    case flights::seat::excepted:
        counts_.add(tally::excepted);
        break;
    case flights::seat::joined:
        joining.push_back(std::move(one));
        break;
    case flights::seat::leads:
        leading.push_back(std::move(one));
        break;
    }
}

void guard_core::body::await_all(const std::vector<traveller>& joining,
                                 std::vector<answer>& answers) {
    std::size_t done = 0;
    try {
        for (; done < joining.size(); ++done) {
            const traveller& one = joining[done];
            answers[one.at] = flights_.wait(one.key, *one.with);
            counts_.add(tally::joined);
        }
    } catch (...) {
        counts_.add(tally::failed, joining.size() - done);
        throw;
    }
}

void guard_core::body::travel_together(std::vector<traveller>& trips, bool filtered) {
    std::vector<traveller*> unknown;
    ask_cache(trips, unknown);
    if (unknown.empty()) {
        return;
    }
    std::vector<std::string_view> keys;
    for (const traveller* one : unknown) {
        keys.push_back(one->key);
    }
    std::vector<answer> found = of_source([&] { return source_->get_many(keys); });
    if (found.size() != keys.size()) {
        throw store::store_error("the source answered for another number of keys than it was asked "
                                 "for; mend its get_many");
    }
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        unknown[i]->found = std::move(found[i]);
    }
    land_together(unknown, filtered);
}

void guard_core::body::ask_cache(std::vector<traveller>& trips, std::vector<traveller*>& unknown) {
    std::vector<std::string_view> keys;
    for (const traveller& one : trips) {
        keys.push_back(one.key);
    }
    std::vector<store::cached> known = cache_.get_many(keys);
    for (std::size_t i = 0; i < trips.size(); ++i) {
        if (known[i].is == store::cached::knowledge::nothing) {
            unknown.push_back(&trips[i]);
            continue;
        }
        const bool is_value = known[i].is == store::cached::knowledge::value;
        counts_.add(is_value ? tally::cache_hits : tally::cache_absences);
        if (is_value) {
            trips[i].found = std::move(known[i].value);
        }
        flights_.land(trips[i].key, trips[i].with, {trips[i].found, false, false});
        trips[i].landed = true;
    }
}

void guard_core::body::land_together(const std::vector<traveller*>& landing, bool filtered) {
    std::vector<store::entry> entries;
    std::deque<flights::filling> until_done;
    entries.reserve(landing.size());
    bool erred = false;
    for (traveller* one : landing) {
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

} // namespace bloomery::detail
