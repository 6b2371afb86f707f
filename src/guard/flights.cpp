#include "flights.hpp"

#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/key/bytes.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace bloomery::inline v0::detail {

// Keyed, so that an attacker cannot choose keys that share a stripe.
std::size_t flights::key_hash::operator()(std::string_view text) const noexcept {
    return static_cast<std::size_t>(hash::siphash13_64{secret}(bytes_of(text)).value);
}

flights::flights(std::uint64_t most_exceptions) : hash_{hash::random_key()} {
    exception_options options;
    options.most_entries = std::max<std::uint64_t>(16, most_exceptions / stripe_count);
    options.evict_oldest = true;
    options.fingerprints = true; // clients choose the length of absent keys
    options.key = hash::random_key();
    for (std::unique_ptr<stripe>& one : stripes_) {
        one = std::make_unique<stripe>(options, hash_);
    }
}

flights::stripe& flights::of(std::string_view key) const {
    return *stripes_[(hash_(key) >> 32U) % stripe_count];
}

flights::traffic_map::iterator flights::find(stripe& in, std::string_view key) {
    const auto found = in.keys.find(key);
    return found != in.keys.end() ? found : in.keys.emplace(std::string(key), traffic{}).first;
}

void flights::tidy(stripe& in, traffic_map::iterator at) {
    const traffic& now = at->second;
    if (now.writers == 0 && now.fills == 0 && now.latest == nullptr) {
        in.keys.erase(at);
    }
}

flights::boarding flights::board(std::string_view key) {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    if (here.listed.entry_count() != 0 && here.listed.contains({bytes_of(key)})) {
        return {seat::excepted};
    }
    traffic& now = find(here, key)->second;
    if (now.latest != nullptr && !now.latest->overtaken) {
        return {seat::joined, now.latest};
    }
    now.latest = std::make_shared<flight>();
    now.latest->overtaken = now.writers != 0;
    return {seat::leads, now.latest};
}

std::optional<std::string> flights::wait(std::string_view key, const flight& trip) {
    stripe& here = of(key);
    std::unique_lock lock(here.mutex);
    here.changed.wait(lock, [&] { return trip.landed; });
    if (trip.failure) {
        std::rethrow_exception(trip.failure);
    }
    return trip.value;
}

void flights::settle(stripe& in, traffic_map::iterator at, const std::shared_ptr<flight>& trip) {
    trip->landed = true;
    if (at->second.latest == trip && at->second.fills == 0) {
        at->second.latest.reset();
    }
    tidy(in, at);
    in.changed.notify_all();
}

bool flights::land(std::string_view key, const std::shared_ptr<flight>& trip, finding found) {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    const auto at = find(here, key);
    trip->value = std::move(found.value);
    const bool holds = !trip->overtaken;
    if (holds && found.absence) {
        here.listed.add({bytes_of(key)});
    }
    const bool fills = holds && found.fills;
    at->second.fills += fills ? 1 : 0;
    settle(here, at, trip);
    return fills;
}

void flights::crash(std::string_view key, const std::shared_ptr<flight>& trip,
                    std::exception_ptr failure) {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    trip->failure = std::move(failure);
    settle(here, find(here, key), trip);
}

void flights::filled(std::string_view key) {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    const auto at = find(here, key);
    --at->second.fills;
    if (at->second.fills == 0 && at->second.latest != nullptr && at->second.latest->landed) {
        at->second.latest.reset();
    }
    tidy(here, at);
    here.changed.notify_all();
}

flights::writing flights::begin_write(std::string_view key) {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    traffic& now = find(here, key)->second;
    ++now.writers;
    if (now.latest != nullptr) {
        now.latest->overtaken = true;
    }
    here.listed.erase({bytes_of(key)});
    return {++now.writes, now.writers == 1};
}

void flights::await_fills(std::string_view key) {
    stripe& here = of(key);
    std::unique_lock lock(here.mutex);
    here.changed.wait(lock, [&] { return find(here, key)->second.fills == 0; });
}

void flights::end_write(std::string_view key, const writing& one, bool absence) noexcept {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    const auto at = here.keys.find(key);
    if (absence && one.alone && at->second.writes == one.number) {
        try {
            here.listed.add({bytes_of(key)});
        } catch (const std::bad_alloc&) { // the source will be asked once more
        }
    }
    --at->second.writers;
    tidy(here, at);
}

void flights::contradict(std::string_view key) {
    stripe& here = of(key);
    const std::lock_guard lock(here.mutex);
    here.listed.erase({bytes_of(key)});
    if (const auto found = here.keys.find(key);
        found != here.keys.end() && found->second.latest != nullptr) {
        found->second.latest->overtaken = true;
    }
}

std::uint64_t flights::exception_count() const {
    std::uint64_t sum = 0;
    for (const std::unique_ptr<stripe>& one : stripes_) {
        const std::lock_guard lock(one->mutex);
        sum += one->listed.entry_count();
    }
    return sum;
}

} // namespace bloomery::inline v0::detail
