// Redis as the cache before a source: one server or a cluster, entries that expire at different
// moments, and absences if they are wanted.
//
// An entry is a plain string at PREFIX + KEY. Its first byte says what it is: `v` and the value, or
// `n` alone for "the source has none". Anything else that stands there, of whatever type, was not
// written by a cache and says nothing.
#pragma once

#include <bloomery/guard/store.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/options.hpp>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::store {

/// How a cache in Redis keeps what it is given.
struct redis_cache_options {
    std::string prefix = "guard:"; ///< of all its keys: one of its own for each source
    std::chrono::milliseconds expiry{600'000};
    /// Each entry lives expiry * (1 +- jitter), by chance, so that entries which came together do
    /// not all leave the source alone in one moment.
    double jitter = 0.1;
    bool absences = false;                            ///< whether absences are remembered too
    std::chrono::milliseconds absence_expiry{30'000}; ///< with the same jitter
};

/// See above. A copy shares the connections. All calls may come from any thread, and are one round
/// trip each, in a cluster one to each server.
///
/// All throw unavailable if nobody answers in time, store_error for an error of the server's, and
/// std::bad_alloc. In both cases of the former some entries of a call may have been written.
class redis_cache {
public:
    /// Over a client that is there, with that client's patience. Throws bad_argument for an expiry
    /// that is not above zero or is longer than 100 years, and for a jitter outside [0, 1).
    explicit redis_cache(redis::client via, redis_cache_options how = {});

    /// Connects now if it can, and else when it is asked next: a cache that is down stops nobody
    /// from starting. A cache has to be fast or not to matter, so a patience, connect_timeout and
    /// answer_timeout that were left as they are by default become 100, 200 and 100 ms. Throws
    /// bad_argument as above and as redis::client does.
    explicit redis_cache(redis::options to, redis_cache_options how = {});

    /// What is known of a key. O(value).
    [[nodiscard]] cached get(std::string_view key);
    /// The same for many, in their order. O(keys + values).
    [[nodiscard]] std::vector<cached> get_many(keys all);
    /// Remembers values; and absences, if they are wanted, of keys that have no entry: a value is
    /// never replaced by an absence. O(entries).
    void put(std::span<const entry> entries);
    /// Forgets keys. O(keys).
    void erase(keys all);

    /// No entry lives longer. O(1).
    [[nodiscard]] std::chrono::milliseconds longest_life() const noexcept;

private:
    class body;
    std::shared_ptr<body> body_;
};

static_assert(cache<redis_cache>);

} // namespace bloomery::store
