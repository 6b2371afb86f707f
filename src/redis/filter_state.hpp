// What the handles of one filter know about it.
#pragma once

#include <bloomery/redis/filter.hpp>

#include "names.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace bloomery::inline v0::redis {

/// Shared by the copies of a handle; thread-safe.
struct redis_filter::state {
    explicit state(filter_facts facts) : facts_(std::move(facts)) {}

    [[nodiscard]] filter_facts now() const {
        const std::lock_guard lock(mutex_);
        return facts_;
    }
    void set(filter_facts to) {
        const std::lock_guard lock(mutex_);
        facts_ = std::move(to);
    }

private:
    mutable std::mutex mutex_;
    filter_facts facts_;
};

/// What Redis says about the filter of a name. Waits for a filter that is being created, up to the
/// client's `patience`. Throws no_such_filter if there is none, or if its creation does not
/// complete.
[[nodiscard]] filter_facts read_facts(client& via, const std::string& name);

/// The same without waiting, and without an error if there is none: its shape then has no bits.
[[nodiscard]] filter_facts look_up(client& via, const std::string& name);

/// The message for a shard without its mark.
[[nodiscard]] data_lost lost_shard(std::string_view name, std::uint64_t shard);

/// For each shard, how many bits after its last one are set. O(shards). Throws data_lost if one is
/// missing.
[[nodiscard]] std::vector<unsigned> ones_behind(client& via, const filter_facts& of,
                                                const std::string& name);

/// The spec of the filter; `scheme` is that of a bitmap without a config.
[[nodiscard]] bloomery::spec spec_of(const filter_facts& of, layout::scheme_id scheme);

/// A script, which Redis executes atomically. It may be sent twice.
[[nodiscard]] request script(std::string_view text, std::span<const std::string> keys,
                             std::span<const std::string> arguments = {});

} // namespace bloomery::inline v0::redis
