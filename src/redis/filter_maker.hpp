// New filters in Redis, which nobody finds before they are done.
#pragma once

#include <bloomery/redis/client.hpp>
#include <bloomery/redis/error.hpp>

#include "names.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace bloomery::redis {

/// Makes a split filter step by step: the name is taken, then each shard made, then all is shown.
class filter_maker {
public:
    /// Takes the name. Throws exists, bad_argument for a bad name or shape.
    filter_maker(client& via, const std::string& name, const plan::split_shape& shape,
                 design made_for);

    /// Stores a shard and its config; `bits` are the bytes of Redis that it is to have, or nothing
    /// for an empty one. What lay there before is gone. O(bytes). Throws missing if the filter was
    /// dropped meanwhile: then it is another's, or nobody's.
    void make_shard(std::uint64_t shard, std::string bits = {});
    /// Shows the filter to everybody. Throws missing as above.
    void finish();

private:
    void require_mine() const;

    client& via_;
    const std::string& name_;
    filter_facts facts_;
};

/// Makes bytes of Redis as long as a shard is, and sets its mark, which tells a shard that is there
/// from one that is gone. O(bytes).
void mark(std::string& bytes, const plan::split_shape& shape);

/// What to say of a name that another filter has, and of one that something else has.
[[nodiscard]] exists name_taken(const std::string& name);
[[nodiscard]] exists key_taken(const std::string& name);

/// What a filter that is not split says of itself. Throws bad_argument for a size that it cannot
/// have.
[[nodiscard]] filter_facts unsplit_facts(bits m, hashes k, design made_for);

/// Makes a filter that is not split: empty, or of the bits that lie at the key `draft`. Throws
/// exists.
void publish_unsplit(client& via, const std::string& name, const filter_facts& made,
                     const std::optional<std::string>& draft);

} // namespace bloomery::redis
