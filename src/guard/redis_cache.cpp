#include <bloomery/error.hpp>
#include <bloomery/guard/redis_cache.hpp>
#include <bloomery/redis/client.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <utility>

namespace bloomery::inline v0::store {

namespace {

using std::chrono::milliseconds;

constexpr char value_mark = 'v';
constexpr char absence_mark = 'n';

/// Defaults for a cache: half a minute would be far too long.
redis::options hasty(redis::options of) {
    const redis::options usual;
    if (of.patience == usual.patience) of.patience = milliseconds{100};
    if (of.connect_timeout == usual.connect_timeout) of.connect_timeout = milliseconds{200};
    if (of.answer_timeout == usual.answer_timeout) of.answer_timeout = milliseconds{100};
    return of;
}

redis_cache_options checked(redis_cache_options how) {
    constexpr milliseconds longest = std::chrono::years{100}; // so that no sum below overflows
    for (const milliseconds life : {how.expiry, how.absence_expiry}) {
        if (life <= milliseconds{0} || life > longest) {
            throw bad_argument("cache entries must expire: give an expiry above zero and of at "
                               "most 100 years");
        }
    }
    if (!(how.jitter >= 0 && how.jitter < 1)) {
        throw bad_argument("the jitter is a fraction of the expiry: give 0 or more, below 1");
    }
    return how;
}

cached known(const redis::reply& told) {
    using enum cached::knowledge;
    if (told.is != redis::reply::type::text || told.text.empty()) return {};
    if (told.text.front() == value_mark) return {value, told.text.substr(1)};
    if (told.text.front() == absence_mark && told.text.size() == 1) return {absence};
    return {};
}

void require_done(const redis::answer& of) {
    if (!of.reply.is_error()) return;
    throw store_error(std::string("the cache in Redis reports an error: ").append(of.reply.text));
}

} // namespace

/// The client, once connected.
class redis_cache::impl {
public:
    impl(redis::client via, redis_cache_options how)
        : how_(checked(std::move(how))), via_(std::move(via)) {}

    impl(redis::options to, redis_cache_options how)
        : how_(checked(std::move(how))), to_(hasty(std::move(to))) {
        try {
            via_.emplace(to_);
            // NOLINTNEXTLINE(bugprone-empty-catch): the next call says why, if it still is so
        } catch (const redis::redis_error&) {
        }
    }

    [[nodiscard]] const redis_cache_options& how() const noexcept { return how_; }

    [[nodiscard]] std::string full(std::string_view key) const {
        return std::string(how_.prefix).append(key);
    }

    /// Sends all, and returns when all have arrived.
    std::vector<redis::answer> ask(std::span<const redis::request> all) {
        std::vector<redis::answer> answers;
        try {
            answers = connected().exchange(all);
        } catch (const redis::redis_error& e) {
            give_up(e.what());
        }
        for (const redis::answer& each : answers) {
            if (!each.arrived) give_up(each.failure);
        }
        return answers;
    }

    /// A random lifetime between life * (1 - jitter) and life * (1 + jitter), in milliseconds.
    std::int64_t with_jitter(milliseconds life) {
        const double chance = static_cast<double>(random() >> 11U) * 0x1p-53;
        const double part = 1 + how_.jitter * (2 * chance - 1);
        const auto drawn = std::floor(static_cast<double>(life.count()) * part);
        return std::max<std::int64_t>(static_cast<std::int64_t>(drawn), 1);
    }

private:
    [[noreturn]] static void give_up(const std::string& why) {
        throw unavailable(std::string("the cache in Redis does not answer: ").append(why));
    }

    /// Connects without the lock: parallel attempts are better than a queue of waiting threads.
    redis::client connected() {
        {
            const std::lock_guard lock(mutex_);
            if (via_) return *via_;
        }
        redis::client made(to_);
        const std::lock_guard lock(mutex_);
        if (!via_) via_ = std::move(made);
        return *via_;
    }

    /// splitmix64 of a counter: no two entries share a step, whichever thread writes them.
    std::uint64_t random() noexcept {
        std::uint64_t z = drawn_.fetch_add(0x9e3779b97f4a7c15U, std::memory_order_relaxed);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    const redis_cache_options how_;
    const redis::options to_{};
    std::mutex mutex_; ///< protects the pointer, not the client
    std::optional<redis::client> via_;
    std::atomic<std::uint64_t> drawn_ = std::random_device{}();
};

redis_cache::redis_cache(redis::client via, redis_cache_options how)
    : impl_(std::make_shared<impl>(std::move(via), std::move(how))) {}

redis_cache::redis_cache(redis::options to, redis_cache_options how)
    : impl_(std::make_shared<impl>(std::move(to), std::move(how))) {}

cached redis_cache::get(std::string_view key) { return std::move(get_many({&key, 1}).front()); }

std::vector<cached> redis_cache::get_many(keys all) {
    if (all.empty()) return {};
    std::vector<redis::request> gets;
    gets.reserve(all.size());
    for (const std::string_view key : all) {
        gets.push_back(redis::request::of("GET", impl_->full(key)));
    }
    std::vector<cached> found;
    found.reserve(all.size());
    for (const redis::answer& each : impl_->ask(gets)) {
        // A list or a hash under our prefix is not ours and carries no information.
        if (!each.reply.text.starts_with("WRONGTYPE")) require_done(each);
        found.push_back(known(each.reply));
    }
    return found;
}

void redis_cache::put(std::span<const entry> entries) {
    std::vector<redis::request> sets;
    sets.reserve(entries.size());
    const redis_cache_options& how = impl_->how();
    for (const entry& each : entries) {
        const std::string key = impl_->full(each.key);
        if (each.value) {
            const std::string value = std::string(1, value_mark).append(*each.value);
            const std::int64_t life = impl_->with_jitter(how.expiry);
            sets.push_back(redis::request::of("SET", key, value, "PX", life).writes());
        } else if (how.absences) {
            const std::int64_t life = impl_->with_jitter(how.absence_expiry);
            const std::string_view mark(&absence_mark, 1);
            sets.push_back(redis::request::of("SET", key, mark, "PX", life, "NX").writes());
        }
    }
    if (sets.empty()) return;
    for (const redis::answer& each : impl_->ask(sets)) require_done(each);
}

void redis_cache::erase(keys all) {
    if (all.empty()) return;
    std::vector<redis::request> unlinks;
    unlinks.reserve(all.size());
    for (const std::string_view key : all) {
        unlinks.push_back(redis::request::of("UNLINK", impl_->full(key)).writes());
    }
    for (const redis::answer& each : impl_->ask(unlinks)) require_done(each);
}

milliseconds redis_cache::longest_life() const noexcept {
    const redis_cache_options& how = impl_->how();
    const milliseconds longest =
        how.absences ? std::max(how.expiry, how.absence_expiry) : how.expiry;
    return milliseconds(static_cast<milliseconds::rep>(
        std::ceil(static_cast<double>(longest.count()) * (1 + how.jitter))));
}

} // namespace bloomery::inline v0::store
