// Redis as the cache in front of a source: one server or a cluster, entries that expire with
// jitter, and optional caching of absences.
//
// An entry is a plain string at PREFIX + KEY. Its first byte says what it is: `v` followed by the
// value, or `n` alone for "the source has none". Anything else, of whatever type, was not written
// by this cache and is ignored.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/guard/store.hpp>
#include <bloomery/redis/client.hpp>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::store {

/// How a cache in Redis stores its entries.
struct redis_cache_options {
    std::string prefix = "guard:"; ///< of all its keys; give each source its own
    std::chrono::milliseconds expiry{600'000};
    /// Each entry lives for a random time within expiry * (1 +- jitter), so that entries created
    /// together do not expire together.
    double jitter = 0.1;
    bool absences = false;                            ///< whether absences are stored too
    std::chrono::milliseconds absence_expiry{30'000}; ///< with the same jitter
};

/// A cache in Redis. Copies share the connections. Thread-safe; each call is one round trip, in a
/// cluster one per server.
///
/// All calls throw unavailable if no server answers in time, store_error if the server returns an
/// error, and std::bad_alloc. In the first two cases, some entries of a call may have been written.
class BLOOMERY_EXPORT redis_cache {
public:
    /// Uses an existing client, with its `patience`. Throws bad_argument for an expiry that is not
    /// above zero or is longer than 100 years, and for a jitter outside [0, 1).
    explicit redis_cache(redis::client via, redis_cache_options how = {});

    /// Connects now if possible, and otherwise at the next call: a cache that is down does not
    /// prevent a service from starting. A slow cache is worse than none, so unless you change them,
    /// patience, connect_timeout and answer_timeout are 100, 200 and 100 ms. Throws bad_argument as
    /// above and as redis::client does.
    explicit redis_cache(redis::options to, redis_cache_options how = {});

    /// What is known about a key. O(value).
    [[nodiscard]] cached get(std::string_view key);
    /// The same for many keys, in order. O(keys + values).
    [[nodiscard]] std::vector<cached> get_many(keys all);
    /// Stores values, and absences, if enabled, for keys without an entry: a value is never
    /// replaced by an absence. O(entries).
    void put(std::span<const entry> entries);
    /// Removes keys. O(keys).
    void erase(keys all);

    /// The maximum lifetime of an entry. O(1).
    [[nodiscard]] std::chrono::milliseconds longest_life() const noexcept;

private:
    class impl;
    std::shared_ptr<impl> impl_;
};

static_assert(cache<redis_cache>);

} // namespace bloomery::inline v0::store
