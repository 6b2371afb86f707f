// What handles of one filter believe of it.
#pragma once

#include <bloomery/redis/filter.hpp>

#include "names.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace bloomery::redis {

/// Shared by the copies of a handle; any thread may look or correct it.
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

/// What Redis says of the filter of a name; none has a shape without bits. One that is being made
/// is waited for, as long as the client has patience. Throws missing if there is none, or if its
/// maker does not come to an end.
[[nodiscard]] filter_facts read_facts(client& via, const std::string& name);

/// The same without waiting, and without an error if there is none.
[[nodiscard]] filter_facts look_up(client& via, const std::string& name);

/// What to say of a shard whose mark is not there.
[[nodiscard]] lost lost_shard(std::string_view name, std::uint64_t shard);

/// Of each shard, how many bits behind its last one are set. O(shards). Throws lost if one is gone.
[[nodiscard]] std::vector<unsigned> ones_behind(client& via, const filter_facts& of,
                                                const std::string& name);

/// What decides its bits; `scheme` is that of a bitmap without a config.
[[nodiscard]] bloomery::spec spec_of(const filter_facts& of, layout::scheme_id scheme);

/// A script, which Redis does in one step. It may be done twice.
[[nodiscard]] request script(std::string_view text, std::span<const std::string> keys,
                             std::span<const std::string> arguments = {});

} // namespace bloomery::redis
