// Creates filters in Redis, which are invisible until they are complete.
#pragma once

#include <bloomery/redis/client.hpp>

#include "names.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace bloomery::inline v0::redis {

/// Creates a split filter in steps: reserve the name, create each shard, publish the filter.
class filter_maker {
public:
    /// Reserves the name. Throws already_exists, and bad_argument for a bad name or shape.
    filter_maker(client& via, const std::string& name, const plan::split_shape& shape,
                 design made_for);

    /// Stores a shard and its config; `bits` are its bytes, or nothing for an empty shard.
    /// Overwrites what was there before. O(bytes). Throws no_such_filter if the filter was dropped
    /// meanwhile; another client may have created it again.
    void make_shard(std::uint64_t shard, std::string bits = {});
    /// Publishes the filter. Throws no_such_filter as above.
    void finish();

private:
    void require_mine() const;

    client& via_;
    const std::string& name_;
    filter_facts facts_;
};

/// Extends the bytes to the length of a shard and sets its mark, which shows that the shard exists.
/// O(bytes).
void mark(std::string& bytes, const plan::split_shape& shape);

/// The messages for a name that is taken by another filter, or by something else.
[[nodiscard]] already_exists name_taken(const std::string& name);
[[nodiscard]] already_exists key_taken(const std::string& name);

/// The facts of a filter that is not split. Throws bad_argument for an impossible size.
[[nodiscard]] filter_facts unsplit_facts(bits m, hashes k, design made_for);

/// Creates a filter that is not split: empty, or with the bits stored at the key `draft`. Throws
/// already_exists.
void publish_unsplit(client& via, const std::string& name, const filter_facts& made,
                     const std::optional<std::string>& draft);

} // namespace bloomery::inline v0::redis
