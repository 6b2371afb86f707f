// Filters in Redis, for the verbs: the one door to the client, shut where the command was built
// without it.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "options/redis_options.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace bloomery::cli {

/// What a new filter in Redis is made from.
struct redis_creation {
    std::optional<items> n{};
    std::optional<rate> p{};
    std::optional<bits> m{}; ///< and k: only of one that is not split
    std::optional<hashes> k{};
    bytes largest_shard{};
    bool redisson = false; ///< not split, as Redisson makes them
};

/// A server or a cluster that was connected to. Each call throws what redis::redis_filter does;
/// long ones draw a progress line.
class redis_access {
public:
    redis_access() = default;
    redis_access(const redis_access&) = delete;
    redis_access& operator=(const redis_access&) = delete;
    virtual ~redis_access() = default;

    /// The filter of that name, or the bitmap of --redis-scheme; its inserts wait for the replicas
    /// that were asked for.
    [[nodiscard]] virtual any_filter open(const std::string& name) = 0;
    [[nodiscard]] virtual bool exists(const std::string& name) = 0;
    [[nodiscard]] virtual any_filter create(const std::string& name,
                                            const redis_creation& from) = 0;
    /// The filter of that name, or a new one; of many who call it at once one makes it.
    [[nodiscard]] virtual any_filter open_or_create(const std::string& name, items n, rate p) = 0;

    /// See redis_filter::try_insert_many. `in` must come from here.
    virtual void claim(any_filter& in, any_filter::digests keys, bitmap& fresh,
                       bitmap& doubtful) = 0;

    virtual void push(const any_filter& from, const std::string& name) = 0;
    /// As a key for the commands BF.*: see redis::load_into_module.
    virtual void load(const any_filter& from, const std::string& key, bool replace,
                      std::uint32_t growth) = 0;
    [[nodiscard]] virtual any_filter pull(const std::string& name) = 0;
    /// Also drops an incomplete filter whose creator died. Returns whether there was one.
    virtual bool drop(const std::string& name) = 0;
    virtual void rename(const std::string& name, const std::string& to) = 0;
    virtual void copy(const std::string& name, const std::string& to) = 0;
    virtual void expire(const std::string& name, std::chrono::seconds after) = 0;
    virtual void persist(const std::string& name) = 0;
    /// How long it still has; nothing if it does not expire.
    [[nodiscard]] virtual std::optional<std::chrono::seconds>
    time_left(const std::string& name) = 0;
};

/// Connects. Throws bad_argument for no URL, redis::unreachable, redis::refused, and unsupported
/// where the command was built without Redis.
[[nodiscard]] std::unique_ptr<redis_access> connect_to_redis(const redis_options& to);

} // namespace bloomery::cli
