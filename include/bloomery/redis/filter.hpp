// Bloom filters whose bits are stored in plain Redis or Redis Cluster, shared by every process that
// can reach it. No module is needed.
//
// A filter named `seen` is split into shards, so that no command touches a large value:
//
//     {seen}:split           hash     number of shards, their size, capacity and rate
//     seen:{seen:0}          string   the bits of shard 0, and a mark after the last one
//     seen:{seen:0}:config   hash     its size, as Redisson stores it
//     seen:{seen:1} ...
//
// All bits of a key are in one shard. The part in braces determines the slot: the two keys of a
// shard stay together, and the shards spread over a cluster. Each shard is bit for bit an
// RBloomFilter of Redisson. A filter that is not split is exactly Redisson's: `seen` and
// `{seen}:config`. docs/redis.md has the details.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/derived_calls.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/redis/probes.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::redis {

struct filter_facts;

/// Reports the progress of a long call: bytes done, and the total.
using progress_consumer = std::function<void(std::uint64_t done, std::uint64_t of)>;

/// A filter in Redis. It is a handle: copies refer to the same filter. Any number of threads,
/// processes and machines may insert and query at the same time; an inserted key is visible to all
/// as soon as the call returns.
///
/// Every call throws unreachable if no server answers within the client's `patience`, refused if a
/// server answers with an error, no_such_filter if the filter was dropped meanwhile, data_lost if a
/// part of it is missing. A call that finds the filter recreated with another size continues with
/// the new one. A moved-from handle denies every key, and other calls that need the filter throw
/// bad_argument. Costs are given for n keys with k bits each.
class BLOOMERY_EXPORT redis_filter : public bloomery::detail::derived_calls<redis_filter> {
public:
    /// The name that any_filter, which accepts it through std::in_place, uses in error messages.
    static constexpr const char* noun = "a filter in Redis";
    using derived_calls::may_contain_many;
    using derived_calls::try_insert_many;
    using digest_type = digest128;

    /// Creates a split filter for n keys at the rate p, with shards of at most `largest_shard`
    /// bytes. All memory is allocated at once: O(bits / 8). Throws already_exists, and bad_argument
    /// for invalid sizes and for a name that is empty or has braces.
    [[nodiscard]] static redis_filter create(client via, std::string name, items n, rate p,
                                             bytes largest_shard = {std::uint64_t{8} << 20U},
                                             const progress_consumer& tell = {});

    /// The same from a planned shape. With one shard, it is still a split filter.
    [[nodiscard]] static redis_filter create(client via, std::string name,
                                             const plan::split_shape& shape, design made_for,
                                             const progress_consumer& tell = {});

    /// Creates a filter that is not split, like Redisson's tryInit: O(1), with its formula and its
    /// limit of 4294967294 bits. Throws as above; a name may have braces.
    [[nodiscard]] static redis_filter create_redisson(client via, std::string name, items n,
                                                      rate p);
    /// The same from a number of bits and hashes.
    [[nodiscard]] static redis_filter create_redisson(client via, std::string name, bits m,
                                                      hashes k, design made_for);

    /// Opens the filter of that name, split or not. O(1). Throws no_such_filter, and bad_data if
    /// the stored data is not a valid config.
    [[nodiscard]] static redis_filter open(client via, std::string name);

    /// Opens the filter of that name, or creates it; if several callers do this at the same time,
    /// one creates it and the others wait.
    [[nodiscard]] static redis_filter open_or_create(client via, std::string name, items n, rate p,
                                                     bytes largest_shard = {std::uint64_t{8}
                                                                            << 20U});

    /// The bitmap that programs fill with SETBIT, using Java's hash code under six masks: the
    /// scheme hash-code-6, bugs included, or hash-code-6-mended. It has no config, so its existence
    /// cannot be checked. O(1). Throws bad_argument for another scheme.
    [[nodiscard]] static redis_filter setbit(client via, std::string key, layout::scheme_id scheme);

    /// Uploads a filter from memory, with the scheme redisson (not split) or redisson-split. The
    /// bits are sent shard by shard, and the filter is invisible until it is complete. O(bits / 8).
    /// Throws already_exists, and incompatible for a filter of another scheme.
    [[nodiscard]] static redis_filter push(client via, std::string name, const any_filter& from,
                                           const progress_consumer& tell = {});

    /// Whether a filter of that name exists. O(1).
    [[nodiscard]] static bool exists(client via, const std::string& name);

    /// From now on, inserts through this handle return only when `count` replicas have them (WAIT).
    /// Initially 0. O(1), never throws.
    void wait_for_replicas(unsigned count) noexcept { replicas_ = count; }

    // Keys. As everywhere, a key is anything that the concept `key` allows, or its digest.

    /// What a key is hashed to. O(key).
    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        if constexpr (std::same_as<Key, digest128>) {
            return key;
        } else {
            return probing_.digest(key);
        }
    }

    /// Whether some keys have no position, as with hash-code-6; require_place throws no_place for
    /// such a key, without a round trip. O(k).
    [[nodiscard]] bool may_lack_places() const noexcept { return probing_.may_lack_places(); }
    template <class Key>
    void require_place(const Key& key) const {
        probing_.require_places(shape(), digest(key));
    }

    /// Adds a key. O(k), one round trip.
    template <class Key>
    void insert(const Key& key) {
        (void)insert_one(digest(key));
    }
    /// Adds a key; true if it was definitely new. If the answer was lost on the way, returns false:
    /// see try_insert_many.
    template <class Key>
    [[nodiscard]] bool try_insert(const Key& key) {
        return insert_one(digest(key));
    }
    /// False: the key was definitely never inserted. O(k), one round trip.
    template <class Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        const digest128 one = digest(key);
        return ask_one(one);
    }

    // Up to 8192 keys take one round trip, to all servers at the same time; more keys are sent in
    // groups of that size.

    /// Adds all keys. O(n k). Throws partly_stored if it does not complete.
    void insert_many(std::span<const digest128> keys);
    /// Queries all keys; bit i is the answer for key i. O(n k).
    void may_contain_many(std::span<const digest128> keys, bitmap& maybe) const;

    /// Adds all keys, and sets bit i of `fresh` if key i was definitely new. If several
    /// callers insert one key at the same time, exactly one is told that it is new, unless its
    /// answer is lost or the filter was recreated. Then the call inserts again, finds the key
    /// present, and sets its bit in `doubtful`, because the key may be new after all. Throws
    /// partly_stored. Whatever it throws, `fresh` covers the keys that are known to be stored, and
    /// all others are doubtful.
    void try_insert_many(std::span<const digest128> keys, bitmap& fresh, bitmap& doubtful);
    void try_insert_many(std::span<const digest128> keys, bitmap& fresh);

    /// The same three calls for ranges of keys that are not hashed yet.
    template <std::ranges::input_range Keys>
        requires(!std::convertible_to<Keys, std::span<const digest128>>)
    void insert_many(const Keys& keys) {
        insert_many(hashed(keys));
    }
    template <std::ranges::input_range Keys>
        requires(!std::convertible_to<Keys, std::span<const digest128>>)
    void may_contain_many(const Keys& keys, bitmap& maybe) const {
        may_contain_many(hashed(keys), maybe);
    }
    template <std::ranges::input_range Keys>
        requires(!std::convertible_to<Keys, std::span<const digest128>>)
    void try_insert_many(const Keys& keys, bitmap& fresh) {
        try_insert_many(hashed(keys), fresh);
    }
    template <std::ranges::input_range Keys>
        requires(!std::convertible_to<Keys, std::span<const digest128>>)
    void try_insert_many(const Keys& keys, bitmap& fresh, bitmap& doubtful) {
        try_insert_many(hashed(keys), fresh, doubtful);
    }

    // Whole-filter operations. None of these is atomic: do not insert while one of them runs.

    /// Removes the filter; a no-op if it does not exist. O(shards).
    void drop();
    /// The same by name, also for an incomplete filter whose creator died. Returns whether there
    /// was one.
    static bool drop(client via, const std::string& name);
    /// Removes all keys. O(bits / 8).
    void clear();
    /// Renames the filter and this handle. On one server this is one step; in a cluster the filter
    /// is copied and dropped. Throws already_exists.
    void rename(std::string to);
    /// Copies the filter, shard by shard through this client. O(bits / 8). Throws already_exists.
    redis_filter copy(std::string to, const progress_consumer& tell = {}) const;
    /// Makes all Redis keys of the filter expire at the same moment after `time`; `persist` removes
    /// the expiry. O(shards).
    void expire_after(std::chrono::seconds time);
    void persist();
    /// The time until it expires; nothing if it does not. O(1).
    [[nodiscard]] std::optional<std::chrono::seconds> time_left() const;

    /// Downloads the filter into memory, with the same scheme, in slices. O(bits / 8). Throws
    /// memory_refused.
    [[nodiscard]] any_filter pull(const progress_consumer& tell = {}) const;

    // Facts.

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] bool is_split() const;
    /// O(1). A filter that is not split has one shard.
    [[nodiscard]] plan::split_shape shape() const;
    [[nodiscard]] bloomery::spec spec() const;
    [[nodiscard]] design made_for() const;
    /// From the number of ones in each shard (BITCOUNT, in slices). O(bits), on the servers.
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n distinct keys. Milliseconds.
    [[nodiscard]] double rate_at(items n) const;
    /// The size of the bits, in bytes. O(1).
    [[nodiscard]] std::uint64_t byte_count() const;
    /// The key layout: shards, their sizes, servers. O(shards).
    [[nodiscard]] std::vector<fact> facts() const;
    /// The Redis key of shard i, and the shard of the key with this digest. O(1).
    [[nodiscard]] std::string key_of_shard(std::uint64_t shard) const;
    [[nodiscard]] std::uint64_t shard_of(digest128 key) const;

private:
    friend class filter_calls;
    struct state; // what is known about the filter, shared by the copies of a handle

    redis_filter(client via, std::string name, probing how, std::shared_ptr<state> known);

    template <class Keys>
    [[nodiscard]] std::vector<digest128> hashed(const Keys& keys) const {
        std::vector<digest128> made;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            made.push_back(digest(key));
        }
        return made;
    }
    /// What the handle knows. Throws bad_argument if it was moved from.
    [[nodiscard]] filter_facts known() const;
    [[nodiscard]] filter_facts current() const;
    [[nodiscard]] bool insert_one(digest128 key);
    [[nodiscard]] bool ask_one(digest128 key) const;

    mutable client via_;
    std::string name_;
    probing probing_;
    std::shared_ptr<state> state_;
    unsigned replicas_ = 0;
};

} // namespace bloomery::inline v0::redis
