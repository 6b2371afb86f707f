#include <bloomery/error.hpp>
#include <bloomery/guard/redis_cache.hpp>
#include <bloomery/redis/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <utility>

namespace bloomery::store {

namespace {

using std::chrono::milliseconds;

constexpr char value_mark = 'v';
constexpr char absence_mark = 'n';

/// Whoever left a time alone did not mean half a minute for a cache.
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
            throw bad_argument("entries of a cache live a while and not for ever: give an expiry "
                               "above zero, of 100 years at most");
        }
    }
    if (!(how.jitter >= 0 && how.jitter < 1)) {
        throw bad_argument("the jitter of an expiry is a share of it: give 0 or more, below 1");
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
    throw store_error(std::string("the cache in Redis refuses: ").append(of.reply.text));
}

} // namespace

/// The connections, once there are some.
class redis_cache::body {
public:
    body(redis::client via, redis_cache_options how)
        : how_(checked(std::move(how))), via_(std::move(via)) {}

    body(redis::options to, redis_cache_options how)
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

    /// A life between life * (1 - jitter) and life * (1 + jitter), in milliseconds.
    std::int64_t spread(milliseconds life) {
        const double chance = static_cast<double>(random() >> 11U) * 0x1p-53;
        const double part = 1 + how_.jitter * (2 * chance - 1);
        const auto drawn = std::floor(static_cast<double>(life.count()) * part);
        return std::max<std::int64_t>(static_cast<std::int64_t>(drawn), 1);
    }

private:
    [[noreturn]] static void give_up(const std::string& why) {
        throw unavailable(std::string("the cache in Redis does not answer: ").append(why));
    }

    /// Connects without the lock: several at once are better than a queue of those who wait.
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

    /// splitmix64 of a counter: two entries never share a step, whoever writes them.
    std::uint64_t random() noexcept {
        std::uint64_t z = drawn_.fetch_add(0x9e3779b97f4a7c15U, std::memory_order_relaxed);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    const redis_cache_options how_;
    const redis::options to_{};
    std::mutex mutex_; ///< of the client's place, not of the client
    std::optional<redis::client> via_;
    std::atomic<std::uint64_t> drawn_ = std::random_device{}();
};

redis_cache::redis_cache(redis::client via, redis_cache_options how)
    : body_(std::make_shared<body>(std::move(via), std::move(how))) {}

redis_cache::redis_cache(redis::options to, redis_cache_options how)
    : body_(std::make_shared<body>(std::move(to), std::move(how))) {}

cached redis_cache::get(std::string_view key) { return std::move(get_many({&key, 1}).front()); }

std::vector<cached> redis_cache::get_many(keys all) {
    if (all.empty()) return {};
    std::vector<redis::request> gets;
    gets.reserve(all.size());
    for (const std::string_view key : all) {
        gets.push_back(redis::request::of("GET", body_->full(key)));
    }
    std::vector<cached> found;
    found.reserve(all.size());
    for (const redis::answer& each : body_->ask(gets)) {
        // A list or a hash under our prefix is somebody's, but no knowledge.
        if (!each.reply.text.starts_with("WRONGTYPE")) require_done(each);
        found.push_back(known(each.reply));
    }
    return found;
}

void redis_cache::put(std::span<const entry> entries) {
    std::vector<redis::request> sets;
    sets.reserve(entries.size());
    const redis_cache_options& how = body_->how();
    for (const entry& each : entries) {
        const std::string key = body_->full(each.key);
        if (each.value) {
            const std::string value = std::string(1, value_mark).append(*each.value);
            const std::int64_t life = body_->spread(how.expiry);
            sets.push_back(redis::request::of("SET", key, value, "PX", life).writes());
        } else if (how.absences) {
            const std::int64_t life = body_->spread(how.absence_expiry);
            const std::string_view mark(&absence_mark, 1);
            sets.push_back(redis::request::of("SET", key, mark, "PX", life, "NX").writes());
        }
    }
    if (sets.empty()) return;
    for (const redis::answer& each : body_->ask(sets)) require_done(each);
}

void redis_cache::erase(keys all) {
    if (all.empty()) return;
    std::vector<redis::request> unlinks;
    unlinks.reserve(all.size());
    for (const std::string_view key : all) {
        unlinks.push_back(redis::request::of("UNLINK", body_->full(key)).writes());
    }
    for (const redis::answer& each : body_->ask(unlinks)) require_done(each);
}

milliseconds redis_cache::longest_life() const noexcept {
    const redis_cache_options& how = body_->how();
    const milliseconds longest =
        how.absences ? std::max(how.expiry, how.absence_expiry) : how.expiry;
    return milliseconds(static_cast<milliseconds::rep>(
        std::ceil(static_cast<double>(longest.count()) * (1 + how.jitter))));
}

} // namespace bloomery::store
