// Bloom filters whose bits lie in a plain Redis or a Redis Cluster, shared by everybody who can
// reach it. No module is needed.
//
// A filter named `seen` is split into shards, so that no command touches a large value:
//
//     {seen}:split           hash     how many shards, their size, what they are for
//     seen:{seen:0}          string   the bits of shard 0, and a mark behind the last one
//     seen:{seen:0}:config   hash     its size, as Redisson keeps it
//     seen:{seen:1} ...
//
// All bits of a key lie in one shard. What stands in the braces decides the slot: the two keys of a
// shard stay together, and the shards spread over a cluster. Each shard is a whole filter of
// Redisson's RBloomFilter, whose bits it is to the letter. A filter that is not split is exactly
// Redisson's: `seen` and `{seen}:config`. docs/redis.md tells the rest.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/digest_of.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/split.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/error.hpp>
#include <bloomery/redis/probes.hpp>
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

namespace bloomery::redis {

struct filter_facts;

/// Tells how far a long call has come: bytes done, of how many.
using progress_consumer = std::function<void(std::uint64_t done, std::uint64_t of)>;

/// A filter in Redis. A handle: copies of it are the same filter. Any number of threads, processes
/// and machines may insert and ask at once; a key that one inserted is there for all others as soon
/// as the call returns.
///
/// Every call throws unreachable when no server answers within the patience of the client, refused
/// when one answers with an error, missing when the filter was dropped meanwhile, lost when a part
/// of it is gone. One that finds the filter made anew with another size goes on with that one.
/// Costs are given for n keys with k bits each.
class redis_filter {
public:
    using digest_type = digest128;

    /// Makes a split filter for n keys at the rate p, of shards that have at most so many bytes.
    /// All memory is taken at once: O(bits / 8). Throws exists, bad_argument for what no filter can
    /// be made of and for a name that is empty or has braces.
    [[nodiscard]] static redis_filter create(client via, std::string name, items n, rate p,
                                             bytes largest_shard = {std::uint64_t{8} << 20U},
                                             const progress_consumer& tell = {});

    /// The same of a shape that was planned before. With one shard, it is a split one all the same.
    [[nodiscard]] static redis_filter create(client via, std::string name,
                                             const plan::split_shape& shape, design made_for,
                                             const progress_consumer& tell = {});

    /// Makes a filter that is not split, as Redisson's tryInit does: O(1), with its formula and its
    /// limit of 4294967294 bits. Throws as above; a name may have braces.
    [[nodiscard]] static redis_filter create_redisson(client via, std::string name, items n,
                                                      rate p);
    /// The same of so many bits and hashes.
    [[nodiscard]] static redis_filter create_redisson(client via, std::string name, bits m,
                                                      hashes k, design made_for);

    /// The filter of that name, of either sort. O(1). Throws missing, bad_data if what lies there
    /// is no config of a filter.
    [[nodiscard]] static redis_filter open(client via, std::string name);

    /// That of the name, or a new one; of many who call it at once one makes it, and the others
    /// wait.
    [[nodiscard]] static redis_filter open_or_create(client via, std::string name, items n, rate p,
                                                     bytes largest_shard = {std::uint64_t{8}
                                                                            << 20U});

    /// The bitmap that programs fill with SETBIT by Java's hash code under six masks: the scheme
    /// hash-code-6, mistakes included, or hash-code-6-mended. It has no config, so nobody can tell
    /// whether it exists. O(1). Throws bad_argument for another scheme.
    [[nodiscard]] static redis_filter setbit(client via, std::string key, layout::scheme_id scheme);

    /// Makes one with the bits of a filter in memory: of the scheme redisson, which is not split,
    /// or of redisson-split. The bits go shard by shard, and nobody finds the filter before all are
    /// there. O(bits / 8). Throws exists, incompatible for a filter of another scheme.
    [[nodiscard]] static redis_filter push(client via, std::string name, const any_filter& from,
                                           const progress_consumer& tell = {});

    /// Whether there is a filter of that name. O(1).
    [[nodiscard]] static bool exists(client via, const std::string& name);

    /// From now on, inserts of this handle are done only when so many replicas have them (WAIT).
    /// 0 at first. O(1), never throws.
    void wait_for_replicas(unsigned count) noexcept { replicas_ = count; }

    // Keys. As everywhere, a key is anything that concept `key` allows, or its digest.

    /// What a key is hashed to. O(key).
    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        if constexpr (std::same_as<Key, digest128>) {
            return key;
        } else {
            return probing_.digest(key);
        }
    }

    /// Whether some keys have no place, as with hash-code-6; and throws no_place for one of them,
    /// without a round trip. O(k).
    [[nodiscard]] bool may_lack_places() const noexcept { return probing_.may_lack_places(); }
    template <class Key>
    void require_place(const Key& key) const {
        probing_.require_places(shape(), digest(key));
    }

    /// Adds a key; true if it surely was not in before. O(k), one round trip.
    template <class Key>
    bool insert(const Key& key) {
        const digest128 one = digest(key);
        return insert_one(one);
    }
    /// The same. An answer that was lost on the way is false: see try_insert_many.
    template <class Key>
    [[nodiscard]] bool try_insert(const Key& key) {
        return insert(key);
    }
    /// False: the key was surely never inserted. O(k), one round trip.
    template <class Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        const digest128 one = digest(key);
        return ask_one(one);
    }

    // Up to 8192 keys go in one round trip, in which all servers are asked at once; of more, so
    // many at a time.

    /// Adds all keys. O(n k). Throws partly_stored if it does not come to its end.
    void insert_many(std::span<const digest128> keys);
    /// Asks for all; bit i is the answer for key i. O(n k).
    void may_contain_many(std::span<const digest128> keys, bitmap& maybe) const;

    /// Adds all keys, and bit i of `fresh` is set if key i surely was not in before. Of all who
    /// insert one key at once exactly one is told so, unless its answer is lost, or the filter was
    /// made anew: then the call inserts again, finds the key in, and sets its bit in `doubtful`,
    /// for the key may be new after all. Throws partly_stored. Whatever it throws, `fresh` tells of
    /// the keys that are known to be stored, and all others are doubtful.
    void try_insert_many(std::span<const digest128> keys, bitmap& fresh, bitmap& doubtful);
    void try_insert_many(std::span<const digest128> keys, bitmap& fresh);

    /// The three for ranges of keys that are not hashed yet.
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

    // The filter as a whole. None of these is one command: while one of them works, nobody may
    // insert.

    /// Removes it; no filter is no error. O(shards).
    void drop();
    /// The same by name, also of one whose maker died at it. Tells whether there was one.
    static bool drop(client via, const std::string& name);
    /// Forgets every key. O(bits / 8).
    void clear();
    /// Renames it, and this handle follows. On one server in one step; in a cluster it is copied
    /// and dropped. Throws exists.
    void rename(std::string to);
    /// Copies it, shard by shard through this client. O(bits / 8). Throws exists.
    redis_filter copy(std::string to, const progress_consumer& tell = {}) const;
    /// All its keys vanish at one moment, so long from now; or never, as at first. O(shards).
    void expire_after(std::chrono::seconds time);
    void persist();
    /// How long it still has; nothing if it does not expire. O(1).
    [[nodiscard]] std::optional<std::chrono::seconds> time_left() const;

    /// The filter as one in memory, of those schemes, read in slices. O(bits / 8). Throws
    /// memory_refused.
    [[nodiscard]] any_filter pull(const progress_consumer& tell = {}) const;

    // Facts.

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] bool is_split() const;
    /// O(1). Without a split there is one shard.
    [[nodiscard]] plan::split_shape shape() const;
    [[nodiscard]] bloomery::spec spec() const;
    [[nodiscard]] design made_for() const;
    /// From the number of ones in each shard (BITCOUNT, in slices). O(bits), on the servers.
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n distinct keys. Milliseconds.
    [[nodiscard]] double fpp_at(items n) const;
    /// The bits, in bytes. O(1).
    [[nodiscard]] std::uint64_t byte_count() const;
    /// How it lies: shards, bytes of each, servers. O(shards).
    [[nodiscard]] std::vector<fact> facts() const;
    /// Where the bits of shard i lie, and where the key with this digest does. O(1).
    [[nodiscard]] std::string key_of_shard(std::uint64_t shard) const;
    [[nodiscard]] std::uint64_t shard_of(digest128 key) const;
    /// Throws unsupported: pull it first.
    [[nodiscard]] saved_words saved() const;

private:
    friend class filter_calls;
    struct state; // what is believed of the filter, and shared by the copies of a handle

    redis_filter(client via, std::string name, probing how, std::shared_ptr<state> known);

    template <class Keys>
    [[nodiscard]] std::vector<digest128> hashed(const Keys& keys) const {
        std::vector<digest128> made;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            made.push_back(digest(key));
        }
        return made;
    }
    [[nodiscard]] filter_facts current() const;
    bool insert_one(digest128 key);
    [[nodiscard]] bool ask_one(digest128 key) const;

    mutable client via_;
    std::string name_;
    probing probing_;
    std::shared_ptr<state> state_;
    unsigned replicas_ = 0;
};

} // namespace bloomery::redis
